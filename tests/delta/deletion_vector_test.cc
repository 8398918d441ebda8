#include "nunatak/delta/deletion_vector.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"
#include "nunatak/iceberg/deletion_vector.h"
#include "nunatak/io/data_uri.h"

namespace nunatak::delta {
namespace {

// The examples of the specification, "Deletion Vector Descriptor Schema".

TEST(DeletionVector, RelativePathWithARandomPrefix) {
  const auto deletes = DeleteFileOf({.storage_type = 'u',
                                     .path_or_inline = "ab^-aqEH.-t@S}K{vb[*k^",
                                     .offset = 4,
                                     .size_in_bytes = 40,
                                     .cardinality = 6},
                                    "s3://mytable", "s3://mytable/a.parquet");
  const DataFile& file = deletes->file;
  EXPECT_EQ(file.file_path,
            "s3://mytable/ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
  EXPECT_EQ(file.content_offset, 4);
  // The length before the vector and the checksum behind it are not counted.
  EXPECT_EQ(file.content_size_in_bytes, 48);
  EXPECT_EQ(file.record_count, 6);
  EXPECT_EQ(file.referenced_data_file, "s3://mytable/a.parquet");
  EXPECT_TRUE(file.is_deletion_vector());
}

TEST(DeletionVector, AbsolutePath) {
  const auto deletes = DeleteFileOf({.storage_type = 'p',
                                     .path_or_inline = "s3://other/dv%20x.bin",
                                     .offset = 1,
                                     .size_in_bytes = 1},
                                    "s3://mytable", "a");
  EXPECT_EQ(deletes->file.file_path, "s3://other/dv x.bin");
}

TEST(DeletionVector, InlineBecomesALocationThatHoldsIt) {
  const auto deletes =
      DeleteFileOf({.storage_type = 'i',
                    .path_or_inline = "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
                    .size_in_bytes = 40,
                    .cardinality = 6},
                   "/t", "/t/a");
  const FetchRequest request = iceberg::DeletionVectorRequest(deletes->file);
  const Buffer blob = ReadDataUri(request.location, request.range);
  EXPECT_EQ(iceberg::ParseDeletionVector(blob.bytes).InRange(0, 1000),
            (std::vector<int64_t>{3, 4, 7, 11, 18, 29}));
}

TEST(DeletionVector, UniqueIds) {
  const auto id = [](const DeletionVectorDescriptor& vector) {
    std::string text;
    AppendUniqueId(vector, &text);
    return text;
  };
  EXPECT_EQ(id({.storage_type = 'u', .path_or_inline = "abc", .offset = 4}), "uabc@4");
  EXPECT_EQ(id({.storage_type = 'i', .path_or_inline = "abc"}), "iabc");
}

TEST(DeletionVector, MalformedDescriptors) {
  const std::pair<DeletionVectorDescriptor, ErrorCode> cases[] = {
      {{.storage_type = 'x', .path_or_inline = "abc"}, ErrorCode::kUnsupported},
      {{.storage_type = 'u', .path_or_inline = "short"}, ErrorCode::kInvalid},
      {{.storage_type = 'u', .path_or_inline = "ab^-aqEH.-t@S}K{vb[*\"^"}, ErrorCode::kInvalid},
      {{.storage_type = 'i', .path_or_inline = "wi5b", .size_in_bytes = 1}, ErrorCode::kInvalid},
      {{.storage_type = 'i', .path_or_inline = "wi5b=", .size_in_bytes = 5}, ErrorCode::kInvalid},
      {{.storage_type = 'i', .path_or_inline = "wi5b=", .size_in_bytes = -1}, ErrorCode::kInvalid},
  };
  for (const auto& [vector, code] : cases) {
    const std::string error =
        ErrorOf(code, [&, v = vector] { DeleteFileOf(v, "/t", "/t/data.parquet"); });
    EXPECT_NE(error.find("/t/data.parquet, deletionVector"), std::string::npos) << error;
  }
}

TEST(Z85, TheTestVectorOfItsSpecification) {
  EXPECT_EQ(DecodeZ85("HelloWorld"), "\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B");
  EXPECT_EQ(DecodeZ85(""), "");
  // Beyond 32 bits, not five characters, no such character.
  for (const char* text : {"#####", "Hell", "Hel~o"}) EXPECT_EQ(DecodeZ85(text), std::nullopt);
}

TEST(Z85, ALastGroupMayBePadded) {
  // As delta-kernel's tables have it: 9 * 85 + 3 is 0x0300, in two bytes.
  EXPECT_EQ(DecodeZ85("##093"), std::string_view("\x03\x00", 2));
  EXPECT_EQ(DecodeZ85("Hello###03"), "\x86\x4F\xD2\x6F\x03");
  EXPECT_EQ(DecodeZ85("#00ab"), std::string_view("\x00\x03\x5D", 3));
  // More than the bytes that are left hold, and in the middle.
  for (const char* text : {"##@@@", "###$$", "####0", "##093Hello"}) {
    EXPECT_EQ(DecodeZ85(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace nunatak::delta
