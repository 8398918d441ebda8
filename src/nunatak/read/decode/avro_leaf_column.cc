#include <arrow/builder.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/int128.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/avro_column.h"

namespace nunatak {

namespace {

using avro::Node;

/// `kRead(in, node)` reads one value in a form that the builder takes.
template <typename Builder, auto kRead>
class LeafColumn final : public AvroColumn {
 public:
  LeafColumn(const Node& node, const std::shared_ptr<arrow::DataType>& type, AvroBuild& build)
      : node_(node), build_(build), builder_(type, arrow::default_memory_pool()) {}

  void Read(AvroInput& in) override { CheckOk(builder_.Append(kRead(in, node_))); }

  void AppendNull() override {
    build_.null_bytes += std::max<int64_t>(node_.size, sizeof(int64_t));
    if (build_.null_bytes > AvroBuild::kMaxNullBytes) {
      ThrowUnsupported(
          fmt::format("the nulls of one record take more than {} bytes", AvroBuild::kMaxNullBytes));
    }
    CheckOk(builder_.AppendNull());
  }

  std::shared_ptr<arrow::ArrayData> Finish() override {
    std::shared_ptr<arrow::ArrayData> data;
    CheckOk(builder_.FinishInternal(&data));
    return data;
  }

 private:
  const Node& node_;
  AvroBuild& build_;
  Builder builder_;
};

/// Nulls take no bytes.
class NullColumn final : public AvroColumn {
 public:
  void Read(AvroInput&) override { AppendNull(); }
  void AppendNull() override { CheckOk(builder_.AppendNull()); }

  std::shared_ptr<arrow::ArrayData> Finish() override {
    std::shared_ptr<arrow::ArrayData> data;
    CheckOk(builder_.FinishInternal(&data));
    return data;
  }

 private:
  arrow::NullBuilder builder_;
};

bool ReadBoolean(AvroInput& in, const Node&) { return in.Boolean(); }
int32_t ReadInt(AvroInput& in, const Node&) { return in.Int(); }
int64_t ReadLong(AvroInput& in, const Node&) { return in.Long(); }
float ReadFloat(AvroInput& in, const Node&) { return in.Number<float>(); }
double ReadDouble(AvroInput& in, const Node&) { return in.Number<double>(); }
std::string_view ReadSized(AvroInput& in, const Node&) { return in.Sized(); }
std::string_view ReadFixed(AvroInput& in, const Node& node) { return AsText(in.Bytes(node.size)); }

std::string_view ReadSymbol(AvroInput& in, const Node& node) {
  const int64_t symbol = in.Long();
  if (symbol < 0 || symbol >= static_cast<int64_t>(node.symbols.size())) {
    in.Fail(fmt::format("symbol {} of an enum of {}", symbol, node.symbols.size()));
  }
  return node.symbols[static_cast<size_t>(symbol)];
}

arrow::Decimal128 ReadDecimal(AvroInput& in, const Node& node) {
  const std::string_view bytes = node.type == avro::Type::kFixed ? ReadFixed(in, node) : in.Sized();
  const std::optional<Int128> value = FromBigEndian(AsBytes(bytes));
  const Int128 bound = PowerOfTen(node.precision);
  if (!value || *value >= bound || *value <= -bound) {
    in.Fail(fmt::format("the {} bytes before are not a decimal of precision {}", bytes.size(),
                        node.precision));
  }
  return {static_cast<int64_t>(*value >> 64), static_cast<uint64_t>(*value)};
}

template <typename Builder, auto kRead>
std::unique_ptr<AvroColumn> Make(const Node& node, const std::shared_ptr<arrow::DataType>& type,
                                 AvroBuild& build) {
  return std::make_unique<LeafColumn<Builder, kRead>>(node, type, build);
}

}  // namespace

std::unique_ptr<AvroColumn> MakeAvroLeaf(const Node& node,
                                         const std::shared_ptr<arrow::DataType>& type,
                                         AvroBuild& build) {
  const bool is_enum = node.type == avro::Type::kEnum;
  switch (type->id()) {
    case arrow::Type::BOOL:
      return Make<arrow::BooleanBuilder, ReadBoolean>(node, type, build);
    case arrow::Type::INT32:
      return Make<arrow::Int32Builder, ReadInt>(node, type, build);
    case arrow::Type::DATE32:
      return Make<arrow::Date32Builder, ReadInt>(node, type, build);
    case arrow::Type::TIME32:
      return Make<arrow::Time32Builder, ReadInt>(node, type, build);
    case arrow::Type::INT64:
      return Make<arrow::Int64Builder, ReadLong>(node, type, build);
    case arrow::Type::TIME64:
      return Make<arrow::Time64Builder, ReadLong>(node, type, build);
    case arrow::Type::TIMESTAMP:
      return Make<arrow::TimestampBuilder, ReadLong>(node, type, build);
    case arrow::Type::FLOAT:
      return Make<arrow::FloatBuilder, ReadFloat>(node, type, build);
    case arrow::Type::DOUBLE:
      return Make<arrow::DoubleBuilder, ReadDouble>(node, type, build);
    case arrow::Type::DECIMAL128:
      return Make<arrow::Decimal128Builder, ReadDecimal>(node, type, build);
    case arrow::Type::BINARY:
      return Make<arrow::BinaryBuilder, ReadSized>(node, type, build);
    case arrow::Type::STRING:
      return is_enum ? Make<arrow::StringBuilder, ReadSymbol>(node, type, build)
                     : Make<arrow::StringBuilder, ReadSized>(node, type, build);
    case arrow::Type::FIXED_SIZE_BINARY:
      return Make<arrow::FixedSizeBinaryBuilder, ReadFixed>(node, type, build);
    default:
      return std::make_unique<NullColumn>();
  }
}

}  // namespace nunatak
