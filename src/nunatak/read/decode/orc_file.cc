#include "nunatak/read/decode/orc_file.h"

#include <arrow/adapters/orc/adapter.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/orc_schema.h"
#include "nunatak/read/decode/orc_stripe.h"
#include "nunatak/read/decode/orc_tail.h"
#include "nunatak/read/decode/select_rows.h"
#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

namespace {

/// What compressed data is taken to inflate to: the footer does not say how large a stripe is.
constexpr double kInflation = 4;

void CheckRead(const arrow::Status& status) {
  if (status.message().find("out of range for nanosecond") != std::string::npos) {
    ThrowUnsupported(status.message(),
                     "timestamps in ORC files are read between the years 1678 and 2261");
  }
  CheckOk(status);
}

}  // namespace

class OrcFile::Impl {
 public:
  Impl(int64_t file_size, const Buffer& tail, const DecodeOptions& options)
      : tail_bytes_(tail), tail_(tail.bytes), options_(options) {
    OpenTail(file_size);
    reader_ = ValueOrThrow(
        arrow::adapters::orc::ORCFileReader::Open(source_, arrow::default_memory_pool()));
    fields_ = OrcFieldsOf(ValueOrThrow(reader_->ReadSchema())->fields());
    for (int64_t i = 0; i < reader_->NumberOfStripes(); ++i) AddStripe(i, file_size);
    CheckRows();
    source_->Clear();
  }

  void FinishSelection() {
    nunatak::FinishSelection(fields_);
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (!fields_[i].selected) continue;
      RefuseUnsafe(fields_[i]);
      selected_.push_back(static_cast<int>(i));
    }
  }

  std::vector<ByteRange> RangesOf(size_t stripe) const {
    if (selected_.empty()) return {};
    return {{stripes_[stripe].start, lengths_[stripe]}};
  }

  void StartSection(size_t stripe) {
    stripe_ = stripe;
    rows_left_ = stripes_[stripe].rows;
    batch_rows_ = BatchRows(stripe);
    batches_.reset();
    if (selected_.empty() || rows_left_ == 0) return;
    Check(stripe);
    CheckOk(reader_->Seek(stripes_[stripe].first_row));
    batches_ = ValueOrThrow(reader_->NextStripeReader(batch_rows_, selected_));
  }

  RowRange NextRows() {
    if (rows_left_ == 0) return {};
    batch_ = selected_.empty() ? nullptr : NextSelected();
    int64_t rows = batch_ == nullptr ? 0 : batch_->num_rows();
    if (selected_.empty()) rows = std::min(rows_left_, batch_rows_);
    if (rows == 0 || rows > rows_left_) {
      ThrowInvalid(
          fmt::format("the columns of the stripe at byte offset {} do not have its {} rows",
                      stripes_[stripe_].start, stripes_[stripe_].rows));
    }
    const int64_t first = stripes_[stripe_].rows - rows_left_;
    rows_left_ -= rows;
    return {first, first + rows};
  }

  std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) const {
    return SelectRows(batch_->column(field), rows);
  }

  /// The first selected column of the stripe that cannot be decoded by itself.
  std::optional<std::string> FindDamagedColumn() {
    for (const int column : selected_) {
      try {
        GuardArrow([&] { DecodeAlone(column); });
      } catch (const Error&) {
        return fmt::format("column {}", fields_[static_cast<size_t>(column)].name);
      }
    }
    return std::nullopt;
  }

  std::vector<FileField> fields_;
  std::vector<FileSection> stripes_;
  std::shared_ptr<SparseFile> source_;

 private:
  /// Makes the file end in another tail, which may be longer than its own.
  void OpenTail(int64_t file_size) {
    const std::vector<uint8_t> end = tail_.WithoutIndexes();
    const ByteSpan tail = tail_bytes_.bytes;
    const int64_t start = file_size - static_cast<int64_t>(tail.size());
    const int64_t replaced = OrcTailSize(file_size, tail);
    std::vector<uint8_t> bytes(tail.begin(), tail.end() - static_cast<std::ptrdiff_t>(replaced));
    bytes.insert(bytes.end(), end.begin(), end.end());
    source_ = std::make_shared<SparseFile>(start + static_cast<int64_t>(bytes.size()));
    source_->Add(start, Buffer::From(std::move(bytes)));
  }

  /// Arrow's reader believes what a stripe says of itself.
  void Check(size_t stripe) const {
    const OrcStripe& parts = tail_.stripes().at(stripe);
    const Buffer bytes = source_->From(stripes_[stripe].start);
    const auto length = static_cast<uint64_t>(lengths_[stripe]);
    const uint64_t data = length - std::min(length, parts.footer_length);
    if (bytes.size() < length || parts.index_length > data ||
        parts.data_length != data - parts.index_length) {
      ThrowInvalid(fmt::format("the parts of stripe {} do not have its {} bytes", stripe, length));
    }
    WithContext(fmt::format("stripe {}", stripe),
                [&] { CheckStripe(tail_, parts, bytes.bytes, selected_); });
  }

  void DecodeAlone(int column) {
    CheckOk(reader_->Seek(stripes_[stripe_].first_row));
    const auto batches = ValueOrThrow(reader_->NextStripeReader(batch_rows_, {column}));
    std::shared_ptr<arrow::RecordBatch> batch;
    do {
      CheckOk(batches->ReadNext(&batch));
    } while (batch != nullptr);
  }

  void AddStripe(int64_t number, int64_t file_size) {
    const arrow::adapters::orc::StripeInformation stripe = reader_->GetStripeInformation(number);
    const int64_t first_row =
        stripes_.empty() ? 0 : stripes_.back().first_row + stripes_.back().rows;
    const bool inside = stripe.offset >= 0 && stripe.length >= 0 && stripe.offset <= file_size &&
                        stripe.length <= file_size - stripe.offset;
    // Arrow's reader finds a stripe by its offset, and trusts that it is the one.
    const bool in_order =
        stripes_.empty() || stripe.offset >= stripes_.back().start + lengths_.back();
    const bool has_bytes = stripe.length > 0 || stripe.num_rows == 0;
    if (!inside || !in_order || !has_bytes || stripe.num_rows < 0 ||
        stripe.num_rows > std::numeric_limits<int64_t>::max() - first_row) {
      ThrowInvalid(
          fmt::format("stripe {} of {} rows has {} bytes at byte offset {}, in a file of {}",
                      number, stripe.num_rows, stripe.length, stripe.offset, file_size));
    }
    stripes_.push_back({stripe.num_rows, first_row, stripe.offset});
    lengths_.push_back(stripe.length);
  }

  void CheckRows() const {
    const int64_t rows = stripes_.empty() ? 0 : stripes_.back().first_row + stripes_.back().rows;
    if (rows == reader_->NumberOfRows()) return;
    ThrowInvalid(fmt::format("stripes of {} rows together, where the footer says {}", rows,
                             reader_->NumberOfRows()));
  }

  /// Null at the end of the stripe.
  std::shared_ptr<arrow::RecordBatch> NextSelected() {
    std::shared_ptr<arrow::RecordBatch> decoded;
    CheckRead(batches_->ReadNext(&decoded));
    if (decoded == nullptr) return nullptr;
    std::vector<std::shared_ptr<arrow::ArrayData>> columns;
    arrow::FieldVector types;
    for (size_t i = 0; i < selected_.size(); ++i) {
      const FileField& field = fields_[static_cast<size_t>(selected_[i])];
      columns.push_back(SelectedOf(field, decoded->column_data(static_cast<int>(i))));
      types.push_back(arrow::field(field.name, columns.back()->type));
    }
    return arrow::RecordBatch::Make(arrow::schema(std::move(types)), decoded->num_rows(),
                                    std::move(columns));
  }

  /// So many rows of a stripe that they take about `batch_bytes`.
  int64_t BatchRows(size_t stripe) const {
    const double rows = static_cast<double>(std::max<int64_t>(stripes_[stripe].rows, 1));
    const double row_bytes = static_cast<double>(lengths_[stripe]) * kInflation / rows;
    const double fitting = static_cast<double>(options_.batch_bytes) / std::max(row_bytes, 1.0);
    return static_cast<int64_t>(
        std::clamp(fitting, 1.0, std::max(static_cast<double>(options_.batch_size), 1.0)));
  }

  /// To which `tail_` refers.
  Buffer tail_bytes_;
  OrcTail tail_;
  DecodeOptions options_;
  std::unique_ptr<arrow::adapters::orc::ORCFileReader> reader_;
  /// Of each stripe, in bytes.
  std::vector<int64_t> lengths_;
  /// The top-level fields that are decoded, ascending.
  std::vector<int> selected_;
  size_t stripe_ = 0;
  int64_t rows_left_ = 0;
  int64_t batch_rows_ = 1;
  /// Null while no field is selected.
  std::shared_ptr<arrow::RecordBatchReader> batches_;
  /// The last of them.
  std::shared_ptr<arrow::RecordBatch> batch_;
};

