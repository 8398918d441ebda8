#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/table/datetime.h"

namespace nunatak {

/// A variant as bytes, and what it means, made side by side. The bytes use all the freedom that
/// the encoding gives a writer: widths larger than need be, long forms of short strings, values in
/// another order than their fields, names that no field uses, names that are there twice.
struct RandomVariant {
  std::string metadata;
  std::string value;
  /// As `VariantToJson` writes it.
  nlohmann::ordered_json json;
};

class RandomVariantMaker {
 public:
  explicit RandomVariantMaker(std::mt19937_64& random) : random_(random) { MakeNames(); }

  RandomVariant Make() {
    RandomVariant result;
    result.metadata = Metadata();
    result.value = Value(0, &result.json);
    if (result.json.is_null()) result.json = {{"$type", "NULL"}, {"$value", nullptr}};
    return result;
  }

 private:
  using ordered_json = nlohmann::ordered_json;
  static constexpr int kMaxDepth = 5;

  uint64_t Below(uint64_t end) { return random_() % end; }
  bool Chance() { return Below(2) == 0; }

  static std::string LittleEndian(uint64_t value, size_t size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  }

  /// A width that holds `value`, or a larger one.
  size_t Width(uint64_t value) {
    size_t least = 1;
    while (least < 4 && (value >> (8 * least)) != 0) ++least;
    return least + Below(4 - least + 1);
  }

  void MakeNames() {
    const size_t count = Below(12);
    for (size_t i = 0; i < count; ++i) {
      names_.push_back(i > 0 && Below(8) == 0 ? names_[Below(i)] : Text(Below(9)));
    }
  }

  std::string Text(size_t length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + Below(26));
    return text;
  }

  std::string Metadata() {
    size_t total = 0;
    for (const std::string& name : names_) total += name.size();
    const size_t width = Width(std::max(total, names_.size()));
    std::string bytes = LittleEndian(1 | (width - 1) << 6, 1) + LittleEndian(names_.size(), width);
    size_t offset = 0;
    bytes += LittleEndian(0, width);
    for (const std::string& name : names_) bytes += LittleEndian(offset += name.size(), width);
    for (const std::string& name : names_) bytes += name;
    return bytes;
  }

  std::string Value(int depth, ordered_json* json) {
    const uint64_t kind = Below(depth < kMaxDepth ? 6 : 4);
    if (kind == 4) return Array(depth, json);
    if (kind == 5) return Object(depth, json);
    return Primitive(json);
  }

  static ordered_json Typed(const char* type, ordered_json value) {
    return {{"$type", type}, {"$value", std::move(value)}};
  }

  std::string Integer(int id, const char* type, size_t size, ordered_json* json) {
    const auto value = static_cast<int64_t>(random_()) >> (64 - 8 * size);
    *json = Typed(type, value);
    return LittleEndian(static_cast<uint64_t>(id) << 2, 1) +
           LittleEndian(static_cast<uint64_t>(value), size);
  }

  std::string Decimal(int id, const char* type, size_t size, ordered_json* json) {
    const auto value = static_cast<int64_t>(random_()) >> (64 - 8 * std::min<size_t>(size, 8));
    *json = Typed(type, fmt::format("{}", value));
    return LittleEndian(static_cast<uint64_t>(id) << 2, 1) + std::string(1, '\0') +
           LittleEndian(static_cast<uint64_t>(value), std::min<size_t>(size, 8)) +
           std::string(size > 8 ? 8 : 0, value < 0 ? '\xFF' : '\0');
  }

