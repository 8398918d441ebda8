#include "nunatak/inspect/tables/file_run.h"

namespace nunatak {

void FileRun::Begin(std::span<const uint32_t> files) {
  files_ = files;
  for (Metrics& metrics : metrics_) metrics.decoded_ = false;
}

const FileRun::Metrics& FileRun::Of(MetricMap map) {
  Metrics& metrics = metrics_[static_cast<size_t>(map)];
  if (metrics.decoded_) return metrics;
  metrics.pairs_.clear();
  metrics.ends_.assign(1, 0);
  metrics.has_.clear();
  ForEach([&](size_t file) {
    metrics.has_.push_back(records_.HasMetrics(map, file) ? 1 : 0);
    records_.AppendMetrics(map, file, &metrics.pairs_);
    metrics.ends_.push_back(metrics.pairs_.size());
  });
  metrics.decoded_ = true;
  return metrics;
}

}  // namespace nunatak
