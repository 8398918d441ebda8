#include "nunatak/read/record_batch_reader.h"

#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/status.h>
#include <fmt/format.h>

#include <exception>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

arrow::Status StatusOf(const Error& error) {
  const std::string text = error.hint().empty()
                               ? error.message()
                               : fmt::format("{} ({})", error.message(), error.hint());
  switch (error.code()) {
    case ErrorCode::kInvalid:
    case ErrorCode::kUsage:
      return arrow::Status::Invalid(text);
    case ErrorCode::kUnsupported:
      return arrow::Status::NotImplemented(text);
    case ErrorCode::kCancelled:
      return arrow::Status::Cancelled(text);
    default:
      return arrow::Status::IOError(text);
  }
}

class ScanBatches final : public arrow::RecordBatchReader {
 public:
  ScanBatches(std::shared_ptr<arrow::Schema> schema, NextBatch next)
      : schema_(std::move(schema)), next_(std::move(next)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    *batch = nullptr;
    if (!next_) return arrow::Status::OK();
    try {
      *batch = next_();
      return arrow::Status::OK();
    } catch (const Error& error) {
      return StatusOf(error);
    } catch (const std::exception& error) {
      return arrow::Status::UnknownError(error.what());
    }
  }

  /// Ends the reads that are running.
  arrow::Status Close() override {
    next_ = nullptr;
    return arrow::Status::OK();
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
  NextBatch next_;
};

}  // namespace

std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(TableReader reader) {
  const auto shared = std::make_shared<TableReader>(std::move(reader));
  return ToRecordBatchReader(shared->schema(), [shared] { return shared->Next(); });
}

std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(std::shared_ptr<arrow::Schema> schema,
                                                              NextBatch next) {
  return std::make_shared<ScanBatches>(std::move(schema), std::move(next));
}

void ExportStream(TableReader reader, ArrowArrayStream* out) {
  CheckOk(arrow::ExportRecordBatchReader(ToRecordBatchReader(std::move(reader)), out));
}

}  // namespace nunatak