  std::string Primitive(ordered_json* json) {
    switch (Below(12)) {
      case 0:
        *json = nullptr;
        return std::string(1, '\0');
      case 1:
        *json = true;
        return {1 << 2};
      case 2:
        *json = false;
        return {2 << 2};
      case 3:
        return Integer(3, "INT8", 1, json);
      case 4:
        return Integer(4, "INT16", 2, json);
      case 5:
        return Integer(5, "INT32", 4, json);
      case 6:
        return Integer(6, "INT64", 8, json);
      case 7:
        return Decimal(8, "DECIMAL4", 4, json);
      case 8:
        return Decimal(9, "DECIMAL8", 8, json);
      case 9:
        return Decimal(10, "DECIMAL16", 16, json);
      case 10: {
        const auto days = static_cast<int32_t>(Below(40000)) - 20000;
        *json = Typed("DATE", FormatDate(days));
        return LittleEndian(11 << 2, 1) + LittleEndian(static_cast<uint64_t>(days), 4);
      }
      default:
        return String(json);
    }
  }

  std::string String(ordered_json* json) {
    const std::string text = Text(Below(100));
    *json = text;
    if (text.size() < 64 && Chance()) return LittleEndian(text.size() << 2 | 1, 1) + text;
    return LittleEndian(16 << 2, 1) + LittleEndian(text.size(), 4) + text;
  }

  /// Values in a random order; `offsets` are theirs, and the end.
  std::string Shuffled(const std::vector<std::string>& values, std::vector<size_t>* offsets) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    std::string bytes;
    offsets->assign(values.size() + 1, 0);
    for (const size_t i : order) {
      (*offsets)[i] = bytes.size();
      bytes += values[i];
    }
    offsets->back() = bytes.size();
    return bytes;
  }

  size_t Count() { return Below(20) == 0 ? 300 : Below(5); }

  std::string Array(int depth, ordered_json* json) {
    *json = ordered_json::array();
    std::vector<std::string> values(Count());
    for (std::string& value : values) {
      ordered_json element;
      value = Value(values.size() > 5 ? kMaxDepth : depth + 1, &element);
      json->push_back(std::move(element));
    }
    std::vector<size_t> offsets;
    const std::string bytes = Shuffled(values, &offsets);
    const size_t width = Width(bytes.size());
    const bool large = values.size() > 255 || Chance();
    std::string header = LittleEndian((size_t{large} << 2 | (width - 1)) << 2 | 3, 1) +
                         LittleEndian(values.size(), large ? 4 : 1);
    for (const size_t offset : offsets) header += LittleEndian(offset, width);
    return header + bytes;
  }

  /// Ids of different names, in the order of the names.
  std::vector<uint32_t> FieldIds() {
    std::vector<uint32_t> ids;
    for (uint32_t id = 0; id < names_.size(); ++id) {
      const bool taken = std::any_of(ids.begin(), ids.end(),
                                     [&](uint32_t other) { return names_[other] == names_[id]; });
      if (!taken && Chance()) ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end(),
              [&](uint32_t a, uint32_t b) { return names_[a] < names_[b]; });
    return ids;
  }

  std::string Object(int depth, ordered_json* json) {
    *json = ordered_json::object();
    const std::vector<uint32_t> ids = FieldIds();
    std::vector<std::string> values;
    for (const uint32_t id : ids) {
      ordered_json field;
      values.push_back(Value(depth + 1, &field));
      (*json)[names_[id]] = std::move(field);
    }
    std::vector<size_t> offsets;
    const std::string bytes = Shuffled(values, &offsets);
    const size_t width = Width(bytes.size());
    const size_t id_width = Width(names_.size());
    const bool large = Chance();
    std::string header =
        LittleEndian((size_t{large} << 4 | (id_width - 1) << 2 | (width - 1)) << 2 | 2, 1) +
        LittleEndian(values.size(), large ? 4 : 1);
    for (const uint32_t id : ids) header += LittleEndian(id, id_width);
    for (const size_t offset : offsets) header += LittleEndian(offset, width);
    return header + bytes;
  }

  std::mt19937_64& random_;
  std::vector<std::string> names_;
};

inline RandomVariant MakeRandomVariant(std::mt19937_64& random) {
  return RandomVariantMaker(random).Make();
}

}  // namespace nunatak