OrcFile::OrcFile(int64_t file_size, const Buffer& tail, const DecodeOptions& options)
    : impl_(GuardArrow([&] { return std::make_unique<Impl>(file_size, tail, options); })) {}

OrcFile::~OrcFile() = default;

std::vector<FileField>& OrcFile::fields() { return impl_->fields_; }
std::span<const FileSection> OrcFile::sections() const { return impl_->stripes_; }
void OrcFile::FinishSelection() { impl_->FinishSelection(); }
std::vector<ByteRange> OrcFile::RangesOf(size_t stripe, std::span<const RowRange> /*rows*/) const {
  return impl_->RangesOf(stripe);
}

void OrcFile::Fill(int64_t offset, Buffer bytes) { impl_->source_->Add(offset, std::move(bytes)); }

void OrcFile::Release() { impl_->source_->Clear(); }

void OrcFile::StartSection(size_t stripe, std::vector<RowRange>) {
  GuardArrow([&] { impl_->StartSection(stripe); });
}

RowRange OrcFile::NextRows() {
  try {
    return GuardArrow([&] { return impl_->NextRows(); });
  } catch (Error& error) {
    // Arrow's errors do not say which column they are about.
    const std::optional<std::string> column = impl_->FindDamagedColumn();
    if (column) error.AddContext(*column);
    throw;
  }
}

std::shared_ptr<arrow::Array> OrcFile::Read(int field, const RowSelection& rows) {
  return GuardArrow([&] { return impl_->Read(field, rows); });
}

}  // namespace nunatak
