#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/avro/codec.h"
#include "nunatak/avro/container_reader.h"
#include "nunatak/avro/schema.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/avro_blocks.h"
#include "nunatak/read/decode/avro_column.h"
#include "nunatak/read/decode/avro_input.h"
#include "nunatak/read/decode/file_decoder.h"

namespace nunatak {

/// Decodes an Avro object container file. Batches may span blocks, not windows.
class NUNATAK_EXPORT AvroDecoder final : public FileDecoder {
 public:
  /// `head` are the first bytes of the file, from which `header` was parsed.
  AvroDecoder(const avro::ContainerHeader& header, int64_t file_size, Buffer head,
              const DecodeOptions& options);

  std::vector<FileField>& fields() override { return fields_; }
  void Start(const FilePart& part) override;
  bool done() const override { return blocks_.done() && !in_window_; }
  const std::vector<ByteRange>& needed() const override { return blocks_.needed(); }
  void Fill(std::vector<Buffer> buffers) override { blocks_.Fill(std::move(buffers)); }
  RowSpan Next() override;
  std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) override;

 private:
  bool BeginBlock();
  void ReadRecords();
  bool IsBatchFull() const;
  RowSpan TakeBatch();

  DecodeOptions options_;
  std::shared_ptr<const avro::Schema> schema_;
  const avro::Codec& codec_;
  std::vector<FileField> fields_;
  AvroBlocks blocks_;
  AvroBuild build_;
  std::unique_ptr<AvroColumn> records_;

  avro::Decompressor decompressor_;
  avro::ByteBuffer inflated_;
  /// Whether the current window was not exhausted, as callers see it.
  bool in_window_ = false;
  /// The current block: its records from `record_` on are still to be read.
  AvroInput in_;
  int64_t block_offset_ = 0;
  int64_t block_records_ = 0;
  int64_t record_ = 0;

  /// The batch so far.
  int64_t batch_rows_ = 0;
  int64_t batch_bytes_ = 0;
  /// The last batch that is complete.
  std::vector<std::shared_ptr<arrow::ArrayData>> columns_;
  /// The position in the file of the next record.
  int64_t next_row_ = 0;
};

}  // namespace nunatak
