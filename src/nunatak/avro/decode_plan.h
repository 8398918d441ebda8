#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nunatak/avro/decode_program.h"
#include "nunatak/avro/schema.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// How a wanted field is to be read, and which types of the writer's schema fit.
enum class WantedKind : uint8_t {
  kAny,      ///< Any type but record, array and map, as what it is; see `DecodePlan::type`.
  kBoolean,  ///< boolean
  kInteger,  ///< int, long
  kReal,     ///< float, double, int, long
  kBytes,    ///< bytes, string, fixed, enum (its symbol)
  kRecord,   ///< record; its wanted fields are the children, in the slots of the same plan
  kList,     ///< array; the one child is the element, in the slots of the item plan
  kMap,  ///< array of two-field records, or map; the children are key and value, in the item plan
};

/// A field that a caller wants from each record.
struct Wanted {
  /// Its Iceberg field id; −1 for a field that has none (it is then found by name alone).
  int32_t field_id = -1;
  /// Its names, the preferred one first.
  std::vector<std::string> names = {};
  WantedKind kind = WantedKind::kAny;
  /// Where the value goes; −1 for a record, which has no value of its own.
  int slot = -1;
  std::vector<Wanted> children = {};
};

/// A writer's schema compiled against wanted fields: what it takes to decode one record. Immutable,
/// thread-safe, and the same for all files that carry the same schema.
///
/// A schema field that carries a `field-id` matches a wanted field by that id alone; one that
/// carries none matches by name: its own, then `iceberg-field-name`, then its aliases. A list's
/// element is its only item; a map's key and value match by id, else they are the first and second
/// field.
///
/// A field may be a union in any order. Null makes the slot null; a branch that does not fit the
/// wanted kind is an error when a record uses it, or at once when no branch fits.
class NUNATAK_EXPORT DecodePlan {
 public:
  /// Throws `ErrorCode::kInvalid` when the schema's root is not a record, or a wanted field's type
  /// does not fit.
  static std::shared_ptr<const DecodePlan> Compile(std::shared_ptr<const Schema> schema,
                                                   std::span<const Wanted> wanted);
  ~DecodePlan();

  /// One more than the highest wanted slot.
  int slot_count() const { return static_cast<int>(slots_.size()); }
  /// Whether this schema has the field at all. The slot of an absent field is null in every record.
  bool Has(int slot) const { return slots_[slot].type != nullptr; }
  /// The writer's type of a slot (of its first fitting branch); null when the field is absent.
  const Node* type(int slot) const { return slots_[slot].type; }
  /// The plan of one item of a list or map slot; null when the field is absent.
  const DecodePlan* items(int slot) const { return slots_[slot].items.get(); }

  /// Whether a record takes no bytes at all.
  bool zero_size() const { return zero_size_; }
  const Programs& programs() const { return programs_; }

 private:
  friend class PlanCompiler;
  struct SlotInfo {
    const Node* type = nullptr;
    std::unique_ptr<DecodePlan> items;
  };
  DecodePlan();

  std::shared_ptr<const Schema> schema_;
  Programs programs_;
  std::vector<SlotInfo> slots_;
  bool zero_size_ = false;
};

}  // namespace nunatak::avro
