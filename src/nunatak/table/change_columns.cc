#include "nunatak/table/change_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

struct ChangeColumn {
  int32_t id;
  const char* name;
  TypeId type;
};

constexpr std::array<ChangeColumn, 3> kColumns = {{
    {kChangeTypeColumnId, "_change_type", TypeId::kString},
    {kChangeOrdinalColumnId, "_change_ordinal", TypeId::kInt},
    {kCommitSnapshotColumnId, "_commit_snapshot_id", TypeId::kLong},
}};

}  // namespace

std::string_view ToString(ChangeType type) {
  switch (type) {
    case ChangeType::kInsert:
      return "insert";
    case ChangeType::kDelete:
      return "delete";
    case ChangeType::kUpdateBefore:
      return "update_before";
    case ChangeType::kUpdateAfter:
      return "update_after";
  }
  return "";
}

bool IsChangeColumn(int32_t field_id) {
  return std::any_of(kColumns.begin(), kColumns.end(),
                     [&](const ChangeColumn& column) { return column.id == field_id; });
}

Schema WithChangeColumns(const Schema& schema) {
  std::vector<Field> fields;
  for (const Field& field : schema.fields()) {
    if (field.id != kDeletedColumnId) fields.push_back(field);
  }
  for (const ChangeColumn& column : kColumns) {
    for (const Field& field : schema.fields()) {
      if (field.name != column.name) continue;
      ThrowUnsupported(
          fmt::format("the table has a column {} of its own, so that its changes "
                      "cannot be shown with the column of that name",
                      column.name));
    }
    Field& field = fields.emplace_back();
    field.id = column.id;
    field.name = column.name;
    field.required = true;
    field.type = column.type;
  }
  return Schema(schema.schema_id(), std::move(fields), schema.identifier_field_ids());
}

}  // namespace nunatak
