#include "nunatak/read/variant/assemble_variants.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/extension/parquet_variant.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <string>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/variant/shredded_values.h"

namespace nunatak {

namespace {

const arrow::BinaryArray& MetadataOf(const VariantLayout& layout, const arrow::StructArray& group) {
  return static_cast<const arrow::BinaryArray&>(*group.field(layout.metadata));
}

void SetMetadata(const arrow::BinaryArray& column, int64_t row, RowMetadata* metadata) {
  if (column.IsNull(row)) ThrowInvalid("the variant has no metadata");
  metadata->Set(AsBytes(column.GetView(row)));
}

/// Calls `visit` with each row from `first` on that is not null; errors name the row.
template <typename Visit>
void ForEachVariant(const VariantLayout& layout, const arrow::StructArray& group, int64_t first,
                    Visit&& visit) {
  const arrow::BinaryArray& metadata_column = MetadataOf(layout, group);
  RowMetadata metadata;
  for (int64_t row = first; row < group.length(); ++row) {
    if (group.IsNull(row)) continue;
    try {
      SetMetadata(metadata_column, row, &metadata);
      visit(row, metadata);
    } catch (Error& error) {
      error.AddContext(fmt::format("row {} of the batch", row - first));
      throw;
    }
  }
}

/// Whether the column holds every variant as it is wanted.
bool IsUnshredded(const VariantLayout& layout, const arrow::StructArray& group) {
  if (layout.value < 0 || layout.typed_value >= 0) return false;
  const std::shared_ptr<arrow::Array> values = group.field(layout.value);
  if (values->null_count() == 0) return true;
  for (int64_t row = 0; row < group.length(); ++row) {
    if (group.IsValid(row) && values->IsNull(row)) return false;
  }
  return true;
}

void Validate(const VariantLayout& layout, const arrow::StructArray& group, int64_t first) {
  const auto values = std::static_pointer_cast<arrow::BinaryArray>(group.field(layout.value));
  ForEachVariant(layout, group, first, [&](int64_t row, const RowMetadata& metadata) {
    ValidateVariant(metadata.get(), AsBytes(values->GetView(row)));
  });
}

/// A variant that is missing altogether is null as a variant, since its group is there.
std::shared_ptr<arrow::ArrayData> Assemble(const VariantLayout& layout,
                                           const std::shared_ptr<arrow::StructArray>& group,
                                           int64_t first) {
  const ShreddedValues shredded(layout, group);
  arrow::BinaryBuilder values;
  std::string encoded;
  int64_t next = 0;
  const auto skip_to = [&](int64_t row) {
    for (; next < row; ++next) CheckOk(values.Append("", 0));
  };
  ForEachVariant(layout, *group, first, [&](int64_t row, RowMetadata& metadata) {
    encoded.clear();
    VariantWriter writer(&encoded);
    if (!shredded.Write(row, metadata, writer)) writer.Null();
    skip_to(row);
    CheckOk(values.Append(encoded));
    ++next;
  });
  skip_to(group->length());
  return ValueOrThrow(values.Finish())->data();
}

}  // namespace

std::shared_ptr<arrow::DataType> VariantArrowType() {
  static const std::shared_ptr<arrow::DataType> type = arrow::extension::variant(
      arrow::struct_({arrow::field("metadata", arrow::binary(), /*nullable=*/false),
                      arrow::field("value", arrow::binary(), /*nullable=*/false)}));
  return type;
}

std::shared_ptr<arrow::ArrayData> AssembleVariants(const VariantLayout& layout,
                                                   const std::shared_ptr<arrow::ArrayData>& data) {
  // Children reach as far as their parent does with its own offset; the result has the same one.
  std::shared_ptr<arrow::ArrayData> whole = data->Copy();
  whole->offset = 0;
  whole->length = data->offset + data->length;
  whole->null_count = arrow::kUnknownNullCount;
  const auto group = std::make_shared<arrow::StructArray>(whole);
  std::shared_ptr<arrow::ArrayData> result = data->Copy();
  result->type = VariantArrowType();
  std::shared_ptr<arrow::ArrayData> values;
  if (IsUnshredded(layout, *group)) {
    Validate(layout, *group, data->offset);
    values = group->field(layout.value)->data();
  } else {
    values = Assemble(layout, group, data->offset);
  }
  result->child_data = {group->field(layout.metadata)->data(), std::move(values)};
  return result;
}

}  // namespace nunatak
