#include "nunatak/hive/in_parallel.h"

#include <optional>
#include <utility>

#include "nunatak/base/ordered_pipeline.h"

namespace nunatak::hive {

void InParallel(const FileIO& io, const Context& context, size_t count,
                const std::function<void(size_t)>& body, const std::function<void(size_t)>& take) {
  PipelineWork work{.count = count, .compute = body};
  if (io.waits()) {
    work.fetch = body;
    work.compute = [](size_t) {};
  }
  OrderedPipeline pipeline(context, std::move(work));
  while (const std::optional<size_t> i = pipeline.Next()) {
    if (take) take(*i);
  }
}

}  // namespace nunatak::hive
