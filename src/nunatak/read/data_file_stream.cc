#include "nunatak/read/data_file_stream.h"

#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

void DataFileStream::Fetch() {
  if (filled_ || file_.done()) return;
  file_.Fill(FetchRanges(io_, context_, location_, file_.Needed()));
  filled_ = true;
}

std::shared_ptr<arrow::RecordBatch> DataFileStream::Next() {
  while (!file_.done()) {
    context_.CheckStop();
    Fetch();
    if (std::shared_ptr<arrow::RecordBatch> batch = file_.Next()) return batch;
    filled_ = false;
  }
  return nullptr;
}

}  // namespace nunatak
