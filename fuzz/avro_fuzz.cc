// Avro: an object container file, or (when the input does not start like one) a schema in JSON, a
// line feed, and the bytes of a block of two records. Everything is walked, and what passes over a
// record must come to the same end as what reads it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "../tests/avro/manifest_fields.h"
#include "nunatak/avro/array_cursor.h"
#include "nunatak/avro/container.h"
#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {
namespace {

/// Touches every byte of a value, so that a sanitizer sees a span that is too long.
void Consume(const Slot& slot) {
  if (slot.kind() != SlotKind::kBytes) return;
  unsigned sum = 0;
  for (const uint8_t byte : slot.bytes()) sum += byte;
  [[maybe_unused]] static volatile unsigned sink;
  sink = sum;
}

void WalkItems(const DecodePlan* plan, const Slot& list) {
  ArrayCursor items(plan);
  items.Reset(list);
  while (items.Next()) {
    for (int i = 0; i < plan->slot_count(); ++i) Consume(items.slot(i));
  }
}

void WalkBlock(const DecodePlan& plan, const DecodePlan& skipping, const Block& block) {
  RecordCursor cursor(plan, block);
  RecordCursor skipper(skipping, block);
  while (cursor.Next()) {
    for (int i = 0; i < plan.slot_count(); ++i) {
      Consume(cursor.slot(i));
      if (cursor.slot(i).kind() == SlotKind::kItems) WalkItems(plan.items(i), cursor.slot(i));
    }
    if (!skipper.Next() || skipper.record_end() != cursor.record_end()) std::abort();
  }
}

struct Plans {
  explicit Plans(std::string_view json)
      : schema(Schema::Parse(json)),
        reading(DecodePlan::Compile(schema, testing::ManifestEntryFields())),
        skipping(DecodePlan::Compile(schema, {})) {}
  std::shared_ptr<const Schema> schema;
  std::shared_ptr<const DecodePlan> reading;
  std::shared_ptr<const DecodePlan> skipping;
};

void WalkFile(ByteSpan file) {
  const Container container(file);
  const Plans plans(container.schema_json());
  Decompressor decompressor;
  ByteBuffer buffer;
  for (const CompressedBlock& block : container.blocks()) {
    WalkBlock(*plans.reading, *plans.skipping, container.ReadBlock(block, decompressor, buffer));
  }
}

void WalkSchemaAndBlock(std::string_view text) {
  const size_t end = text.find('\n');
  if (end == text.npos) return;
  const Plans plans(text.substr(0, end));
  WalkBlock(*plans.reading, *plans.skipping, {.bytes = AsBytes(text.substr(end + 1)), .count = 2});
}

}  // namespace
}  // namespace nunatak::avro

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const nunatak::ByteSpan input(data, size);
  try {
    if (nunatak::AsText(input).starts_with("Obj")) {
      nunatak::avro::WalkFile(input);
    } else {
      nunatak::avro::WalkSchemaAndBlock(nunatak::AsText(input));
    }
  } catch (const nunatak::Error&) {
    // The expected end of damaged input.
  }
  return 0;
}
