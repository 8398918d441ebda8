#include "nunatak/inspect/schema_diff.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "nunatak/inspect/type_name.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

ordered_json DefaultJson(const Field& field, const std::optional<Value>& value) {
  return value ? ValueToCell(field.type, *value) : ordered_json();
}

/// The positions of a longest ascending run of values, with gaps.
std::set<size_t> LongestAscending(const std::vector<size_t>& values) {
  std::vector<size_t> length(values.size(), 1), before(values.size(), values.size());
  size_t last = values.size();
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (values[k] > values[i] || length[k] < length[i]) continue;
      length[i] = length[k] + 1;
      before[i] = k;
    }
    if (last == values.size() || length[i] > length[last]) last = i;
  }
  std::set<size_t> run;
  for (; last < values.size(); last = before[last]) run.insert(last);
  return run;
}

class SchemaDiff {
 public:
  SchemaDiff(const Schema& from, const Schema& to) : from_(from), to_(to) {}

  ordered_json Changes() && {
    CompareFields(from_.fields(), to_.fields());
    AppendDropped(from_.fields());
    return std::move(changes_);
  }

 private:
  void Append(const char* change, int32_t id, const Schema& schema, ordered_json from,
              ordered_json to) {
    changes_.push_back({{"change", change},
                        {"field_id", id},
                        {"path", schema.NameOf(id)},
                        {"from", std::move(from)},
                        {"to", std::move(to)}});
  }

  void AppendIfOther(const char* change, const Field& field, ordered_json from, ordered_json to) {
    if (from != to) Append(change, field.id, to_, std::move(from), std::move(to));
  }

  /// `was` may be empty, where the parent was no struct.
  void CompareFields(std::span<const Field> was, std::span<const Field> is) {
    AppendMoved(was, is);
    for (const Field& field : is) {
      const Field* old = from_.FindField(field.id);
      if (old == nullptr) {
        Append("add", field.id, to_, nullptr, TypeName(field.type));
      } else {
        CompareField(*old, field);
      }
    }
  }

  void CompareField(const Field& was, const Field& is) {
    AppendIfOther("rename", is, was.name, is.name);
    AppendIfOther("type", is, TypeName(was.type), TypeName(is.type));
    AppendIfOther("required", is, was.required, is.required);
    AppendIfOther("doc", is, was.doc, is.doc);
    AppendIfOther("initial-default", is, DefaultJson(was, was.initial_default),
                  DefaultJson(is, is.initial_default));
    AppendIfOther("write-default", is, DefaultJson(was, was.write_default),
                  DefaultJson(is, is.write_default));
    CompareFields(was.type.fields(), is.type.fields());
  }

  void AppendMoved(std::span<const Field> was, std::span<const Field> is) {
    std::map<int32_t, size_t> old_places;
    for (size_t i = 0; i < was.size(); ++i) old_places[was[i].id] = i;
    std::vector<size_t> places;
    std::vector<size_t> kept;
    for (size_t i = 0; i < is.size(); ++i) {
      const auto old = old_places.find(is[i].id);
      if (old == old_places.end()) continue;
      places.push_back(old->second);
      kept.push_back(i);
    }
    const std::set<size_t> in_order = LongestAscending(places);
    for (size_t k = 0; k < places.size(); ++k) {
      if (in_order.contains(k)) continue;
      Append("move", is[kept[k]].id, to_, NameBefore(was, places[k]), NameBefore(is, kept[k]));
    }
  }

  static ordered_json NameBefore(std::span<const Field> fields, size_t i) {
    return i == 0 ? ordered_json() : ordered_json(fields[i - 1].name);
  }

  void AppendDropped(std::span<const Field> fields) {
    for (const Field& field : fields) {
      if (to_.FindField(field.id) == nullptr) {
        Append("drop", field.id, from_, TypeName(field.type), nullptr);
      } else {
        AppendDropped(field.type.fields());
      }
    }
  }

  const Schema& from_;
  const Schema& to_;
  ordered_json changes_ = ordered_json::array();
};

}  // namespace

ordered_json SchemaChanges(const Schema& from, const Schema& to) {
  return SchemaDiff(from, to).Changes();
}

}  // namespace nunatak
