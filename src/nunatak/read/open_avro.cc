#include "nunatak/read/open_avro.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/avro/container_reader.h"
#include "nunatak/base/error.h"
#include "nunatak/read/decode/avro_decoder.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

namespace {

constexpr int64_t kHeaderPrefetch = 512 << 10;

}  // namespace

std::unique_ptr<FileDecoder> OpenAvro(FileIO& io, const Context& context,
                                      const std::string& location, int64_t size,
                                      const DecodeOptions& options) {
  int64_t length = std::min(size, kHeaderPrefetch);
  while (true) {
    Buffer head = FetchRange(io, context, location, {0, length});
    std::unique_ptr<FileDecoder> decoder =
        WithContext(location, [&]() -> std::unique_ptr<FileDecoder> {
          const std::optional<avro::ContainerHeader> header =
              avro::ContainerReader(head.bytes, 0, size).ReadHeader();
          if (!header) return nullptr;
          return std::make_unique<AvroDecoder>(*header, size, std::move(head), options);
        });
    if (decoder != nullptr) return decoder;
    length = length > size / 4 ? size : length * 4;
  }
}

}  // namespace nunatak
