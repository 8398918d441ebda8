// Attaching 100,000 delete files of one scope to 100,000 data files.
#include <benchmark/benchmark.h>

#include <vector>

#include "../tests/plan/many_deletes.h"

namespace nunatak {
namespace {

void Attach(benchmark::State& state, std::vector<DeletePtr> (*make)(int)) {
  const auto sequence_numbers = static_cast<int>(state.range(0));
  const FakeSource source = ManyFilesSource();
  const std::vector<DeletePtr> deletes = make(sequence_numbers);
  const MetricsLayout layout(BuildDeleteIndex(deletes, source).key_columns(), source.schema());
  const auto batch = DataFiles(layout, sequence_numbers);
  int64_t references = 0;
  int64_t looked_at = 0;
  for (auto _ : state) {
    const DeleteIndex index = BuildDeleteIndex(deletes, source);
    const DeleteLookup lookup(index, *batch, layout);
    references = 0;
    for (size_t i = 0; i < batch->size(); ++i) {
      references += static_cast<int64_t>(lookup.DeletesFor(i).size());
    }
    looked_at = lookup.looked_at();
  }
  state.counters["references"] = static_cast<double>(references);
  state.counters["looked_at"] = static_cast<double>(looked_at);
}
BENCHMARK_CAPTURE(Attach, position, NarrowPositionDeletes)->Arg(1)->Arg(1000);
BENCHMARK_CAPTURE(Attach, equality, NarrowEqualityDeletes)->Arg(1)->Arg(1000);

}  // namespace
}  // namespace nunatak
