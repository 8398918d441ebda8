#include "nunatak/delta/checkpoint_adds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/checkpoint_rows.h"
#include "nunatak/delta/parsed_statistics.h"

namespace nunatak::delta {

namespace {

const ColumnPath kPath = {"add", "path"};
const ColumnPath kParsedRecords = {"add", "stats_parsed", "numRecords"};

/// Whether one of the columns that a filter looks at is a partition column, or is none.
bool LooksAt(const FileRequest& request, const PartitionSpec& spec, bool partition_columns) {
  return std::any_of(request.metric_ids.begin(), request.metric_ids.end(), [&](int32_t id) {
    const bool is_partition =
        std::any_of(spec.fields.begin(), spec.fields.end(),
                    [id](const PartitionField& field) { return field.source_id() == id; });
    return is_partition == partition_columns;
  });
}

}  // namespace

CheckpointAdds::CheckpointAdds(CheckpointFile file, const TableSchema& table,
                               const FileRequest& request,
                               const std::vector<StatisticsColumn>& statistics)
    : file_(std::move(file)),
      table_(table),
      request_(request),
      columns_(PartitionColumnsOf(table)),
      has_adds_(file_.Has({"add"})) {
  for (const char* name :
       {"path", "size", "modificationTime", "baseRowId", "defaultRowCommitVersion"}) {
    file_.Select({"add", name});
  }
  if (file_.ValuesOf({"add", "deletionVector", "storageType"}) != 0) {
    file_.Select({"add", "deletionVector"});
  }
  if (!columns_.empty()) file_.Select({"add", "partitionValues"});
  if (!file_.HasValuesWherever(kPath, kParsedRecords)) file_.Select({"add", "stats"});
  SelectParsedStatistics(statistics, &file_);
}

LeftOutFiles CheckpointAdds::Read(const Context& context, const FileKeys& keys, AddFiles* files,
                                  FileStatistics* statistics) {
  LeftOutFiles left_out;
  if (!has_adds_) return left_out;
  const bool by_partition =
      request_.wanted && LooksAt(request_, table_.spec, /*partition_columns=*/true);
  const bool by_metrics =
      request_.wanted && LooksAt(request_, table_.spec, /*partition_columns=*/false);
  while (const int64_t row_count = file_.Next()) {
    context.CheckStop();
    WithContext(file_.location(), [&] {
      CheckpointRows rows(&file_, row_count, keys, columns_);
      if (by_partition) {
        rows.ReadPartitions();
        left_out.by_partition += rows.Narrow(request_, table_);
      }
      if (by_metrics) {
        rows.ReadStatistics(context, statistics->columns());
        left_out.by_metrics += rows.Narrow(request_, table_);
      }
      rows.AppendTo(context, files, statistics);
    });
  }
  return left_out;
}

}  // namespace nunatak::delta
