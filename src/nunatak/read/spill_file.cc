#include "nunatak/read/spill_file.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr int kTypeBits = 2;

[[noreturn]] void ThrowSpill(std::string_view what, const std::string& why) {
  throw Error(ErrorCode::kIo,
              fmt::format("{} a temporary file in {}: {}", what,
                          std::filesystem::temp_directory_path().string(), why),
              "TMPDIR names another directory; more memory (--memory) needs fewer such files");
}

template <typename T>
T SpillValue(arrow::Result<T> result) {
  if (!result.ok()) ThrowSpill("cannot use", result.status().message());
  return std::move(result).ValueUnsafe();
}

void SpillOk(const arrow::Status& status) {
  if (!status.ok()) ThrowSpill("cannot use", status.message());
}

/// A file without a name; the caller closes it.
int OpenNamelessFile() {
  std::string name = (std::filesystem::temp_directory_path() / "nunatak-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) ThrowSpill("cannot create", std::strerror(errno));
  ::unlink(name.c_str());
  return descriptor;
}

/// The same values as another type of the same layout: what is written of an extension type comes
/// back as its storage, where nobody registered it.
std::shared_ptr<arrow::ArrayData> Retype(const arrow::ArrayData& data,
                                         const std::shared_ptr<arrow::DataType>& type) {
  std::shared_ptr<arrow::ArrayData> copy = data.Copy();
  copy->type = type;
  const arrow::DataType* storage = type.get();
  if (type->id() == arrow::Type::EXTENSION) {
    storage = static_cast<const arrow::ExtensionType&>(*type).storage_type().get();
  }
  for (size_t i = 0; i < copy->child_data.size(); ++i) {
    copy->child_data[i] = Retype(*copy->child_data[i], storage->field(static_cast<int>(i))->type());
  }
  return copy;
}

std::shared_ptr<arrow::Array> MarksOf(const std::vector<RowMark>& marks) {
  std::vector<int64_t> values;
  for (const RowMark& mark : marks) {
    values.push_back(int64_t{mark.snapshot} << kTypeBits | static_cast<int64_t>(mark.type));
  }
  return std::make_shared<arrow::Int64Array>(static_cast<int64_t>(marks.size()),
                                             arrow::Buffer::FromVector(std::move(values)));
}

class SpilledRows final : public ChangedRowsStream {
 public:
  SpilledRows(std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader,
              std::shared_ptr<arrow::Schema> schema)
      : reader_(std::move(reader)), schema_(std::move(schema)) {}

  std::optional<ChangedRows> Next() override {
    const auto batch = SpillValue(reader_->Next());
    if (batch == nullptr) return std::nullopt;
    ChangedRows rows;
    arrow::ArrayVector columns;
    for (int i = 0; i < schema_->num_fields(); ++i) {
      columns.push_back(
          arrow::MakeArray(Retype(*batch->column_data(i), schema_->field(i)->type())));
    }
    const auto& marks =
        static_cast<const arrow::Int64Array&>(*batch->column(schema_->num_fields()));
    for (int64_t i = 0; i < batch->num_rows(); ++i) {
      const int64_t mark = marks.Value(i);
      rows.marks.push_back({.type = static_cast<ChangeType>(mark & ((1 << kTypeBits) - 1)),
                            .snapshot = static_cast<int32_t>(mark >> kTypeBits)});
    }
    rows.batch = arrow::RecordBatch::Make(schema_, batch->num_rows(), std::move(columns));
    return rows;
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

class SpillFile::Impl {
 public:
  explicit Impl(std::shared_ptr<arrow::Schema> schema) : schema_(std::move(schema)) {
    const int descriptor = OpenNamelessFile();
    // Reading begins at the beginning of the same open file.
    output_ = SpillValue(arrow::io::FileOutputStream::Open(descriptor));
    // Both have one position in the file.
    const int second = ::dup(descriptor);
    if (second < 0) ThrowSpill("cannot open", std::strerror(errno));
    input_ = SpillValue(arrow::io::ReadableFile::Open(second));
    arrow::FieldVector fields = schema_->fields();
    fields.push_back(arrow::field("", arrow::int64()));
    marked_schema_ = arrow::schema(std::move(fields));
    writer_ = SpillValue(arrow::ipc::MakeStreamWriter(output_, marked_schema_));
  }

  void Write(const ChangedRows& rows) {
    arrow::ArrayVector columns = rows.batch->columns();
    columns.push_back(MarksOf(rows.marks));
    const auto batch = arrow::RecordBatch::Make(marked_schema_, rows.batch->num_rows(), columns);
    SpillOk(writer_->WriteRecordBatch(*batch));
    bytes_ += arrow::util::TotalBufferSize(*batch);
  }

  int64_t bytes() const { return bytes_; }

  std::unique_ptr<ChangedRowsStream> Read() {
    SpillOk(writer_->Close());
    SpillOk(output_->Close());
    SpillOk(input_->Seek(0));
    return std::make_unique<SpilledRows>(
        SpillValue(arrow::ipc::RecordBatchStreamReader::Open(input_)), schema_);
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
  /// With the marks behind it.
  std::shared_ptr<arrow::Schema> marked_schema_;
  std::shared_ptr<arrow::io::ReadableFile> input_;
  std::shared_ptr<arrow::io::FileOutputStream> output_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  int64_t bytes_ = 0;
};

SpillFile::SpillFile(std::shared_ptr<arrow::Schema> schema)
    : impl_(std::make_unique<Impl>(std::move(schema))) {}
SpillFile::~SpillFile() = default;
SpillFile::SpillFile(SpillFile&&) noexcept = default;

void SpillFile::Write(const ChangedRows& rows) { impl_->Write(rows); }
int64_t SpillFile::bytes() const { return impl_->bytes(); }
std::unique_ptr<ChangedRowsStream> SpillFile::Read() { return impl_->Read(); }

}  // namespace nunatak
