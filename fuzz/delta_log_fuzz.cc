// The text of a Delta log, as one commit: what it says of the table, the files that it adds and
// removes, their partition values, statistics and deletion vectors, as the planner takes them.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/delta/add_batch.h"
#include "nunatak/delta/features.h"
#include "nunatak/delta/log_replay.h"

namespace nunatak::delta {
namespace {

void ReadStatistics(const AddFiles& files, FileStatistics* statistics) {
  StatisticsReader reader(statistics->columns());
  for (size_t i = 0; i < files.size(); ++i) {
    statistics->BeginFile(files.VectorOf(i) != nullptr);
    if (files.stats[i].data() != nullptr) reader.Read(files.stats[i], statistics);
    statistics->EndFile();
  }
  statistics->Finish();
}

void TakeFiles(const TableSchema& table, std::shared_ptr<const AddFiles> files) {
  const FileRequest request{.metric_ids = FieldsWithStatistics(table)};
  FileStatistics statistics(StatisticsColumnsOf(table, request.metric_ids));
  ReadStatistics(*files, &statistics);
  const AddBatch batch("/table", table, std::move(files), std::move(statistics), request);
  std::vector<uint32_t> positions(batch.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::vector<DataFile> taken;
  batch.AppendFiles(positions, /*column_metrics=*/true, &taken);
  for (const uint32_t i : positions) batch.OwnDeletes(i);
}

void Read(std::string_view text) {
  LogReplay replay;
  replay.ReplayTable(text);
  if (!replay.protocol || !replay.metadata) return;
  RequireReadable(*replay.protocol);
  const TableSchema table = MakeTableSchema(*replay.protocol, *replay.metadata);
  const std::vector<std::string> columns = PartitionColumnsOf(table);
  auto files = std::make_shared<AddFiles>(columns.size());
  FileKeys keys;
  ReplayFiles(text, columns, &keys, files.get());
  TakeFiles(table, std::move(files));
}

}  // namespace
}  // namespace nunatak::delta

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    nunatak::delta::Read({reinterpret_cast<const char*>(data), size});
  } catch (const nunatak::Error&) {
  }
  return 0;
}
