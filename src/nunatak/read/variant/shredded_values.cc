#include "nunatak/read/variant/shredded_values.h"

#include <arrow/array.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

using Shape = VariantLayout::Shape;

std::shared_ptr<arrow::Array> ChildOf(const arrow::Array& group, int index) {
  if (index < 0) return nullptr;
  return static_cast<const arrow::StructArray&>(group).field(index);
}

ByteSpan BytesAt(const arrow::Array& column, int64_t row) {
  return AsBytes(static_cast<const arrow::BinaryArray&>(column).GetView(row));
}

/// What holds the parts of a shredded value: the fields of an object, the elements of arrays.
std::shared_ptr<arrow::Array> PartsOf(const VariantLayout& layout, const arrow::Array& typed,
                                      const VariantLayout::Part& part) {
  if (layout.shape == Shape::kObject) return ChildOf(typed, part.index);
  return static_cast<const arrow::ListArray&>(typed).values();
}

Int128 DecimalAt(const arrow::Array& column, int64_t row) {
  const arrow::Decimal128 value(static_cast<const arrow::Decimal128Array&>(column).GetValue(row));
  const auto high = static_cast<unsigned __int128>(static_cast<uint64_t>(value.high_bits()));
  return static_cast<Int128>((high << 64) | value.low_bits());
}

int64_t IntegerAt(VariantType type, const arrow::Array& column, int64_t row) {
  switch (type) {
    case VariantType::kInt8:
      return static_cast<const arrow::Int8Array&>(column).Value(row);
    case VariantType::kInt16:
      return static_cast<const arrow::Int16Array&>(column).Value(row);
    case VariantType::kInt32:
      return static_cast<const arrow::Int32Array&>(column).Value(row);
    case VariantType::kDate:
      return static_cast<const arrow::Date32Array&>(column).Value(row);
    case VariantType::kTime:
      return static_cast<const arrow::Time64Array&>(column).Value(row);
    case VariantType::kInt64:
      return static_cast<const arrow::Int64Array&>(column).Value(row);
    default:
      return static_cast<const arrow::TimestampArray&>(column).Value(row);
  }
}

}  // namespace

void RowMetadata::Set(ByteSpan bytes) {
  const bool same = metadata_ && std::equal(bytes.begin(), bytes.end(), metadata_->bytes().begin(),
                                            metadata_->bytes().end());
  if (same) return;
  ids_.clear();
  metadata_.emplace(bytes);
}

uint32_t RowMetadata::IdOf(std::string_view name) {
  if (ids_.empty()) {
    for (uint32_t id = 0; id < metadata_->size(); ++id) ids_.emplace(metadata_->NameOf(id), id);
  }
  const auto found = ids_.find(name);
  if (found == ids_.end()) {
    ThrowInvalid(
        fmt::format("the variant's metadata lacks the name of its shredded field '{}'", name));
  }
  return found->second;
}

ShreddedValues::ShreddedValues(const VariantLayout& layout,
                               const std::shared_ptr<arrow::Array>& group)
    : layout_(&layout),
      value_(ChildOf(*group, layout.value)),
      typed_(ChildOf(*group, layout.typed_value)) {
  for (const VariantLayout::Part& part : layout.parts) {
    parts_.emplace_back(part.layout, PartsOf(layout, *typed_, part));
  }
}

std::optional<ByteSpan> ShreddedValues::ValueAt(int64_t row) const {
  if (value_ == nullptr || value_->IsNull(row)) return std::nullopt;
  return BytesAt(*value_, row);
}

bool ShreddedValues::Write(int64_t row, RowMetadata& metadata, VariantWriter& writer) const {
  if (typed_ != nullptr && typed_->IsValid(row)) {
    WriteTyped(row, metadata, writer);
    return true;
  }
  const std::optional<ByteSpan> value = ValueAt(row);
  if (!value) return false;
  ValidateVariant(metadata.get(), *value);
  writer.Encoded(*value);
  return true;
}

