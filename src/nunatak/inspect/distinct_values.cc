#include "nunatak/inspect/distinct_values.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>

#include "nunatak/iceberg/puffin.h"

namespace nunatak {

using iceberg::StatisticsBlob;
using iceberg::StatisticsFile;
using iceberg::StringMap;

namespace {

constexpr const char* kThetaSketch = "apache-datasketches-theta-v1";

std::optional<int64_t> Ndv(const StringMap& properties) {
  const auto at = properties.find("ndv");
  if (at == properties.end()) return std::nullopt;
  const std::string& text = at->second;
  int64_t values = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), values);
  if (code != std::errc() || end != text.data() + text.size() || values < 0) return std::nullopt;
  return values;
}

/// What the file's own footer says of a blob that the metadata says too little of.
std::optional<int64_t> NdvOfFooter(FileIO& io, const StatisticsFile& file,
                                   const StatisticsBlob& blob) {
  const iceberg::PuffinFooter footer = iceberg::ReadPuffinFooter(io, file.statistics_path);
  const auto at = std::find_if(
      footer.blobs.begin(), footer.blobs.end(), [&blob](const iceberg::PuffinBlob& candidate) {
        return candidate.type == blob.type && candidate.fields == blob.fields &&
               candidate.snapshot_id == blob.snapshot_id;
      });
  return at == footer.blobs.end() ? std::nullopt : Ndv(at->properties);
}

/// Adds the estimates of fields that have none yet.
void AddEstimates(FileIO& io, const StatisticsFile& file,
                  std::map<int32_t, DistinctEstimate>* estimates) {
  for (const StatisticsBlob& blob : file.blob_metadata) {
    if (blob.type != kThetaSketch || blob.fields.size() != 1) continue;
    if (estimates->contains(blob.fields.front())) continue;
    std::optional<int64_t> values = Ndv(blob.properties);
    if (!values) values = NdvOfFooter(io, file, blob);
    if (values)
      estimates->emplace(blob.fields.front(), DistinctEstimate{*values, blob.snapshot_id});
  }
}

}  // namespace

std::map<int32_t, DistinctEstimate> DistinctValues(const iceberg::Table& table,
                                                   const iceberg::Snapshot* snapshot) {
  std::map<int32_t, DistinctEstimate> estimates;
  if (!snapshot || table.metadata->statistics.empty()) return estimates;
  std::set<int64_t> seen;
  std::optional<int64_t> id = snapshot->snapshot_id;
  for (; id && seen.insert(*id).second; id = table.metadata->snapshots.ParentOf(*id)) {
    for (const StatisticsFile& file : table.metadata->statistics) {
      if (file.snapshot_id == *id) AddEstimates(*table.io, file, &estimates);
    }
  }
  return estimates;
}

}  // namespace nunatak
