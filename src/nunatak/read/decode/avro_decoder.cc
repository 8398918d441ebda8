#include "nunatak/read/decode/avro_decoder.h"

#include <arrow/array.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/avro/container.h"
#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/avro_schema.h"
#include "nunatak/read/decode/select_rows.h"

namespace nunatak {

namespace {

/// Records that take no bytes, which only unknown columns have, are refused beyond this number a
/// block: no size bounds them.
constexpr int64_t kMaxZeroSizeRecords = 1 << 20;

}  // namespace

AvroDecoder::AvroDecoder(const avro::ContainerHeader& header, int64_t file_size, Buffer head,
                         const DecodeOptions& options)
    : options_(options),
      schema_(avro::Schema::Parse(header.schema_json)),
      codec_(*header.codec),
      fields_(FileFieldsOf(schema_->root())),
      blocks_(header, file_size, std::move(head), options.window_bytes) {}

void AvroDecoder::Start(const FilePart& part) {
  FinishSelection(fields_);
  records_ = MakeAvroRecord(schema_->root(), fields_, build_);
  blocks_.Start(part);
  in_window_ = !blocks_.done();
}

RowSpan AvroDecoder::Next() {
  return GuardArrow([&]() -> RowSpan {
    while (in_window_ && !IsBatchFull()) {
      if (record_ == block_records_ && !BeginBlock()) break;
      ReadRecords();
    }
    if (batch_rows_ > 0) return TakeBatch();
    // What comes next is another window, if there is one.
    in_window_ = !blocks_.done();
    return {};
  });
}

/// False at the end of the window.
bool AvroDecoder::BeginBlock() {
  const std::optional<AvroBlocks::PositionedBlock> next = blocks_.Next();
  if (!next) {
    in_window_ = false;
    return false;
  }
  const avro::Block block = avro::Inflate(next->block, codec_, decompressor_, inflated_);
  const int64_t most = std::max(static_cast<int64_t>(block.bytes.size()), kMaxZeroSizeRecords);
  if (block.count > most) {
    ThrowInvalid(fmt::format("avro block at byte {}: {} records do not fit its {} bytes",
                             block.file_offset, block.count, block.bytes.size()));
  }
  in_ = AvroInput(block.bytes);
  block_offset_ = block.file_offset;
  block_records_ = block.count;
  record_ = 0;
  if (batch_rows_ == 0) next_row_ = next->first_row;
  return true;
}

void AvroDecoder::ReadRecords() {
  try {
    for (; record_ < block_records_ && !IsBatchFull(); ++record_, ++batch_rows_) {
      const int64_t unread = in_.position() - in_.skipped();
      records_->Read(in_);
      batch_bytes_ += in_.position() - in_.skipped() - unread;
    }
    if (record_ == block_records_ && !in_.AtEnd()) in_.Fail("bytes after the last record");
  } catch (Error& error) {
    error.AddContext(fmt::format("avro block at byte {}, record {}", block_offset_, record_));
    throw;
  }
}

bool AvroDecoder::IsBatchFull() const {
  return batch_rows_ > 0 && (batch_rows_ >= options_.batch_size ||
                             batch_bytes_ + build_.null_bytes >= options_.batch_bytes);
}

RowSpan AvroDecoder::TakeBatch() {
  columns_ = records_->Finish()->child_data;
  next_row_ += batch_rows_;
  const RowSpan rows{next_row_ - batch_rows_, batch_rows_};
  batch_rows_ = 0;
  batch_bytes_ = 0;
  build_.null_bytes = 0;
  return rows;
}

std::shared_ptr<arrow::Array> AvroDecoder::Read(int field, const RowSelection& rows) {
  return SelectRows(arrow::MakeArray(columns_.at(static_cast<size_t>(field))), rows);
}

}  // namespace nunatak