void ShreddedValues::WriteTyped(int64_t row, RowMetadata& metadata, VariantWriter& writer) const {
  if (layout_->shape == Shape::kObject) return WriteObject(row, metadata, writer);
  if (ValueAt(row)) ThrowInvalid("a variant has both a value and a typed_value");
  if (layout_->shape == Shape::kArray) return WriteArray(row, metadata, writer);
  WritePrimitive(row, writer);
}

void ShreddedValues::WritePrimitive(int64_t row, VariantWriter& writer) const {
  const VariantType type = layout_->type;
  switch (type) {
    case VariantType::kTrue:
      return writer.Boolean(static_cast<const arrow::BooleanArray&>(*typed_).Value(row));
    case VariantType::kFloat:
      return writer.Real(type, static_cast<const arrow::FloatArray&>(*typed_).Value(row));
    case VariantType::kDouble:
      return writer.Real(type, static_cast<const arrow::DoubleArray&>(*typed_).Value(row));
    case VariantType::kDecimal4:
    case VariantType::kDecimal8:
    case VariantType::kDecimal16:
      return writer.Decimal(type, DecimalAt(*typed_, row),
                            static_cast<const arrow::DecimalType&>(*typed_->type()).scale());
    case VariantType::kBinary:
    case VariantType::kString:
      return writer.Bytes(type, BytesAt(*typed_, row));
    case VariantType::kUuid:
      return writer.Bytes(
          type, AsBytes(static_cast<const arrow::FixedSizeBinaryArray&>(*typed_).GetView(row)));
    default:
      return writer.Integer(type, IntegerAt(type, *typed_, row));
  }
}

/// An element that is missing is null: arrays have no gaps.
void ShreddedValues::WriteArray(int64_t row, RowMetadata& metadata, VariantWriter& writer) const {
  const auto& lists = static_cast<const arrow::ListArray&>(*typed_);
  const size_t start = writer.position();
  std::vector<size_t> starts;
  for (int64_t i = lists.value_offset(row); i < lists.value_offset(row + 1); ++i) {
    starts.push_back(writer.position());
    if (!parts_[0].Write(i, metadata, writer)) writer.Null();
  }
  writer.FinishArray(start, starts);
}

bool ShreddedValues::HasPart(std::string_view name) const {
  const auto part = std::lower_bound(layout_->parts.begin(), layout_->parts.end(), name,
                                     [](const auto& a, std::string_view b) { return a.name < b; });
  return part != layout_->parts.end() && part->name == name;
}

/// The shredded fields that are there, and those that `value` has besides: of a name that is
/// shredded, the shredded column alone decides, as in the reference engine.
void ShreddedValues::WriteObject(int64_t row, RowMetadata& metadata, VariantWriter& writer) const {
  using NamedField = std::pair<std::string_view, VariantWriter::Field>;
  const size_t start = writer.position();
  std::vector<NamedField> named;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const size_t field_start = writer.position();
    if (!parts_[i].Write(row, metadata, writer)) continue;
    const std::string_view name = layout_->parts[i].name;
    named.emplace_back(name, VariantWriter::Field{metadata.IdOf(name), field_start});
  }
  if (const std::optional<ByteSpan> value = ValueAt(row)) {
    ValidateVariant(metadata.get(), *value);
    const VariantView rest(*value);
    if (rest.type() != VariantType::kObject) {
      ThrowInvalid("a variant has shredded fields, and a value that is no object");
    }
    for (uint32_t i = 0; i < rest.size(); ++i) {
      const std::string_view name = metadata.get().NameOf(rest.FieldId(i));
      if (HasPart(name)) continue;
      named.emplace_back(name, VariantWriter::Field{rest.FieldId(i), writer.position()});
      writer.Encoded(rest.At(i).bytes());
    }
    std::sort(named.begin(), named.end(),
              [](const NamedField& a, const NamedField& b) { return a.first < b.first; });
  }
  std::vector<VariantWriter::Field> fields;
  for (const NamedField& field : named) fields.push_back(field.second);
  writer.FinishObject(start, fields);
}

}  // namespace nunatak
