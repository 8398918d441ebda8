// Filter text, in either language: parsed, bound to a table with a column of every type, printed as
// text and as JSON, and bound again, which must give the same program.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "../tests/expr/test_schema.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/expr/project.h"

namespace nunatak {
namespace {

/// Knows nothing of any column.
class NoStats : public StatsSource {
 public:
  ColumnStats Stats(const BoundFilter::Column&) const override { return {}; }
};

PartitionSpec EveryTransform(const Schema& schema) {
  PartitionSpec spec;
  int32_t id = 1000;
  for (const Field& field : schema.fields()) {
    for (const char* name :
         {"identity", "bucket[16]", "truncate[3]", "year", "month", "day", "hour"}) {
      PartitionField added;
      added.source_ids = {field.id};
      added.field_id = id++;
      added.name = "p" + std::to_string(id);
      added.transform = Transform::Parse(name);
      if (added.transform.CanTransform(field.type)) spec.fields.push_back(added);
    }
  }
  return spec;
}

void Check(bool condition) {
  if (!condition) std::abort();
}

void Run(std::string_view text) {
  static const Schema schema = EveryType();
  static const PartitionSpec spec = EveryTransform(schema);
  const BoundFilter filter = BindFilter(text, schema);
  Check(BindFilter(FilterToText(filter), schema) == filter);
  const std::string json = FilterToJson(filter).dump();
  Check(BindFilter(json, schema) == filter);
  const BoundFilter inclusive = ProjectToPartition(filter, spec, schema, Mode::kInclusive);
  const BoundFilter strict = ProjectToPartition(filter, spec, schema, Mode::kStrict);
  // Nothing is known: every leaf may match, and none must.
  Check(Evaluate(inclusive, NoStats(), Mode::kInclusive) == !inclusive.is_false());
  Check(Evaluate(strict, NoStats(), Mode::kStrict) == strict.is_true());
}

}  // namespace
}  // namespace nunatak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    nunatak::Run({reinterpret_cast<const char*>(data), size});
  } catch (const nunatak::Error&) {
    // A filter that is refused; anything else is a finding.
  }
  return 0;
}
