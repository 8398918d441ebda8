#include "nunatak/read/decode/parquet_pages.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"
#include "read/decode/page_bytes.h"

namespace nunatak {
namespace {

std::string Page(PageType type, int64_t values, const std::string& content) {
  const auto size = static_cast<int64_t>(content.size());
  return PageHeaderBytes(type, size, size, values) + content;
}

std::string ErrorOf(const std::string& bytes, int64_t values) {
  try {
    ReadPages(AsBytes(bytes), values, 1000);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.message();
  }
  return "no error";
}

TEST(ReadPages, UpToTheLastValue) {
  const std::string dictionary = Page(PageType::kDictionary, 2, "abcdefgh");
  const std::string first = Page(PageType::kData, 3, "xyz");
  const std::string second = Page(PageType::kData, 4, "");
  const std::string bytes = dictionary + first + second + "what comes after";
  const std::vector<ParquetPage> pages = ReadPages(AsBytes(bytes), 7);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_FALSE(pages[0].is_data);
  EXPECT_EQ(pages[0].values, 2);
  EXPECT_EQ(pages[0].inflated_size, 8);
  EXPECT_EQ(pages[0].size, dictionary.size());
  EXPECT_TRUE(pages[1].is_data);
  EXPECT_EQ(pages[1].offset, dictionary.size());
  EXPECT_EQ(pages[1].size, first.size());
  EXPECT_EQ(pages[2].values, 4);
  EXPECT_TRUE(ReadPages(AsBytes(bytes), 0).empty());
}

TEST(ReadPages, PassesOverWhatItDoesNotKnow) {
  // A boolean, a double, texts, a list of structs, a map, and a field number beyond 15 more.
  const std::string inner = ThriftBytes().Int(1, 5).Raw(2, 1, "").Stop();
  const std::string unknown = ThriftBytes()
                                  .Int(1, 0)
                                  .Int(2, 1)
                                  .Int(3, 1)
                                  .Int(4, -77)
                                  .Struct(5, ThriftBytes()
                                                 .Int(1, 9)
                                                 .Int(2, 0)
                                                 .Int(3, 3)
                                                 .Int(4, 3)
                                                 .Raw(6, 8, std::string("\x02hi", 3))
                                                 .Raw(7, 9, "\x2c" + inner + inner)
                                                 .Stop())
                                  .Raw(9, 2, "")
                                  .Raw(10, 7, std::string(8, 'd'))
                                  .Raw(11, 11, std::string("\x01\x85", 2) + "\x01k" + "\x04")
                                  .Raw(12, 10, std::string("\x31\x01\x02\x01", 4))
                                  .Raw(13, 3, "b")
                                  .Stop();
  const std::vector<ParquetPage> pages = ReadPages(AsBytes(unknown + "x"), 9);
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].values, 9);
  EXPECT_EQ(pages[0].size, unknown.size() + 1);
}

TEST(ReadPages, WhatIsMalformedIsAnErrorAtItsByte) {
  const std::string whole = Page(PageType::kData, 3, "xyz");
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_NE(ErrorOf(whole.substr(0, size), 3).find("page at byte offset 1000: "),
              std::string::npos)
        << size;
  }
  EXPECT_EQ(ErrorOf(whole, 4), "3 values up to byte offset " + std::to_string(1000 + whole.size()) +
                                   ", where the footer says 4");
  EXPECT_EQ(ErrorOf(PageHeaderBytes(PageType::kData, 1, -1, 1), 1),
            "page at byte offset 1000: PageHeader with compressed_page_size -1");
  EXPECT_EQ(ErrorOf(PageHeaderBytes(PageType::kData, 1, 10, 1) + "abc", 1),
            "page at byte offset 1000: page of 10 bytes, where 3 are left");
  EXPECT_NE(ErrorOf(ThriftBytes().Int(1, int64_t{1} << 40).Stop(), 1).find("beyond 32 bits"),
            std::string::npos);
  // Structs in structs without end.
  EXPECT_NE(ErrorOf(std::string(100000, '\x4c'), 1).find("too deep"), std::string::npos);
  EXPECT_NE(ErrorOf("\x1d", 1).find("no known kind"), std::string::npos);
}

