#include "nunatak/avro/container.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak::avro {

Block Inflate(const CompressedBlock& block, const Codec& codec, Decompressor& decompressor,
              ByteBuffer& buffer) {
  try {
    return {decompressor.Decompress(codec, block.bytes, buffer), block.count, block.offset};
  } catch (Error& error) {
    error.AddContext(fmt::format("avro block at byte {}", block.offset));
    throw;
  }
}

Container::Container(ByteSpan file) {
  ContainerReader reader(file, 0, static_cast<int64_t>(file.size()));
  // All of the file is here: nothing can run out.
  header_ = reader.ReadHeader().value();
  while (!reader.AtEndOfFile()) {
    int64_t wanted = 0;
    blocks_.push_back(reader.ReadBlock(header_, &wanted).value());
    if (__builtin_add_overflow(record_count_, blocks_.back().count, &record_count_)) {
      ThrowInvalid(
          fmt::format("byte {}: the blocks before claim more records than a 64-bit number holds",
                      reader.offset()));
    }
  }
}

}  // namespace nunatak::avro
