#include "nunatak/iceberg/entry_walk.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"

namespace nunatak::iceberg {

EntryWalk::EntryWalk(Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
                     const Type& partition_type, std::string_view spec_key, ManifestCache& cache)
    : blocks_(std::move(bytes)), file_(file) {
  RefuseEncrypted(file);
  shape_ = cache.Shape(blocks_.container(), spec, partition_type, spec_key);
}

void EntryWalk::ForEach(const std::function<void(const WalkedEntry&)>& visit) {
  Inheritance inheritance(file_, shape_->format_version, shape_->has_sequence_numbers);
  avro::RecordCursor cursor(*shape_->plan);
  avro::Decompressor decompressor;
  WalkedEntry entry;
  for (size_t block = 0; block < blocks_.count(); ++block) {
    cursor.Reset(blocks_.Inflate(block, decompressor));
    while (cursor.Next()) {
      try {
        entry.slots = cursor.slots();
        entry.head = DecodeHead(entry.slots, file_.content, &inheritance);
      } catch (Error& error) {
        error.AddContext(fmt::format("entry {}", entry.index));
        throw;
      }
      visit(entry);
      ++entry.index;
    }
  }
  CheckNotCut(file_, blocks_.file_size(), entry.index);
}

}  // namespace nunatak::iceberg
