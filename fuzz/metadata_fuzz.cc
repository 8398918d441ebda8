// Table metadata, plain or gzip: an error or metadata that keeps its guarantees.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/metadata_json.h"
#include "nunatak/iceberg/snapshot_choice.h"

namespace {

using nunatak::iceberg::ChooseSnapshot;
using nunatak::iceberg::SnapshotChoice;
using nunatak::iceberg::TableMetadata;

/// Chooses a snapshot; only the errors that the choice documents are allowed.
void Choose(const TableMetadata& metadata, const SnapshotChoice& choice) {
  try {
    ChooseSnapshot(metadata, choice);
  } catch (const nunatak::Error& error) {
    if (error.message().empty()) std::abort();
  }
}

void Use(const TableMetadata& metadata) {
  if (metadata.current_schema().schema_id() != metadata.current_schema_id) std::abort();
  if (metadata.default_spec().spec_id != metadata.default_spec_id) std::abort();
  if (metadata.default_sort_order().order_id != metadata.default_sort_order_id) std::abort();
  if (metadata.current_snapshot_id && !metadata.current_snapshot()) std::abort();
  if ((metadata.FindRef("main") != nullptr) != metadata.current_snapshot_id.has_value()) {
    std::abort();
  }
  Choose(metadata, {});
  for (const auto& [name, ref] : metadata.refs) {
    Choose(metadata, {.snapshot_id = {}, .ref = name, .as_of_ms = {}});
    if (!metadata.FindSnapshot(ref.snapshot_id)) std::abort();
  }
  for (const auto& entry : metadata.snapshot_log) {
    Choose(metadata, {.snapshot_id = {}, .ref = {}, .as_of_ms = entry.timestamp_ms});
    Choose(metadata, {.snapshot_id = entry.snapshot_id, .ref = {}, .as_of_ms = {}});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    Use(*nunatak::iceberg::ParseTableMetadata(nunatak::ByteSpan(data, size)));
  } catch (const nunatak::Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
