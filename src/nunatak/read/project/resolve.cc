#include "nunatak/read/project/resolve.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/project/assign_ids.h"
#include "nunatak/read/project/constant.h"
#include "nunatak/read/project/metadata_values.h"
#include "nunatak/read/project/promote.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

[[noreturn]] void ThrowUnreadable(const Field& field, const FileField& file_field) {
  ThrowInvalid(fmt::format("the file's column {} of Arrow type {} cannot be read as {}",
                           file_field.name, file_field.type->ToString(), field.type.ToString()));
}

ColumnPlan ConstantPlan(const Field& field, const Value& value) {
  ColumnPlan plan;
  plan.field = field;
  plan.type = ArrowTypeOf(field.type);
  plan.constant = ScalarOf(field.type, value);
  return plan;
}

/// Whether the column has no value but null: by the table's type, or because it was stored as
/// unknown, which promotes to every type.
bool IsAllNull(const Field& field, const FileField& file_field) {
  return field.type.id() == TypeId::kUnknown || file_field.type->id() == arrow::Type::NA;
}

/// Null when there is none. Which of several is meant nobody can say.
FileField* FindById(std::vector<FileField>& fields, int32_t id) {
  const auto has_id = [id](const FileField& field) { return field.id == id; };
  const auto found = std::find_if(fields.begin(), fields.end(), has_id);
  if (found == fields.end()) return nullptr;
  const auto other = std::find_if(std::next(found), fields.end(), has_id);
  if (other != fields.end()) {
    ThrowInvalid(fmt::format("two columns of the file are the field with id {}: '{}' and '{}'", id,
                             found->name, other->name));
  }
  return &*found;
}

bool IsInNanoseconds(const Type& type) {
  return type.id() == TypeId::kTimestampNs || type.id() == TypeId::kTimestampTzNs;
}

}  // namespace

std::map<int32_t, Value> IdentityConstants(const FileScanTask& task) {
  std::map<int32_t, Value> constants;
  if (task.spec == nullptr) return constants;
  const PartitionValues& partition = task.data_file->partition;
  const size_t count = std::min(task.spec->fields.size(), partition.size());
  for (size_t i = 0; i < count; ++i) {
    const PartitionField& field = task.spec->fields[i];
    if (field.transform.id() == TransformId::kIdentity && field.source_ids.size() == 1) {
      constants.emplace(field.source_id(), partition[i]);
    }
  }
  return constants;
}

ColumnResolver::ColumnResolver(const ReadRequest& request, const FileScanTask& task,
                               std::vector<FileField>& file_fields)
    : task_(task), file_fields_(file_fields), constants_(IdentityConstants(task)) {
  if (request.ignore_file_ids) ClearIds(file_fields);
  if (HasFieldIds(file_fields)) {
    if (request.name_mapping) AssignReservedIds(*request.name_mapping, file_fields);
    return;
  }
  if (request.name_mapping) {
    AssignMappedIds(*request.name_mapping, file_fields);
  } else if (task.data_file->file_format != FileFormat::kParquet) {
    AssignMappedIds(NameMapping::Of(request.schema), file_fields);
  } else {
    AssignIdsByPosition(file_fields);
    by_position_ = true;
  }
}

std::vector<ColumnPlan> ColumnResolver::Resolve(std::span<const Field> fields) {
  std::vector<ColumnPlan> plans;
  for (const Field& field : fields) plans.push_back(ResolveField(field, file_fields_, 0));
  return plans;
}

ColumnPlan ColumnResolver::ResolveField(const Field& field, std::vector<FileField>& siblings,
                                        int depth) {
  return WithContext(fmt::format("column {}", field.name), [&] {
    if (depth == 0 && IsMetadataColumn(field.id)) return ResolveMetadata(field);
    if (field.type.id() == TypeId::kUnknown) return ConstantPlan(field, Value::Null());
    FileField* file_field = FindById(siblings, field.id);
    const auto constant = constants_.find(field.id);
    const bool is_constant = constant != constants_.end();
    if (file_field != nullptr && !(file_field->id_is_assigned && is_constant)) {
      if (IsAllNull(field, *file_field)) return ConstantPlan(field, Value::Null());
      ColumnPlan plan = FromFile(field, *file_field, depth);
      plan.file_index = static_cast<size_t>(file_field - siblings.data());
      return plan;
    }
    return is_constant ? ConstantPlan(field, constant->second) : MissingField(field, depth);
  });
}

