// Variants: two bytes say how many of the others are metadata, the rest is the value. What is read
// is written again by our own writer, which must give the same variant.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/table/variant/variant_json.h"
#include "nunatak/table/variant/variant_view.h"
#include "nunatak/table/variant/variant_writer.h"

namespace nunatak {
namespace {

void Rewrite(const VariantMetadata& metadata, const VariantView& value, VariantWriter& writer) {
  if (!value.is_nested()) return writer.Encoded(value.bytes());
  const size_t start = writer.position();
  std::vector<size_t> starts;
  std::vector<VariantWriter::Field> fields;
  for (uint32_t i = 0; i < value.size(); ++i) {
    starts.push_back(writer.position());
    if (value.type() == VariantType::kObject) fields.push_back({value.FieldId(i), starts.back()});
    Rewrite(metadata, value.At(i), writer);
  }
  if (value.type() == VariantType::kObject) return writer.FinishObject(start, fields);
  writer.FinishArray(start, starts);
}

void Read(ByteSpan metadata, ByteSpan value) {
  const nlohmann::ordered_json json = VariantToJson(metadata, value);
  std::string again;
  VariantWriter writer(&again);
  Rewrite(VariantMetadata(metadata), VariantView(value), writer);
  if (VariantToJson(metadata, AsBytes(again)) != json) std::abort();
}

}  // namespace
}  // namespace nunatak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const nunatak::ByteSpan input(data + 2, size - 2);
  const size_t metadata = std::min<size_t>(data[0] | data[1] << 8, input.size());
  try {
    nunatak::Read(input.first(metadata), input.subspan(metadata));
  } catch (const nunatak::Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
