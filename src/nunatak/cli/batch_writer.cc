#include "nunatak/cli/batch_writer.h"

#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/util/byte_size.h>
#include <parquet/arrow/writer.h>

#include <exception>
#include <utility>

#include "nunatak/cli/output.h"
#include "nunatak/cli/required_fields.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak::cli {

namespace {

/// A stream as Arrow's writers see it. Arrow passes errors on as texts; the error itself is kept.
class StreamSink final : public arrow::io::OutputStream {
 public:
  explicit StreamSink(std::FILE* stream) : stream_(stream) {}

  arrow::Status Write(const void* data, int64_t size) override {
    const auto count = static_cast<size_t>(size);
    if (std::fwrite(data, 1, count, stream_) != count) return Failed();
    position_ += size;
    return arrow::Status::OK();
  }
  arrow::Status Flush() override {
    return std::fflush(stream_) == 0 ? arrow::Status::OK() : Failed();
  }
  arrow::Status Close() override {
    closed_ = true;
    return Flush();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }

  /// Throws what went wrong with the stream, else with the writer.
  void Check(const arrow::Status& status) const {
    if (error_) std::rethrow_exception(error_);
    CheckOk(status);
  }
  template <typename T>
  T Value(arrow::Result<T> result) const {
    Check(result.status());
    return std::move(result).ValueUnsafe();
  }

 private:
  arrow::Status Failed() {
    try {
      ThrowWriteError();
    } catch (...) {
      error_ = std::current_exception();
    }
    return arrow::Status::IOError("cannot write");
  }

  std::FILE* stream_;
  int64_t position_ = 0;
  bool closed_ = false;
  std::exception_ptr error_;
};

class ArrowWriter final : public BatchWriter {
 public:
  ArrowWriter(std::FILE* stream, const std::shared_ptr<arrow::Schema>& schema, ArrowForm form)
      : sink_(std::make_shared<StreamSink>(stream)),
        writer_(sink_->Value(form == ArrowForm::kStream
                                 ? arrow::ipc::MakeStreamWriter(sink_, schema)
                                 : arrow::ipc::MakeFileWriter(sink_, schema))) {}

  void Write(const arrow::RecordBatch& batch) override {
    sink_->Check(writer_->WriteRecordBatch(batch));
    sink_->Check(sink_->Flush());
  }

  void Finish() override {
    sink_->Check(writer_->Close());
    sink_->Check(sink_->Close());
  }

 private:
  std::shared_ptr<StreamSink> sink_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class ParquetWriter final : public BatchWriter {
 public:
  ParquetWriter(std::FILE* stream, const std::shared_ptr<arrow::Schema>& schema,
                int64_t row_group_bytes)
      : sink_(std::make_shared<StreamSink>(stream)), row_group_bytes_(row_group_bytes) {
    const auto properties =
        parquet::WriterProperties::Builder().compression(arrow::Compression::ZSTD)->build();
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    writer_ = sink_->Value(parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(),
                                                            sink_, properties, arrow_properties));
  }

  void Write(const arrow::RecordBatch& batch) override {
    if (held_bytes_ >= row_group_bytes_) {
      sink_->Check(writer_->NewBufferedRowGroup());
      held_bytes_ = 0;
    }
    sink_->Check(writer_->WriteRecordBatch(*WithoutNullsBelowNulls(batch)));
    held_bytes_ += sink_->Value(arrow::util::ReferencedBufferSize(batch));
  }

  void Finish() override {
    sink_->Check(writer_->Close());
    sink_->Check(sink_->Close());
  }

 private:
  std::shared_ptr<StreamSink> sink_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  int64_t row_group_bytes_;
  int64_t held_bytes_ = 0;
};

}  // namespace

std::unique_ptr<BatchWriter> MakeArrowWriter(std::FILE* stream,
                                             const std::shared_ptr<arrow::Schema>& schema,
                                             ArrowForm form) {
  return GuardArrow([&] { return std::make_unique<ArrowWriter>(stream, schema, form); });
}

std::unique_ptr<BatchWriter> MakeParquetWriter(std::FILE* stream,
                                               const std::shared_ptr<arrow::Schema>& schema,
                                               int64_t row_group_bytes) {
  return GuardArrow(
      [&] { return std::make_unique<ParquetWriter>(stream, schema, row_group_bytes); });
}

}  // namespace nunatak::cli
