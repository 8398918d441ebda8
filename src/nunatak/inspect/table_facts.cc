#include "nunatak/inspect/table_facts.h"

#include "nunatak/iceberg/partition_types.h"
#include "nunatak/table/delete_columns.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

template <typename Map, typename Key>
auto FindIn(const Map& map, const Key& key) -> const typename Map::mapped_type* {
  const auto at = map.find(key);
  return at == map.end() ? nullptr : &at->second;
}

}  // namespace

TableFacts::TableFacts(const iceberg::TableMetadata& metadata) : metadata_(metadata) {
  AddFields(metadata.current_schema(), metadata.current_schema().AsStruct());
  for (size_t i = metadata.schemas.size(); i > 0; --i) {
    const Schema schema = metadata.schemas.At(i - 1);
    AddFields(schema, schema.AsStruct());
  }
  AddReservedFields();
  for (const PartitionSpec& spec : metadata.partition_specs) {
    const Type type = iceberg::PartitionTypeOf(metadata, spec);
    specs_.emplace(spec.spec_id, SpecFacts{spec, type, iceberg::SpecKey(spec, type)});
  }
  for (const iceberg::Snapshot& snapshot : metadata.snapshots) {
    sequence_numbers_.emplace(snapshot.snapshot_id, snapshot.sequence_number);
  }
}

void TableFacts::AddFields(const Schema& schema, const Type& parent) {
  for (const Field& field : parent.fields()) {
    fields_.emplace(field.id, FieldFacts{.type = field.type,
                                         .name = schema.NameOf(field.id),
                                         .repeated = schema.IsRepeated(field.id),
                                         .nested = schema.PathTo(field.id).size() > 1});
    AddFields(schema, field.type);
  }
}

void TableFacts::AddReservedFields() {
  const auto add = [this](int32_t id, TypeId type, const char* name) {
    fields_.emplace(id, FieldFacts{.type = Type(type), .name = name});
  };
  add(kDeletePathColumnId, TypeId::kString, "file_path");
  add(kDeletePositionColumnId, TypeId::kLong, "pos");
  add(kRowIdColumnId, TypeId::kLong, "_row_id");
  add(kLastUpdatedColumnId, TypeId::kLong, "_last_updated_sequence_number");
}

const FieldFacts* TableFacts::FindField(int32_t id) const { return FindIn(fields_, id); }

const SpecFacts* TableFacts::FindSpec(int32_t id) const { return FindIn(specs_, id); }

std::optional<int64_t> TableFacts::SequenceOf(int64_t snapshot_id) const {
  const int64_t* number = FindIn(sequence_numbers_, snapshot_id);
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace nunatak
