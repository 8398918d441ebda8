#include "nunatak/read/decode/parquet_pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/thrift_reader.h"

namespace nunatak {

namespace {

/// No header is larger: readers of Parquet agree on that.
constexpr size_t kMaxHeaderBytes = size_t{16} << 20;

/// As parquet.thrift numbers them.
enum PageType : int32_t { kData = 0, kDictionary = 2, kDataV2 = 3 };

/// What a page's header says.
struct PageHeader {
  int32_t type = -1;
  int32_t stored_size = -1;
  ParquetPage page = {.inflated_size = -1};
};

using Kind = ThriftReader::Kind;

PageEncoding ReadEncoding(ThriftReader& in) { return static_cast<PageEncoding>(in.Int()); }

/// DataPageHeader and DictionaryPageHeader: both begin with values and encoding. What comes third
/// in a dictionary's is whether it is sorted.
void ReadOwnHeader(ThriftReader& in, ParquetPage* page) {
  in.Struct([&](int64_t id, Kind kind) {
    if (id == 1) {
      page->values = in.Int();
    } else if (id == 2) {
      page->encoding = ReadEncoding(in);
    } else if (id == 3 && kind == Kind::kInt) {
      page->definition_encoding = ReadEncoding(in);
    } else {
      in.Skip(kind);
    }
  });
}

void ReadDataHeaderV2(ThriftReader& in, ParquetPage* page) {
  page->is_v2 = true;
  in.Struct([&](int64_t id, Kind kind) {
    switch (id) {
      case 1:
        page->values = in.Int();
        break;
      case 4:
        page->encoding = ReadEncoding(in);
        break;
      case 5:
        page->definition_bytes = in.Int();
        break;
      case 6:
        page->repetition_bytes = in.Int();
        break;
      case 7:
        page->is_compressed = kind == Kind::kTrue;
        break;
      default:
        in.Skip(kind);
    }
  });
}

PageHeader ReadHeader(ByteSpan bytes) {
  PageHeader header;
  ThriftReader in(bytes.first(std::min(bytes.size(), kMaxHeaderBytes)));
  in.Struct([&](int64_t id, Kind kind) {
    switch (id) {
      case 1:
        header.type = in.Int();
        header.page.is_data = header.type == kData || header.type == kDataV2;
        break;
      case 2:
        header.page.inflated_size = in.Int();
        break;
      case 3:
        header.stored_size = in.Int();
        break;
      case 4:
        header.page.crc = static_cast<uint32_t>(in.Int());
        break;
      case 5:
      case 7:
        ReadOwnHeader(in, &header.page);
        break;
      case 8:
        ReadDataHeaderV2(in, &header.page);
        break;
      default:
        in.Skip(kind);
    }
  });
  header.page.header_size = in.position();
  return header;
}

void Check(const PageHeader& header, size_t bytes_left) {
  const ParquetPage& page = header.page;
  if (header.stored_size < 0 || page.inflated_size < 0 || page.values < 0) {
    ThrowInvalid(fmt::format("page of {} bytes, {} inflated, with {} values", header.stored_size,
                             page.inflated_size, page.values));
  }
  if (static_cast<uint64_t>(header.stored_size) > bytes_left) {
    ThrowInvalid(fmt::format("page of {} bytes, where {} are left", header.stored_size, bytes_left),
                 "the file may be cut short or damaged");
  }
  if (page.inflated_size > kMaxPageSlack &&
      (page.inflated_size - kMaxPageSlack) / kMaxPageInflation > header.stored_size) {
    ThrowInvalid(fmt::format("page of {} bytes that claims to inflate to {}", header.stored_size,
                             page.inflated_size));
  }
  if (header.type == kDictionary && page.values > page.inflated_size) {
    ThrowInvalid(
        fmt::format("dictionary of {} entries in {} bytes", page.values, page.inflated_size));
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
    PageHeader header = WithContext(fmt::format("page at byte offset {}", page_offset), [&] {
      const PageHeader read = ReadHeader(rest);
      Check(read, rest.size() - read.page.header_size);
      return read;
    });
    ParquetPage& page = header.page;
    page.offset = offset;
    page.size = page.header_size + static_cast<size_t>(header.stored_size);
    if (page.is_data) seen += std::min<int64_t>(page.values, values - seen);
    offset += page.size;
    pages.push_back(page);
  }
  return pages;
}

}  // namespace nunatak
