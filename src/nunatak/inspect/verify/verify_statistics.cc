#include "nunatak/inspect/verify/verify_statistics.h"

#include <algorithm>

#include "nunatak/iceberg/puffin.h"

namespace nunatak {

using iceberg::PuffinBlob;
using iceberg::StatisticsBlob;

namespace {

/// What the table records of a blob is a subset of what the file's footer does.
bool Describes(const StatisticsBlob& recorded, const PuffinBlob& blob) {
  return recorded.type == blob.type && recorded.fields == blob.fields &&
         recorded.snapshot_id == blob.snapshot_id &&
         recorded.sequence_number == blob.sequence_number &&
         std::includes(blob.properties.begin(), blob.properties.end(), recorded.properties.begin(),
                       recorded.properties.end());
}

}  // namespace

void CheckStatisticsSnapshots(const iceberg::TableMetadata& metadata, FileReport* report) {
  const auto check = [&](std::string_view list, size_t i, int64_t snapshot_id) {
    if (metadata.snapshots.IndexOf(snapshot_id)) return;
    report->Add(
        Check::kStatisticsSnapshot, fmt::format("{}[{}].snapshot-id", list, i),
        {fmt::format("{}", snapshot_id), "a snapshot of the table"},
        fmt::format("statistics of snapshot {}, which the table does not have", snapshot_id));
  };
  for (size_t i = 0; i < metadata.statistics.size(); ++i) {
    check("statistics", i, metadata.statistics[i].snapshot_id);
  }
  for (size_t i = 0; i < metadata.partition_statistics.size(); ++i) {
    check("partition-statistics", i, metadata.partition_statistics[i].snapshot_id);
  }
}

void CheckStatisticsFile(const iceberg::Table& table, const iceberg::StatisticsFile& statistics,
                         FileReport* report) {
  const iceberg::PuffinFooter footer =
      iceberg::ReadPuffinFooter(*table.io, statistics.statistics_path);
  if (footer.footer_size != statistics.file_footer_size_in_bytes) {
    report->Add(Check::kStatisticsBlobs, "file-footer-size-in-bytes",
                Compared(statistics.file_footer_size_in_bytes, footer.footer_size),
                fmt::format("the table records a footer of {} bytes, the file has one of {}",
                            statistics.file_footer_size_in_bytes, footer.footer_size));
  }
  for (size_t i = 0; i < statistics.blob_metadata.size(); ++i) {
    const StatisticsBlob& recorded = statistics.blob_metadata[i];
    const bool found =
        std::any_of(footer.blobs.begin(), footer.blobs.end(),
                    [&](const PuffinBlob& blob) { return Describes(recorded, blob); });
    if (found) continue;
    report->Add(Check::kStatisticsBlobs, fmt::format("blob-metadata[{}]", i),
                {recorded.type, "a blob of the file"},
                fmt::format("the file has no blob {} of field{} {} with the recorded properties",
                            recorded.type, recorded.fields.size() == 1 ? "" : "s",
                            fmt::join(recorded.fields, ", ")));
  }
}

}  // namespace nunatak