TEST(ReadPages, WhatAHeaderMustHave) {
  const std::string content = ThriftBytes().Int(1, 1).Int(2, 0).Int(3, 3).Int(4, 3).Stop();
  const std::string v2 = ThriftBytes().Int(1, 2).Int(2, 1).Int(3, 2).Int(4, 0).Int(5, 0).Stop();
  struct Case {
    ThriftBytes header;
    const char* error;
  };
  const Case cases[] = {
      {ThriftBytes().Int(2, 0).Int(3, 0).Struct(5, content), "PageHeader without type"},
      {ThriftBytes().Int(1, 0).Int(3, 0).Struct(5, content),
       "PageHeader without uncompressed_page_size"},
      {ThriftBytes().Int(1, 0).Int(2, 0).Struct(5, content),
       "PageHeader without compressed_page_size"},
      {ThriftBytes().Int(1, 0).Int(2, 0).Int(3, 0), "its header has no DataPageHeader"},
      {ThriftBytes().Int(1, 2).Int(2, 0).Int(3, 0).Struct(5, content),
       "its header has no DictionaryPageHeader"},
      {ThriftBytes().Int(1, 0).Int(2, 0).Int(3, 0).Struct(5, ThriftBytes().Int(1, 1).Stop()),
       "DataPageHeader without encoding"},
      // A number of 64 bits is none of 32.
      {ThriftBytes().Int(1, 0).Int(2, 0).Int(3, 0).Struct(
           5, ThriftBytes().Raw(1, 6, "\x02").Int(2, 0).Int(3, 3).Int(4, 3).Stop()),
       "DataPageHeader without num_values"},
      {ThriftBytes().Int(1, 0).Int(2, 0).Int(3, 0).Struct(
           5, ThriftBytes().Int(1, 1).Int(2, 0).Int(3, 3).Stop()),
       "DataPageHeader without repetition_level_encoding"},
      {ThriftBytes().Int(1, 3).Int(2, 0).Int(3, 0).Struct(8, v2),
       "DataPageHeaderV2 without repetition_levels_byte_length"},
      {ThriftBytes().Int(1, 3).Int(2, 0).Int(3, 0).Struct(
           8, ThriftBytes().Int(1, 2).Int(2, 3).Int(3, 2).Int(4, 0).Int(5, 0).Int(6, 0).Stop()),
       "2 values, 3 of them null, in 2 rows"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ErrorOf(c.header.Stop(), 1), std::string("page at byte offset 1000: ") + c.error);
  }
}

TEST(ReadPages, ADictionaryComesFirst) {
  const std::string dictionary = Page(PageType::kDictionary, 2, "abcdefgh");
  const std::string data = Page(PageType::kData, 3, "xyz");
  const std::string index =
      ThriftBytes().Int(1, 1).Int(2, 0).Int(3, 2).Struct(6, ThriftBytes().Stop()).Stop() + "ix";
  EXPECT_EQ(ReadPages(AsBytes(index + dictionary + index + data), 3).size(), 2u);
  for (const std::string& before : {dictionary, data}) {
    EXPECT_NE(ErrorOf(before + dictionary + data, 6).find("not the first page of its chunk"),
              std::string::npos);
  }
}

TEST(ReadPages, NoPageClaimsGigabytes) {
  const int64_t most = (int64_t{1} << 31) - 1;
  EXPECT_EQ(ErrorOf(PageHeaderBytes(PageType::kData, most, 10, 1) + std::string(10, 'x'), 1),
            "page at byte offset 1000: page of 10 bytes that claims to inflate to 2147483647");
  EXPECT_EQ(ErrorOf(PageHeaderBytes(PageType::kDictionary, 10, 10, most) + std::string(10, 'x'), 1),
            "page at byte offset 1000: dictionary of 2147483647 entries in 10 bytes");
  // What a page of zeros comes to is no mere claim.
  const std::string page =
      PageHeaderBytes(PageType::kData, kMaxPageSlack + 10 * kMaxPageInflation, 10, 1) +
      std::string(10, 'x');
  EXPECT_EQ(ReadPages(AsBytes(page), 1).size(), 1u);
}

}  // namespace
}  // namespace nunatak
