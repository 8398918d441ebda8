#include "nunatak/read/decode/parquet_pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/thrift_reader.h"

namespace nunatak {

namespace {

/// No header is larger: readers of Parquet agree on that.
constexpr size_t kMaxHeaderBytes = size_t{16} << 20;

/// What a page's header says, as far as it matters here (parquet.thrift, PageHeader).
struct PageHeader {
  enum Type : int32_t { kData = 0, kDictionary = 2, kDataV2 = 3 };

  int32_t type = -1;
  int32_t inflated_size = -1;
  int32_t stored_size = -1;
  int32_t values = 0;
  size_t header_size = 0;

  bool is_data() const { return type == kData || type == kDataV2; }
};

/// Each of the three kinds of headers has its number of values first.
int32_t ReadValueCount(ThriftReader& in) {
  int32_t values = 0;
  in.Struct([&](int64_t id, ThriftReader::Kind kind) {
    if (id == 1) {
      values = in.Int();
    } else {
      in.Skip(kind);
    }
  });
  return values;
}

PageHeader ReadHeader(ByteSpan bytes) {
  PageHeader header;
  ThriftReader in(bytes.first(std::min(bytes.size(), kMaxHeaderBytes)));
  in.Struct([&](int64_t id, ThriftReader::Kind kind) {
    switch (id) {
      case 1:
        header.type = in.Int();
        break;
      case 2:
        header.inflated_size = in.Int();
        break;
      case 3:
        header.stored_size = in.Int();
        break;
      case 5:
      case 7:
      case 8:
        header.values = ReadValueCount(in);
        break;
      default:
        in.Skip(kind);
    }
  });
  header.header_size = in.position();
  return header;
}

void Check(const PageHeader& header, size_t bytes_left) {
  if (header.stored_size < 0 || header.inflated_size < 0 || header.values < 0) {
    ThrowInvalid(fmt::format("page of {} bytes, {} inflated, with {} values", header.stored_size,
                             header.inflated_size, header.values));
  }
  if (static_cast<uint64_t>(header.stored_size) > bytes_left) {
    ThrowInvalid(fmt::format("page of {} bytes, where {} are left", header.stored_size, bytes_left),
                 "the file may be cut short or damaged");
  }
  if (header.inflated_size > kMaxPageSlack &&
      (header.inflated_size - kMaxPageSlack) / kMaxPageInflation > header.stored_size) {
    ThrowInvalid(fmt::format("page of {} bytes that claims to inflate to {}", header.stored_size,
                             header.inflated_size));
  }
  if (header.type == PageHeader::kDictionary && header.values > header.inflated_size) {
    ThrowInvalid(
        fmt::format("dictionary of {} entries in {} bytes", header.values, header.inflated_size));
  }
}

}  // namespace

std::vector<ParquetPage> ReadPages(ByteSpan bytes, int64_t values, int64_t chunk_offset) {
  std::vector<ParquetPage> pages;
  size_t offset = 0;
  int64_t seen = 0;
  while (seen < values) {
    const int64_t page_offset = chunk_offset + static_cast<int64_t>(offset);
    if (offset == bytes.size()) {
      ThrowInvalid(fmt::format("{} values up to byte offset {}, where the footer says {}", seen,
                               page_offset, values));
    }
    const ByteSpan rest = bytes.subspan(offset);
    const PageHeader header = WithContext(fmt::format("page at byte offset {}", page_offset), [&] {
      const PageHeader read = ReadHeader(rest);
      Check(read, rest.size() - read.header_size);
      return read;
    });
    const size_t size = header.header_size + static_cast<size_t>(header.stored_size);
    pages.push_back({offset, size, header.is_data(), header.values, header.inflated_size});
    if (header.is_data()) seen += std::min<int64_t>(header.values, values - seen);
    offset += size;
  }
  return pages;
}

}  // namespace nunatak