/// Files may have the columns of row lineage, for rows that were written before.
ColumnPlan ColumnResolver::ResolveMetadata(const Field& field) {
  const bool is_lineage = field.id == kRowIdColumnId || field.id == kLastUpdatedColumnId;
  FileField* file_field = is_lineage ? FindById(file_fields_, field.id) : nullptr;
  ColumnPlan plan = file_field != nullptr ? FromFile(field, *file_field, 0)
                                          : ConstantPlan(field, MetadataConstant(field, task_));
  if (file_field != nullptr) {
    plan.file_index = static_cast<size_t>(file_field - file_fields_.data());
  }
  plan.null_fill = MetadataFill(field.id, task_);
  plan.marks_deleted = field.id == kDeletedColumnId;
  return plan;
}

ColumnPlan ColumnResolver::MissingField(const Field& field, int depth) const {
  if (field.initial_default) return ConstantPlan(field, *field.initial_default);
  if (by_position_ && depth > 0) {
    ThrowInvalid("a nested field of a file without field ids cannot be resolved",
                 fmt::format("set the table property {}", kNameMappingProperty));
  }
  if (field.required) {
    ThrowInvalid("the required column is missing from the file and has no initial default");
  }
  return ConstantPlan(field, Value::Null());
}

ColumnPlan ColumnResolver::FromFile(const Field& field, FileField& file_field, int depth) {
  ColumnPlan plan;
  plan.field = field;
  plan.type = ArrowTypeOf(field.type);
  plan.from_file = true;
  if (field.type.id() == TypeId::kVariant) {
    plan.variant = std::make_shared<const VariantLayout>(VariantLayoutOf(file_field));
    SelectLeaves(file_field, /*all=*/true);
    return plan;
  }
  if (!field.type.is_nested()) {
    if (!file_field.is_leaf() || !CanReadAs(*file_field.type, field.type)) {
      ThrowUnreadable(field, file_field);
    }
    file_field.selected = true;
    file_field.wants_nanoseconds = file_field.is_int96 && IsInNanoseconds(field.type);
    return plan;
  }
  plan.children = field.type.is_struct() ? ResolveStruct(field, file_field, depth)
                                         : ResolveParts(field, file_field, depth);
  return plan;
}

std::vector<ColumnPlan> ColumnResolver::ResolveStruct(const Field& field, FileField& file_field,
                                                      int depth) {
  if (file_field.type->id() != arrow::Type::STRUCT) ThrowUnreadable(field, file_field);
  std::vector<ColumnPlan> plans;
  bool any_from_file = false;
  for (const Field& child : field.type.fields()) {
    plans.push_back(ResolveField(child, file_field.children, depth + 1));
    any_from_file = any_from_file || plans.back().from_file;
  }
  // Some leaf must tell which structs are null.
  if (!any_from_file && !SelectLeaves(file_field, /*all=*/false)) {
    ThrowInvalid("the file's struct has no column");
  }
  return plans;
}

/// Lists and maps: their parts are found by their place, not by id.
std::vector<ColumnPlan> ColumnResolver::ResolveParts(const Field& field, FileField& file_field,
                                                     int depth) {
  const arrow::Type::type expected =
      field.type.id() == TypeId::kList ? arrow::Type::LIST : arrow::Type::MAP;
  const std::span<const Field> parts = field.type.fields();
  if (file_field.type->id() != expected || file_field.children.size() != parts.size()) {
    ThrowUnreadable(field, file_field);
  }
  std::vector<ColumnPlan> plans;
  for (size_t i = 0; i < parts.size(); ++i) {
    FileField& file_part = file_field.children[i];
    WithContext(parts[i].name, [&] {
      if (IsAllNull(parts[i], file_part)) {
        plans.push_back(ConstantPlan(parts[i], Value::Null()));
        SelectLeaves(file_part, /*all=*/false);
      } else {
        plans.push_back(FromFile(parts[i], file_part, depth + 1));
        plans.back().file_index = i;
      }
    });
  }
  return plans;
}

void FinishPlans(const std::vector<FileField>& file_fields, std::span<ColumnPlan> plans) {
  for (ColumnPlan& plan : plans) {
    if (!plan.from_file) continue;
    plan.decoded_index = DecodedIndex(file_fields, plan.file_index);
    FinishPlans(file_fields[plan.file_index].children, plan.children);
  }
}

}  // namespace nunatak
