#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The table property that holds a name mapping.
inline constexpr std::string_view kNameMappingProperty = "schema.name-mapping.default";

/// One entry of a name mapping: the names that a field may have in files without field ids, and the
/// entries of what is nested in it (a list's "element", a map's "key" and "value").
struct NUNATAK_EXPORT MappedField {
  /// Absent for a field that files have and the table has not.
  std::optional<int32_t> field_id;
  /// A dot in a name is part of the name.
  std::vector<std::string> names;
  std::vector<MappedField> fields;

  friend bool operator==(const MappedField&, const MappedField&) = default;
};

/// Field ids for the columns of files that carry none (specification, "Column Projection" and "Name
/// Mapping Serialization").
struct NUNATAK_EXPORT NameMapping {
  std::vector<MappedField> fields;

  /// Parses the JSON text of the property. Throws `ErrorCode::kInvalid`; the message names the
  /// property.
  static NameMapping Parse(std::string_view json);
  /// The mapping as such text.
  std::string ToJson() const;
  /// Every field of the schema, nested ones too, by its name there.
  static NameMapping Of(const Schema& schema);

  /// The id of the field that files call this; nested fields by the names on the way, with dots.
  /// Null when the mapping has no such name, or no id for it.
  std::optional<int32_t> IdFor(std::string_view path) const;
  /// The first name of a field, behind those of what it is nested in; null when the mapping has no
  /// field of that id, or no name for it.
  std::optional<std::string> NameFor(int32_t field_id) const;

  friend bool operator==(const NameMapping&, const NameMapping&) = default;
};

/// The entry that one of `fields` has for a name, or null; names match exactly.
NUNATAK_EXPORT const MappedField* FindByName(const std::vector<MappedField>& fields,
                                             std::string_view name);

}  // namespace nunatak
