#include "nunatak/read/decode/sparse_file.h"

#include <arrow/buffer.h>
#include <gtest/gtest.h>

namespace nunatak {
namespace {

Buffer Bytes(std::string_view text) {
  return Buffer::From(std::vector<uint8_t>(text.begin(), text.end()));
}

TEST(SparseFile, ReadsInsideWhatWasFetched) {
  SparseFile file(100);
  file.Add(10, Bytes("abcdef"));
  file.Add(50, Bytes("xyz"));
  EXPECT_EQ(file.GetSize().ValueOrDie(), 100);
  EXPECT_EQ(file.ReadAt(10, 6).ValueOrDie()->ToString(), "abcdef");
  EXPECT_EQ(file.ReadAt(12, 2).ValueOrDie()->ToString(), "cd");
  EXPECT_EQ(file.ReadAt(16, 0).ValueOrDie()->size(), 0);
  char out[3];
  EXPECT_EQ(file.ReadAt(50, 3, out).ValueOrDie(), 3);
  EXPECT_EQ(std::string_view(out, 3), "xyz");
}

TEST(SparseFile, AnythingElseIsAnError) {
  SparseFile file(100);
  file.Add(10, Bytes("abcdef"));
  for (const auto& [offset, length] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 1}, {9, 2}, {15, 2}, {16, 1}, {12, -1}, {-5, 3}}) {
    EXPECT_FALSE(file.ReadAt(offset, length).ok()) << offset << "+" << length;
  }
  file.Clear();
  EXPECT_FALSE(file.ReadAt(10, 1).ok());
}

TEST(SparseFile, SaysWhatIsThereAndHasOtherBytesInItsPlace) {
  SparseFile file(100);
  file.Add(10, Bytes("abcdef"));
  EXPECT_EQ(AsText(file.From(12).bytes), "cdef");
  EXPECT_EQ(file.From(16).size(), 0u);
  EXPECT_EQ(file.From(9).size(), 0u);
  EXPECT_EQ(file.From(-3).size(), 0u);
  file.Replace(12, Bytes("XYef"));
  EXPECT_EQ(file.ReadAt(10, 2).ValueOrDie()->ToString(), "ab");
  EXPECT_EQ(file.ReadAt(12, 4).ValueOrDie()->ToString(), "XYef");
}

TEST(SparseFile, WhatWasReadOutlivesTheFile) {
  std::shared_ptr<arrow::Buffer> bytes;
  {
    SparseFile file(10);
    file.Add(0, Bytes("0123456789"));
    bytes = file.ReadAt(3, 4).ValueOrDie();
  }
  EXPECT_EQ(bytes->ToString(), "3456");
}

}  // namespace
}  // namespace nunatak
