#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A field of a struct, the element of a list, or the key or value of a map.
struct NUNATAK_EXPORT Field {
  int32_t id = 0;
  std::string name;
  bool required = false;
  Type type;
  std::string doc;
  /// v3: the value of rows written before the field existed; absent means null.
  std::optional<Value> initial_default;
  /// v3: the value that writers use when none is given.
  std::optional<Value> write_default;

  friend NUNATAK_EXPORT bool operator==(const Field& a, const Field& b);
};

/// A table schema (specification, "Schemas and Data Types"): a struct with an id, and look-ups by
/// field id and by name at every depth. Immutable and cheap to copy.
class NUNATAK_EXPORT Schema {
 public:
  /// An empty schema, id 0.
  Schema();
  /// Throws `ErrorCode::kInvalid` when two fields share an id, or two of one struct their name.
  Schema(int32_t schema_id, std::vector<Field> fields,
         std::vector<int32_t> identifier_field_ids = {});

  int32_t schema_id() const;
  const Type& AsStruct() const;
  std::span<const Field> fields() const { return AsStruct().fields(); }
  const std::vector<int32_t>& identifier_field_ids() const;

  /// The field of that id at any depth, or null; valid as long as this schema or a copy of it.
  const Field* FindField(int32_t id) const;
  /// Resolves a name at any depth: an exact top-level name first (it may contain dots), else the
  /// full dotted path ("a.b"; list elements and map parts by "element", "key", "value").
  /// Without case, a name that fits two fields throws `ErrorCode::kUsage`. Null when nothing fits.
  const Field* FindField(std::string_view name, bool case_sensitive = true) const;
  /// The ids from a top-level field down to the field `id`, both included; empty when unknown.
  std::vector<int32_t> PathTo(int32_t id) const;
  /// The dotted path of a field, as errors and filters print it; "" when unknown.
  std::string NameOf(int32_t id) const;
  /// Whether a list or map lies on the path to the field: such fields have no place in a filter.
  bool IsRepeated(int32_t id) const;
  /// Whether the field or any struct above it is optional.
  bool IsNullable(int32_t id) const;

  friend NUNATAK_EXPORT bool operator==(const Schema& a, const Schema& b);

 private:
  struct Index;
  std::shared_ptr<const Index> index_;
};

}  // namespace nunatak
