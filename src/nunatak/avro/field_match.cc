#include "nunatak/avro/field_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

bool HasAlias(const Field& field, const std::string& name) {
  return std::ranges::find(field.aliases, name) != field.aliases.end();
}

/// How well a field's names fit, from 0 (best); −1: not at all.
int NameRank(const Field& field, const Wanted& wanted) {
  int rank = 0;
  for (const std::string& name : wanted.names) {
    if (field.name == name) return rank;
    if (field.iceberg_name == name) return rank + 1;
    if (HasAlias(field, name)) return rank + 2;
    rank += 3;
  }
  return -1;
}

/// The rank of a match, from 0 (best, by id); −1: none.
int MatchRank(const Field& field, const Wanted& wanted) {
  if (field.id && wanted.field_id >= 0) return *field.id == wanted.field_id ? 0 : -1;
  const int rank = NameRank(field, wanted);
  return rank < 0 ? -1 : rank + 1;
}

/// The position of the field that matches best, or nothing.
std::optional<size_t> FindBest(const Node& record, const Wanted& wanted) {
  std::optional<size_t> best;
  int best_rank = 0;
  bool is_tied = false;
  for (size_t i = 0; i < record.fields.size(); ++i) {
    const int rank = MatchRank(record.fields[i], wanted);
    if (rank < 0 || (best && rank > best_rank)) continue;
    is_tied = best && rank == best_rank;
    best = i;
    best_rank = rank;
  }
  if (is_tied) {
    ThrowInvalid(fmt::format("avro schema: record '{}' has more than one {}", record.name,
                             Describe(wanted)));
  }
  return best;
}

}  // namespace

std::vector<const Wanted*> MatchFields(const Node& record, std::span<const Wanted> wanted) {
  std::vector<const Wanted*> matches(record.fields.size(), nullptr);
  for (const Wanted& one : wanted) {
    const std::optional<size_t> found = FindBest(record, one);
    if (!found) continue;
    if (matches[*found] != nullptr) {
      ThrowInvalid(fmt::format("avro schema: field '{}' of record '{}' stands for both {} and {}",
                               record.fields[*found].name, record.name, Describe(*matches[*found]),
                               Describe(one)));
    }
    matches[*found] = &one;
  }
  return matches;
}

std::vector<const Wanted*> MatchEntry(const Node& record, const Wanted& key, const Wanted& value) {
  const bool is_swapped =
      record.fields[0].id == value.field_id && record.fields[1].id == key.field_id;
  if (is_swapped) return {&value, &key};
  return {&key, &value};
}

bool Fits(const Node& type, const Wanted& wanted) {
  switch (wanted.kind) {
    case WantedKind::kAny:
      return type.type != Type::kRecord && type.type != Type::kArray && type.type != Type::kMap;
    case WantedKind::kBoolean:
      return type.type == Type::kBoolean;
    case WantedKind::kInteger:
      return type.type == Type::kInt || type.type == Type::kLong;
    case WantedKind::kReal:
      return type.type == Type::kFloat || type.type == Type::kDouble || type.type == Type::kInt ||
             type.type == Type::kLong;
    case WantedKind::kBytes:
      return type.type == Type::kBytes || type.type == Type::kString || type.type == Type::kFixed ||
             type.type == Type::kEnum;
    case WantedKind::kRecord:
      return type.type == Type::kRecord;
    case WantedKind::kList:
      return type.type == Type::kArray;
    case WantedKind::kMap:
      return type.type == Type::kMap ||
             (type.type == Type::kArray && type.item->type == Type::kRecord &&
              type.item->fields.size() == 2);
  }
  return false;
}

std::string Describe(const Wanted& wanted) {
  const std::string name = wanted.names.empty() ? "" : wanted.names.front();
  if (wanted.field_id < 0) return fmt::format("field '{}'", name);
  return fmt::format("field '{}' (id {})", name, wanted.field_id);
}

std::string_view ToString(WantedKind kind) {
  switch (kind) {
    case WantedKind::kAny:
      return "a primitive value";
    case WantedKind::kBoolean:
      return "a boolean";
    case WantedKind::kInteger:
      return "an integer";
    case WantedKind::kReal:
      return "a number";
    case WantedKind::kBytes:
      return "bytes or text";
    case WantedKind::kRecord:
      return "a record";
    case WantedKind::kList:
      return "an array";
    case WantedKind::kMap:
      return "a map, or an array of two-field records";
  }
  return "";
}

}  // namespace nunatak::avro
