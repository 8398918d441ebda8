#include "nunatak/iceberg/puffin.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/roaring_bytes.h"
#include "nunatak/iceberg/metadata_json.h"

namespace nunatak::iceberg {
namespace {

using nlohmann::json;

json Blob(int64_t offset, int64_t length) {
  return {{"type", "x-v1"},        {"fields", {1, 2}}, {"snapshot-id", -1},
          {"sequence-number", -1}, {"offset", offset}, {"length", length}};
}

std::string Payload(const json& blob) { return json{{"blobs", {blob}}}.dump(); }

PuffinFooter Parse(std::string_view bytes) { return ParsePuffinFooter(AsBytes(bytes)); }

void ExpectInvalid(const std::string& bytes, std::string_view message) {
  const std::string actual = ErrorOf(ErrorCode::kInvalid, [&] { Parse(bytes); });
  EXPECT_NE(actual.find(message), std::string::npos) << actual;
}

class PuffinFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  void Write(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string path_ = testing::TempDir() + "nunatak puffin " + std::to_string(::getpid());
  std::shared_ptr<FileIO> io_ = MakeLocalFileIO();
};

TEST(PuffinTest, EveryFieldOfTheFooter) {
  json blob = Blob(4, 3);
  blob["snapshot-id"] = 7;
  blob["sequence-number"] = 2;
  blob["compression-codec"] = "zstd";
  blob["properties"] = {{"ndv", "12"}};
  const std::string payload = json{{"blobs", {blob}}, {"properties", {{"created-by", "t"}}}}.dump();
  const PuffinFooter footer = Parse(PuffinBytes("abc", payload));
  EXPECT_EQ(footer.properties, (StringMap{{"created-by", "t"}}));
  EXPECT_EQ(footer.footer_size, static_cast<int64_t>(payload.size()) + 16);
  ASSERT_EQ(footer.blobs.size(), 1u);
  EXPECT_EQ(footer.blobs[0], (PuffinBlob{"x-v1", {1, 2}, 7, 2, 4, 3, "zstd", {{"ndv", "12"}}}));
}

TEST(PuffinTest, AFileMayHaveNoBlob) {
  EXPECT_TRUE(Parse(PuffinBytes("", R"({"blobs": []})")).blobs.empty());
}

TEST(PuffinTest, TruncationsAndWrongMagicAreErrors) {
  const std::string good = PuffinBytes("abc", Payload(Blob(4, 3)));
  for (size_t size = 0; size < good.size(); ++size) {
    ErrorOf(ErrorCode::kInvalid, [&] { Parse(good.substr(0, size)); });
  }
  for (const size_t at : {size_t{0}, size_t{7}, good.size() - 4}) {
    std::string wrong = good;
    wrong[at] = 'X';
    ExpectInvalid(wrong, fmt::format("byte {}: not a Puffin file", at));
  }
}

TEST(PuffinTest, SizesMustFitTheFile) {
  const std::string payload = Payload(Blob(4, 3));
  const std::string good = PuffinBytes("abc", payload);
  for (const int64_t size :
       {int64_t{-1}, int64_t{0x7fffffff}, static_cast<int64_t>(payload.size()) + 4}) {
    std::string wrong = good;
    wrong.replace(good.size() - 12, 4, Little(static_cast<uint64_t>(size), 4));
    ExpectInvalid(wrong, "footer payload of");
  }
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const auto& [offset, length] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 3}, {3, 1}, {5, 3}, {4, -1}, {-4, 3}, {4, 4}, {kMax, 3}, {4, kMax}, {kMax, kMax}}) {
    ExpectInvalid(PuffinBytes("abc", Payload(Blob(offset, length))), "blobs[0]: offset");
  }
}

TEST(PuffinTest, TheFooterIsJsonWithItsRequiredFields) {
  ExpectInvalid(PuffinBytes("abc", "{"), "footer at byte 7");
  ExpectInvalid(PuffinBytes("abc", "{}"), "'blobs'");
  for (const char* field : {"type", "snapshot-id", "sequence-number", "offset", "length"}) {
    json blob = Blob(4, 3);
    blob.erase(field);
    ExpectInvalid(PuffinBytes("abc", Payload(blob)), fmt::format("'{}'", field));
  }
}

TEST(PuffinTest, CompressedFootersAndUnknownFlagsAreRefusedByName) {
  for (const auto& [flags, message] : std::vector<std::pair<uint32_t, std::string>>{
           {1, "lz4"}, {2, "0x2"}, {1u << 31, "0x8000"}}) {
    const std::string actual = ErrorOf(
        ErrorCode::kUnsupported, [&] { Parse(PuffinBytes("abc", Payload(Blob(4, 3)), flags)); });
    EXPECT_NE(actual.find(message), std::string::npos) << actual;
  }
}

