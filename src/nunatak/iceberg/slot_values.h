#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nunatak/avro/slot.h"
#include "nunatak/base/error.h"

namespace nunatak::iceberg {

/// The value of a required field of a manifest list or a manifest.
inline const avro::Slot& RequiredSlot(std::span<const avro::Slot> slots, int slot,
                                      std::string_view name) {
  if (slots[slot].is_null()) {
    ThrowInvalid(fmt::format("required field '{}' is missing or null", name));
  }
  return slots[slot];
}

inline std::optional<int64_t> OptionalInteger(const avro::Slot& slot) {
  return slot.is_null() ? std::nullopt : std::optional(slot.integer());
}

inline std::optional<std::string> OptionalText(const avro::Slot& slot) {
  return slot.is_null() ? std::nullopt : std::optional(std::string(slot.text()));
}

/// A number that the specification limits to 0 … `most`.
inline int64_t InRange(int64_t value, int64_t most, std::string_view name) {
  if (value < 0 || value > most) {
    ThrowInvalid(fmt::format("field '{}' is {}, outside 0 to {}", name, value, most));
  }
  return value;
}

}  // namespace nunatak::iceberg
