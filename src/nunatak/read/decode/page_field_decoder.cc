#include "nunatak/read/decode/page_field_decoder.h"

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/leaf_layout.h"
#include "nunatak/read/decode/pages/pack_bits.h"
#include "nunatak/read/decode/pages/page_values.h"

namespace nunatak {

namespace {

/// A part of a field: a leaf, or a struct of parts.
class Part : public FieldDecoder {
 public:
  /// Those of a leaf in it; none where all rows have values.
  virtual std::span<const uint8_t> levels() const = 0;
};

class LeafPart final : public Part {
 public:
  LeafPart(std::string name, LeafDecoder leaf) : name_(std::move(name)), leaf_(std::move(leaf)) {}

  std::shared_ptr<arrow::ArrayData> Read(const RowSelection& rows) override {
    return WithContext(name_, [&] { return leaf_.Read(rows); });
  }
  void Skip(int64_t rows) override { leaf_.Skip(rows); }
  std::span<const uint8_t> levels() const override { return leaf_.levels(); }

 private:
  std::string name_;
  LeafDecoder leaf_;
};

class StructPart final : public Part {
 public:
  /// `level` is the definition level from which the struct is not null.
  StructPart(std::shared_ptr<arrow::DataType> type, int level,
             std::vector<std::unique_ptr<Part>> parts)
      : type_(std::move(type)), level_(level), parts_(std::move(parts)) {}

  std::shared_ptr<arrow::ArrayData> Read(const RowSelection& rows) override {
    std::vector<std::shared_ptr<arrow::ArrayData>> children;
    for (const std::unique_ptr<Part>& part : parts_) children.push_back(part->Read(rows));
    std::vector<uint8_t> valid;
    for (const uint8_t level : levels()) valid.push_back(level >= level_ ? 1 : 0);
    const auto nulls = std::count(valid.begin(), valid.end(), uint8_t{0});
    return arrow::ArrayData::Make(type_, rows.count(), {nulls > 0 ? PackBits(valid) : nullptr},
                                  std::move(children), nulls);
  }
  void Skip(int64_t rows) override {
    for (const std::unique_ptr<Part>& part : parts_) part->Skip(rows);
  }
  std::span<const uint8_t> levels() const override { return parts_[0]->levels(); }

 private:
  std::shared_ptr<arrow::DataType> type_;
  int level_;
  std::vector<std::unique_ptr<Part>> parts_;
};

class PartBuilder {
 public:
  PartBuilder(const parquet::SchemaDescriptor& columns, const ChunkOfLeaf& chunk_of,
              bool verify_crc, std::shared_ptr<BufferPool> pool)
      : columns_(columns), chunk_of_(chunk_of), verify_crc_(verify_crc), pool_(std::move(pool)) {}

  /// Null for what is only for Arrow's reader.
  std::unique_ptr<Part> Build(const parquet::arrow::SchemaField& schema, const FileField& field) {
    if (field.is_leaf()) return BuildLeaf(field);
    if (field.type->id() != arrow::Type::STRUCT) return nullptr;
    std::vector<std::unique_ptr<Part>> parts;
    arrow::FieldVector fields;
    for (size_t i = 0; i < field.children.size(); ++i) {
      if (!field.children[i].selected) continue;
      std::unique_ptr<Part> part = Build(schema.children[i], field.children[i]);
      if (part == nullptr) return nullptr;
      parts.push_back(std::move(part));
      fields.push_back(schema.children[i].field->WithType(types_.back()));
      types_.pop_back();
    }
    types_.push_back(arrow::struct_(fields));
    return std::make_unique<StructPart>(types_.back(), schema.level_info.def_level,
                                        std::move(parts));
  }

 private:
  std::unique_ptr<Part> BuildLeaf(const FileField& field) {
    const parquet::ColumnDescriptor& column = *columns_.Column(field.leaf);
    const std::shared_ptr<arrow::DataType> type =
        field.wants_nanoseconds ? arrow::timestamp(arrow::TimeUnit::NANO) : field.type;
    const std::optional<LeafLayout> layout = LeafLayoutOf(column, *type);
    if (!layout) return nullptr;
    PageChunk chunk = chunk_of_(field.leaf);
    if (!CanReadPages(*layout, chunk.pages)) return nullptr;
    types_.push_back(type);
    return std::make_unique<LeafPart>(
        fmt::format("column {}", column.path()->ToDotString()),
        LeafDecoder(*layout, MakeValueOutput(column, type, pool_), std::move(chunk), verify_crc_));
  }

  const parquet::SchemaDescriptor& columns_;
  const ChunkOfLeaf& chunk_of_;
  bool verify_crc_;
  std::shared_ptr<BufferPool> pool_;
  /// Of the parts that were built and are not yet in a struct: their types, pruned.
  std::vector<std::shared_ptr<arrow::DataType>> types_;
};

/// Whether pages of the encodings are read; some are of levels.
bool CanReadEncodings(const LeafLayout& layout, const parquet::ColumnChunkMetaData& chunk) {
  const std::vector<parquet::Encoding::type>& encodings = chunk.encodings();
  return std::all_of(encodings.begin(), encodings.end(), [&](parquet::Encoding::type encoding) {
    return encoding == parquet::Encoding::RLE || encoding == parquet::Encoding::BIT_PACKED ||
           CanReadPage(layout.plain, static_cast<PageEncoding>(encoding));
  });
}

bool AppendPagedLeaves(const FileField& field, const parquet::RowGroupMetaData& group,
                       std::vector<int>* leaves) {
  if (field.is_leaf()) {
    const auto layout = LeafLayoutOf(*group.schema()->Column(field.leaf), *field.type);
    if (!layout || !CanReadEncodings(*layout, *group.ColumnChunk(field.leaf))) return false;
    leaves->push_back(field.leaf);
    return true;
  }
  return field.type->id() == arrow::Type::STRUCT &&
         std::all_of(field.children.begin(), field.children.end(), [&](const FileField& child) {
           return !child.selected || AppendPagedLeaves(child, group, leaves);
         });
}

}  // namespace

std::vector<int> PagedLeavesOf(const FileField& field, const parquet::RowGroupMetaData& group) {
  std::vector<int> leaves;
  if (!field.selected || !AppendPagedLeaves(field, group, &leaves)) leaves.clear();
  return leaves;
}

std::unique_ptr<FieldDecoder> MakePageFieldDecoder(const parquet::arrow::SchemaField& schema,
                                                   const FileField& field,
                                                   const parquet::SchemaDescriptor& columns,
                                                   const ChunkOfLeaf& chunk_of, bool verify_crc,
                                                   const std::shared_ptr<BufferPool>& pool) {
  return PartBuilder(columns, chunk_of, verify_crc, pool).Build(schema, field);
}

}  // namespace nunatak