TEST_F(PuffinFileTest, ReadsBlobsOfEachCodec) {
  const std::string text(1000, 'z');
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  json plain = Blob(4, 3);
  json zstd = Blob(7, static_cast<int64_t>(packed.size()));
  zstd["compression-codec"] = "zstd";
  json lz4 = plain;
  lz4["compression-codec"] = "lz4";
  json broken = plain;
  broken["compression-codec"] = "zstd";
  Write(PuffinBytes("abc" + packed, json{{"blobs", {plain, zstd, lz4, broken}}}.dump()));
  const PuffinFooter footer = ReadPuffinFooter(*io_, path_);
  EXPECT_EQ(AsText(ReadBlob(*io_, path_, footer.blobs[0]).bytes), "abc");
  EXPECT_EQ(AsText(ReadBlob(*io_, path_, footer.blobs[1]).bytes), text);
  const std::string message =
      ErrorOf(ErrorCode::kUnsupported, [&] { ReadBlob(*io_, path_, footer.blobs[2]); });
  EXPECT_NE(message.find(path_ + ": blob at byte 4: compression codec 'lz4'"), std::string::npos)
      << message;
  ErrorOf(ErrorCode::kInvalid, [&] { ReadBlob(*io_, path_, footer.blobs[3]); });
}

TEST_F(PuffinFileTest, AFrameMayNotInflateBeyondTheStatedMultiple) {
  const std::string zeros(50'000'000, '\0');
  std::string packed(ZSTD_compressBound(zeros.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 3));
  ASSERT_GT(zeros.size(), packed.size() * 1024);
  json blob = Blob(4, static_cast<int64_t>(packed.size()));
  blob["compression-codec"] = "zstd";
  Write(PuffinBytes(packed, Payload(blob)));
  const PuffinBlob read = ReadPuffinFooter(*io_, path_).blobs[0];
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { ReadBlob(*io_, path_, read); });
  EXPECT_NE(message.find("1024 times"), std::string::npos) << message;
}

TEST_F(PuffinFileTest, LongFootersAndFilesTakeMoreRequests) {
  json blob = Blob(4, 3);
  blob["properties"] = {{"long", std::string(40'000, 'p')}};
  Write(PuffinBytes(std::string(100'000, 'b'), Payload(blob)));
  EXPECT_EQ(ReadPuffinFooter(*io_, path_).blobs[0].properties.at("long").size(), 40'000u);
  Write("XXXX" + PuffinBytes(std::string(100'000, 'b'), Payload(blob)));
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { ReadPuffinFooter(*io_, path_); });
  EXPECT_EQ(message.find(path_ + ": byte 0"), 0u) << message;
}

TEST_F(PuffinFileTest, SmallFilesTakeOneRead) {
  Write(PuffinBytes("abc", Payload(Blob(4, 3))));
  ReadPuffinFooter(*io_, path_);
  EXPECT_EQ(io_->counters().requests, 2);  // the size, and the tail, which is the whole file
  ErrorOf(ErrorCode::kNotFound, [&] { ReadPuffinFooter(*io_, path_ + ".missing"); });
}

TEST(PuffinCorpusTest, FootersAgreeWithWhatTableMetadataSaysOfThem) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  const std::string table = "many-manifests-rewritten";
  const std::filesystem::path directory = CorpusDirectory() / table;
  const std::string text =
      ReadFileBytes(directory / std::string(Expectation(table).at("metadata_file")));
  const auto metadata = ParseTableMetadata(AsBytes(text));
  ASSERT_EQ(metadata->statistics.size(), 1u);
  const StatisticsFile& file = metadata->statistics[0];
  const std::string local =
      directory / "metadata" / std::filesystem::path(file.statistics_path).filename();
  const std::shared_ptr<FileIO> io = MakeLocalFileIO();
  const PuffinFooter footer = ReadPuffinFooter(*io, local);
  EXPECT_EQ(footer.footer_size, file.file_footer_size_in_bytes);
  ASSERT_EQ(footer.blobs.size(), file.blob_metadata.size());
  for (size_t i = 0; i < footer.blobs.size(); ++i) {
    EXPECT_EQ(footer.blobs[i].type, file.blob_metadata[i].type);
    EXPECT_EQ(footer.blobs[i].fields, file.blob_metadata[i].fields);
    EXPECT_EQ(footer.blobs[i].snapshot_id, file.blob_metadata[i].snapshot_id);
    EXPECT_EQ(footer.blobs[i].sequence_number, file.blob_metadata[i].sequence_number);
    EXPECT_GT(ReadBlob(*io, local, footer.blobs[i]).size(), 0u);
  }
}

}  // namespace
}  // namespace nunatak::iceberg
