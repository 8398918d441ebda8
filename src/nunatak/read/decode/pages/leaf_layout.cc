#include "nunatak/read/decode/pages/leaf_layout.h"

#include <arrow/type.h>

#include <algorithm>

#include "nunatak/read/decode/pages/boolean_output.h"
#include "nunatak/read/decode/pages/fixed_output.h"
#include "nunatak/read/decode/pages/page_values.h"
#include "nunatak/read/decode/pages/text_output.h"

namespace nunatak {

namespace {

using Kind = PlainLayout::Kind;

constexpr size_t kDecimalBytes = 16;
constexpr size_t kInt96Bytes = 12;

bool IsDecimal(const arrow::DataType& type) { return type.id() == arrow::Type::DECIMAL128; }

/// Whether values of `type` are what an integer or a float of `width` bytes holds.
bool IsStoredAsIs(const arrow::DataType& type, size_t width) {
  return arrow::is_primitive(type.id()) && type.byte_width() == static_cast<int>(width);
}

std::optional<PlainLayout> FixedLayoutOf(const arrow::DataType& type, size_t width) {
  if (!IsDecimal(type) && !IsStoredAsIs(type, width)) return std::nullopt;
  return PlainLayout{Kind::kFixed, width};
}

std::optional<PlainLayout> BinaryLayoutOf(const arrow::DataType& type, size_t width) {
  const bool is_decimal = IsDecimal(type) && width <= kDecimalBytes;
  if (width == 0 || (!is_decimal && type.id() != arrow::Type::FIXED_SIZE_BINARY)) {
    return std::nullopt;
  }
  return PlainLayout{Kind::kFixed, width};
}

std::optional<PlainLayout> PlainLayoutOf(const parquet::ColumnDescriptor& column,
                                         const arrow::DataType& type) {
  switch (column.physical_type()) {
    case parquet::Type::BOOLEAN:
      return PlainLayout{Kind::kBoolean, 0};
    case parquet::Type::INT32:
    case parquet::Type::FLOAT:
      return FixedLayoutOf(type, sizeof(int32_t));
    case parquet::Type::INT64:
    case parquet::Type::DOUBLE:
      return FixedLayoutOf(type, sizeof(int64_t));
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return BinaryLayoutOf(type, static_cast<size_t>(std::max(column.type_length(), 0)));
    case parquet::Type::INT96:
      if (type.id() != arrow::Type::TIMESTAMP) return std::nullopt;
      return PlainLayout{Kind::kFixed, kInt96Bytes};
    case parquet::Type::BYTE_ARRAY:
      if (type.id() == arrow::Type::STRING || type.id() == arrow::Type::BINARY) {
        return PlainLayout{Kind::kText, 0};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<LeafLayout> LeafLayoutOf(const parquet::ColumnDescriptor& column,
                                       const arrow::DataType& type) {
  if (column.max_repetition_level() > 0) return std::nullopt;
  const std::optional<PlainLayout> plain = PlainLayoutOf(column, type);
  if (!plain) return std::nullopt;
  return LeafLayout{*plain, column.max_definition_level()};
}

std::unique_ptr<ValueOutput> MakeValueOutput(const parquet::ColumnDescriptor& column,
                                             const std::shared_ptr<arrow::DataType>& type,
                                             const std::shared_ptr<BufferPool>& pool) {
  const PlainLayout plain = *PlainLayoutOf(column, *type);
  if (plain.kind == Kind::kBoolean) return MakeBooleanOutput();
  if (plain.kind == Kind::kText) return MakeTextOutput(type, pool);
  if (column.physical_type() == parquet::Type::INT96) return MakeInt96Output(type, pool);
  if (!IsDecimal(*type)) return MakeFixedOutput(type, plain.width, pool);
  if (column.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY) {
    return MakeBinaryDecimalOutput(type, plain.width, pool);
  }
  return MakeIntegerDecimalOutput(type, plain.width, pool);
}

bool CanReadPages(const LeafLayout& layout, const std::vector<ParquetPage>& pages) {
  return std::all_of(pages.begin(), pages.end(), [&](const ParquetPage& page) {
    if (!page.is_data)
      return page.encoding == PageEncoding::kPlain ||
             page.encoding == PageEncoding::kPlainDictionary;
    return CanReadPage(layout.plain, page.encoding) &&
           (page.is_v2 || layout.max_definition == 0 ||
            page.definition_encoding == PageEncoding::kRle);
  });
}

}  // namespace nunatak
