#include "nunatak/read/decode/parquet_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

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
  ParquetPage page = {};
};

using Kind = ThriftReader::Kind;

/// The fields of a header that are numbers of 32 bits or booleans, by their number. What a
/// specified field holds of another kind is passed over, so that the field counts as missing.
class HeaderFields {
 public:
  explicit HeaderFields(std::string_view name) : name_(name) {}

  /// Takes a field, whose value it reads.
  void Read(ThriftReader& in, int64_t id, Kind kind) {
    is_there_ = true;
    const bool is_boolean = kind == Kind::kTrue || kind == Kind::kFalse;
    const bool fits = id > 0 && id < static_cast<int64_t>(numbers_.size());
    if (fits && kind == Kind::kInt) {
      numbers_[static_cast<size_t>(id)] = in.Int();
    } else {
      if (fits && is_boolean) booleans_[static_cast<size_t>(id)] = kind == Kind::kTrue;
      in.Skip(kind);
    }
  }
  void ReadAll(ThriftReader& in) {
    is_there_ = true;
    in.Struct([&](int64_t id, Kind kind) { Read(in, id, kind); });
  }

  /// Throws when the struct or the field is missing, or the number is negative.
  int32_t Number(size_t id, std::string_view field) const {
    if (!is_there_) ThrowInvalid(fmt::format("its header has no {}", name_));
    if (!numbers_[id]) ThrowInvalid(fmt::format("{} without {}", name_, field));
    if (*numbers_[id] < 0) ThrowInvalid(fmt::format("{} with {} {}", name_, field, *numbers_[id]));
    return *numbers_[id];
  }
  PageEncoding Encoding(size_t id, std::string_view field) const {
    return static_cast<PageEncoding>(Number(id, field));
  }
  std::optional<int32_t> MaybeNumber(size_t id) const { return numbers_[id]; }
  bool Boolean(size_t id, bool otherwise) const { return booleans_[id].value_or(otherwise); }

 private:
  std::string_view name_;
  bool is_there_ = false;
  std::array<std::optional<int32_t>, 9> numbers_;
  std::array<std::optional<bool>, 9> booleans_;
};

ParquetPage DataPage(const HeaderFields& fields) {
  ParquetPage page{.is_data = true};
  page.values = fields.Number(1, "num_values");
  page.encoding = fields.Encoding(2, "encoding");
  page.definition_encoding = fields.Encoding(3, "definition_level_encoding");
  fields.Encoding(4, "repetition_level_encoding");
  return page;
}

ParquetPage DictionaryPage(const HeaderFields& fields) {
  ParquetPage page;
  page.values = fields.Number(1, "num_values");
  page.encoding = fields.Encoding(2, "encoding");
  return page;
}

ParquetPage DataPageV2(const HeaderFields& fields) {
  ParquetPage page{.is_data = true, .is_v2 = true};
  page.values = fields.Number(1, "num_values");
  page.encoding = fields.Encoding(4, "encoding");
  page.definition_bytes = fields.Number(5, "definition_levels_byte_length");
  page.repetition_bytes = fields.Number(6, "repetition_levels_byte_length");
  page.is_compressed = fields.Boolean(7, true);
  const int32_t nulls = fields.Number(2, "num_nulls");
  const int32_t rows = fields.Number(3, "num_rows");
  if (nulls > page.values || rows > page.values) {
    ThrowInvalid(fmt::format("{} values, {} of them null, in {} rows", page.values, nulls, rows));
  }
  return page;
}

PageHeader ReadHeader(ByteSpan bytes) {
  HeaderFields own("PageHeader");
  HeaderFields data("DataPageHeader");
  HeaderFields dictionary("DictionaryPageHeader");
  HeaderFields data_v2("DataPageHeaderV2");
  ThriftReader in(bytes.first(std::min(bytes.size(), kMaxHeaderBytes)));
  in.Struct([&](int64_t id, Kind kind) {
    const bool is_struct = kind == Kind::kStruct;
    if (is_struct && id == 5) return data.ReadAll(in);
    if (is_struct && id == 7) return dictionary.ReadAll(in);
    if (is_struct && id == 8) return data_v2.ReadAll(in);
    own.Read(in, id, kind);
  });
  PageHeader header{.type = own.Number(1, "type")};
  if (header.type == kData) header.page = DataPage(data);
  if (header.type == kDictionary) header.page = DictionaryPage(dictionary);
  if (header.type == kDataV2) header.page = DataPageV2(data_v2);
  header.stored_size = own.Number(3, "compressed_page_size");
  header.page.inflated_size = own.Number(2, "uncompressed_page_size");
  if (own.MaybeNumber(4)) header.page.crc = static_cast<uint32_t>(*own.MaybeNumber(4));
  header.page.header_size = in.position();
  return header;
}

void Check(const PageHeader& header, size_t bytes_left) {
  const ParquetPage& page = header.page;
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

ParquetPage ReadPage(ByteSpan bytes, int64_t file_offset) {
  return WithContext(fmt::format("page at byte offset {}", file_offset), [&] {
    PageHeader header = ReadHeader(bytes);
    Check(header, bytes.size() - header.page.header_size);
    header.page.is_dictionary = header.type == kDictionary;
    header.page.size = header.page.header_size + static_cast<size_t>(header.stored_size);
    return header.page;
  });
}

std::vector<ParquetPage> ReadPages(ByteSpan bytes, int64_t values, int64_t chunk_offset) {
  std::vector<ParquetPage> pages;
  size_t offset = 0;
  int64_t seen = 0;
  while (seen < values) {
    const int64_t file_offset = chunk_offset + static_cast<int64_t>(offset);
    if (offset == bytes.size()) {
      ThrowInvalid(fmt::format("{} values up to byte offset {}, where the footer says {}", seen,
                               file_offset, values));
    }
    ParquetPage page = ReadPage(bytes.subspan(offset), file_offset);
    if (page.is_dictionary && !pages.empty()) {
      ThrowInvalid(
          fmt::format("page at byte offset {}: a dictionary that is not the first page "
                      "of its chunk",
                      file_offset));
    }
    page.offset = offset;
    if (page.is_data) seen += std::min<int64_t>(page.values, values - seen);
    offset += page.size;
    // Pages of other types are for indexes that nobody writes.
    if (page.is_data || page.is_dictionary) pages.push_back(page);
  }
  return pages;
}

}  // namespace nunatak
