#include "nunatak/io/data_uri.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/io/file_io.h"

namespace nunatak {
namespace {

TEST(DataUri, TheTestVectorsOfRfc4648) {
  const std::array<std::pair<std::string, std::string>, 7> cases = {{{"", ""},
                                                                     {"f", "Zg=="},
                                                                     {"fo", "Zm8="},
                                                                     {"foo", "Zm9v"},
                                                                     {"foob", "Zm9vYg=="},
                                                                     {"fooba", "Zm9vYmE="},
                                                                     {"foobar", "Zm9vYmFy"}}};
  for (const auto& [bytes, base64] : cases) {
    EXPECT_EQ(MakeDataUri(AsBytes(bytes)), "data:;base64," + base64);
    EXPECT_EQ(AsText(ReadDataUri("data:;base64," + base64).bytes), bytes);
  }
}

TEST(DataUri, EveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(AsText(ReadDataUri(MakeDataUri(AsBytes(bytes))).bytes), bytes);
}

TEST(DataUri, IsReadLikeAFileAndAsksNothingOfStorage) {
  const auto io = MakeLocalFileIO();
  const std::string location = MakeDataUri(AsBytes("0123456789"));
  EXPECT_EQ(io->Size(location), 10);
  EXPECT_EQ(AsText(io->ReadAll(location).bytes), "0123456789");
  const std::array<FetchRequest, 1> requests = {{{location, {3, 4}}}};
  io->Fetch(Context(), requests,
            [](size_t, const Buffer& bytes) { EXPECT_EQ(AsText(bytes.bytes), "3456"); });
  EXPECT_EQ(io->counters().requests, 0);
}

TEST(DataUri, DamagedTextAndRangesOutsideAreErrors) {
  EXPECT_THROW(ReadDataUri("data:;base64,Zm9*"), Error);
  for (const ByteRange range : {ByteRange{-1, 1}, ByteRange{0, -1}, ByteRange{4, 0}, {2, 2}}) {
    EXPECT_THROW(ReadDataUri("data:;base64,Zm9v", range), Error) << range.offset;
  }
}

}  // namespace
}  // namespace nunatak
