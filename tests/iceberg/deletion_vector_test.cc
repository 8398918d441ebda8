#include "nunatak/iceberg/deletion_vector.h"

#include <gtest/gtest.h>

#include <numeric>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/roaring_bytes.h"
#include "nunatak/iceberg/puffin.h"

namespace nunatak::iceberg {
namespace {

constexpr int64_t kKey1 = int64_t{1} << 32;

std::vector<int64_t> AllOf(const PositionSet& positions) {
  return positions.InRange(0, std::numeric_limits<int64_t>::max());
}

PositionSet Parse(std::string_view blob) { return ParseDeletionVector(AsBytes(blob)); }

/// A blob of one bitmap with key 0.
std::string BlobOf(const std::vector<Container>& containers) {
  return FrameVector(VectorBytes({{0, RoaringBytes(containers)}}));
}

TEST(DeletionVectorTest, OnePositionByHand) {
  // Length 34, magic, one bitmap: key 0, cookie 12346, one container {key 0, 1 value} at offset 16,
  // value 5; the checksum was computed with zlib.
  const std::string_view blob(
      "\x00\x00\x00\x22\xD1\xD3\x39\x64"
      "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x3A\x30\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x05\x00"
      "\x8A\xD1\x40\xF0",
      42);
  const PositionSet positions = Parse(blob);
  EXPECT_EQ(positions.cardinality(), 1);
  EXPECT_TRUE(positions.Contains(5));
  EXPECT_FALSE(positions.Contains(4));
  EXPECT_EQ(AllOf(positions), std::vector<int64_t>{5});
}

TEST(DeletionVectorTest, EveryKindOfContainer) {
  const std::string bitmap = RoaringBytes({ArrayContainer(0, {1, 7, 65535}), BitsetContainer(1, 2),
                                           RunContainer(3, {{0, 3}, {10, 1}, {65530, 6}})});
  const PositionSet positions = Parse(FrameVector(VectorBytes({{0, bitmap}, {1, bitmap}})));
  EXPECT_EQ(positions.cardinality(), 2 * (3 + 32768 + 10));
  EXPECT_EQ(positions.InRange(0, 65538), (std::vector<int64_t>{1, 7, 65535, 65536}));
  EXPECT_EQ(positions.InRange(kKey1 + 3 * 65536, kKey1 + 4 * 65536 - 4),
            (std::vector<int64_t>{kKey1 + 196608, kKey1 + 196609, kKey1 + 196610, kKey1 + 196618,
                                  kKey1 + 262138, kKey1 + 262139}));
  EXPECT_TRUE(positions.Contains(kKey1 + 65538));
  EXPECT_FALSE(positions.Contains(kKey1 + 65539));
  EXPECT_FALSE(positions.Contains(2 * kKey1 + 1));
  EXPECT_FALSE(positions.Contains(-1));
}

/// The `count` multiples of `step` from 0 on.
std::vector<uint16_t> Multiples(size_t count, uint16_t step) {
  std::vector<uint16_t> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<uint16_t>(i * step));
  return values;
}

TEST(DeletionVectorTest, ArraysEndAt4096Values) {
  const PositionSet array = Parse(BlobOf({ArrayContainer(0, Multiples(4096, 15))}));
  EXPECT_EQ(array.cardinality(), 4096);
  EXPECT_EQ(array.InRange(61410, 61440), (std::vector<int64_t>{61410, 61425}));
  const PositionSet bitset = Parse(BlobOf({BitsetContainer(0, 15)}));
  EXPECT_EQ(bitset.cardinality(), 4370);
  EXPECT_EQ(bitset.InRange(61410, 61440), (std::vector<int64_t>{61410, 61425}));
  EXPECT_EQ(bitset.InRange(65520, 65536), (std::vector<int64_t>{65520, 65535}));
}

TEST(DeletionVectorTest, FourContainersWithRunsHaveOffsets) {
  std::vector<Container> containers;
  for (uint16_t key = 0; key < 4; ++key) containers.push_back(RunContainer(key, {{key, 2}}));
  EXPECT_EQ(AllOf(Parse(BlobOf(containers))),
            (std::vector<int64_t>{0, 1, 65537, 65538, 131074, 131075, 196611, 196612}));
}

TEST(DeletionVectorTest, FullContainersAndTheGreatestKey) {
  const std::string full = RoaringBytes({RunContainer(65535, {{0, 65536}})});
  const PositionSet positions = Parse(FrameVector(VectorBytes({{0x7fffffff, full}})));
  EXPECT_EQ(positions.cardinality(), 65536);
  EXPECT_TRUE(positions.Contains(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(Parse(BlobOf({BitsetContainer(0, 1)})).cardinality(), 65536);
}

TEST(DeletionVectorTest, NoPositionAtAll) {
  EXPECT_TRUE(Parse(FrameVector(VectorBytes({}))).empty());
  EXPECT_TRUE(Parse(BlobOf({})).empty());
}

void ExpectInvalid(const std::string& blob, std::string_view message) {
  const std::string actual = ErrorOf(ErrorCode::kInvalid, [&] { Parse(blob); });
  EXPECT_NE(actual.find(message), std::string::npos) << actual;
}

TEST(DeletionVectorTest, TheFrameIsCheckedFirst) {
  const std::string good = BlobOf({ArrayContainer(0, {1, 2, 3})});
  for (size_t size = 0; size < good.size(); ++size) {
    ErrorOf(ErrorCode::kInvalid, [&] { Parse(good.substr(0, size)); });
  }
  ExpectInvalid(good + '\0', "the deletion vector says it has");
  for (size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] = static_cast<char>(flipped[i] ^ 4);
    ExpectInvalid(flipped, i < 4 ? "byte 0" : i < 8 ? "magic" : "checksum");
  }
}

TEST(DeletionVectorTest, KeysAscendAndLeaveTheTopBitFree) {
  const std::string one = RoaringBytes({ArrayContainer(0, {1})});
  ExpectInvalid(FrameVector(VectorBytes({{1, one}, {0, one}})), "bitmap key 0");
  ExpectInvalid(FrameVector(VectorBytes({{1, one}, {1, one}})), "bitmap key 1");
  ExpectInvalid(FrameVector(VectorBytes({{0x80000000, one}})), "bitmap key 2147483648");
}

TEST(DeletionVectorTest, CountsMustFitTheBytes) {
  const std::string one = RoaringBytes({ArrayContainer(0, {1})});
  const std::string bitmap = Little(0, 4) + one;
  ExpectInvalid(FrameVector(Little(0xffffffffffffffff, 8) + bitmap), "bitmaps do not fit");
  ExpectInvalid(FrameVector(Little(2, 8) + bitmap), "bitmap 1 of 2 is cut short");
  ExpectInvalid(FrameVector(Little(1, 8) + bitmap + "x"), "1 bytes follow the last bitmap");
  ExpectInvalid(FrameVector(Little(0, 8) + bitmap), "follow the last bitmap");
  for (size_t size = 8; size < one.size(); ++size) {
    ErrorOf(ErrorCode::kInvalid,
            [&] { Parse(FrameVector(VectorBytes({{0, one.substr(0, size)}}))); });
  }
}

TEST(DeletionVectorTest, DamagedBitmapsAreErrors) {
  struct Case {
    std::string bitmap;
    std::string_view message;
  };
  const auto with = [](std::string bytes, size_t at, std::string_view patch) {
    return bytes.replace(at, patch.size(), patch);
  };
  const std::string arrays = RoaringBytes({ArrayContainer(0, {1, 2}), ArrayContainer(1, {3})});
  const std::string bitset = RoaringBytes({BitsetContainer(0, 2)});
  Container short_run = RunContainer(0, {{5, 2}});
  short_run.cardinality = 3;
  // Of 4097 values on, and so of that cardinality, a container is a bitset: these are read as one.
  const std::string long_array = RoaringBytes({ArrayContainer(0, Multiples(4097, 15))});
  Container few_bits = BitsetContainer(0, 16);
  few_bits.cardinality = 4097;
  const std::vector<Case> cases = {
      {with(arrays, 0, Little(12345, 4)), "unknown cookie 12345"},
      {with(arrays, 0, Little(12346 | 1 << 16, 4)), "unknown cookie"},
      {with(arrays, 4, Little(65537, 4)), "65537 containers"},
      {with(arrays, 4, Little(65536, 4)), "container headers take"},
      {with(arrays, 12, Little(0, 2)), "container keys do not ascend"},
      {with(arrays, 16, Little(26, 4)), "container 0 begins elsewhere"},
      {with(arrays, 24, Little(2, 2)), "array values do not ascend"},
      {with(arrays, 24, Little(3, 2)), "array values do not ascend"},
      {with(arrays, 14, Little(4000, 2)), "array values take"},
      {with(bitset, 16, "\xff"), "the container has 32772 values, its header says 32768"},
      {bitset.substr(0, bitset.size() - 1), "bitset words take"},
      {long_array, "values, its header says 4097"},
      {RoaringBytes({few_bits}), "the container has 4096 values, its header says 4097"},
      {RoaringBytes({BitsetContainer(0, 16)}), "array values do not ascend"},
      {RoaringBytes({short_run}), "the container has 2 values, its header says 3"},
      {RoaringBytes({RunContainer(0, {{5, 3}, {7, 1}})}), "runs overlap"},
      {RoaringBytes({RunContainer(0, {{5, 3}, {1, 1}})}), "runs overlap"},
      {RoaringBytes({RunContainer(0, {{65535, 2}})}), "beyond its container"},
      {with(RoaringBytes({RunContainer(0, {{5, 3}})}), 9, Little(9, 2)), "runs take"},
      {Little(12347 | 0xffff0000, 4) + "flags", "run flags take"},
  };
  for (const Case& c : cases) {
    ExpectInvalid(FrameVector(VectorBytes({{0, c.bitmap}})), c.message);
  }
}

TEST(DeletionVectorTest, EveryDamagedByteBehindTheChecksumGivesAnErrorOrASet) {
  const std::string vector =
      VectorBytes({{0, RoaringBytes({ArrayContainer(0, {1, 7}), RunContainer(2, {{3, 4}}),
                                     RunContainer(5, {{9, 1}}), ArrayContainer(9, {4})})}});
  int sets = 0;
  for (size_t i = 0; i < vector.size() * 8; ++i) {
    std::string flipped = vector;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ 1 << i % 8);
    try {
      const PositionSet positions = Parse(FrameVector(flipped));
      EXPECT_EQ(static_cast<int64_t>(AllOf(positions).size()), positions.cardinality());
      ++sets;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    }
  }
  EXPECT_GT(sets, 0);  // other values, still sorted
}

TEST(DeletionVectorTest, WhereTheBlobLies) {
  DataFile file;
  file.file_path = "file:/t/dv.puffin";
  file.file_size_in_bytes = 100;
  const auto fails = [&] { ErrorOf(ErrorCode::kInvalid, [&] { DeletionVectorRequest(file); }); };
  fails();
  file.content_offset = 4;
  fails();
  file.content_size_in_bytes = 42;
  const FetchRequest request = DeletionVectorRequest(file);
  EXPECT_EQ(request.location, "file:/t/dv.puffin");
  EXPECT_EQ(request.range, (ByteRange{4, 42}));
  for (const int64_t size : {int64_t{97}, int64_t{-1}, std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()}) {
    file.content_size_in_bytes = size;
    fails();
  }
  file.content_size_in_bytes = 42;
  file.content_offset = std::numeric_limits<int64_t>::max();
  fails();
}

/// Every deletion vector of the corpus, by table.
std::vector<std::pair<PuffinBlob, PositionSet>> CorpusVectors(const std::string& table) {
  std::vector<std::pair<PuffinBlob, PositionSet>> vectors;
  const std::shared_ptr<FileIO> io = MakeLocalFileIO();
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(CorpusDirectory() / table)) {
    if (file.path().extension() != ".puffin") continue;
    for (const PuffinBlob& blob : ReadPuffinFooter(*io, file.path()).blobs) {
      if (blob.type != "deletion-vector-v1") continue;
      vectors.emplace_back(blob, ParseDeletionVector(ReadBlob(*io, file.path(), blob).bytes));
    }
  }
  return vectors;
}

TEST(DeletionVectorCorpusTest, CardinalitiesAreThoseThatTheWriterRecorded) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  size_t count = 0;
  for (const std::string& table : CorpusTables()) {
    for (const auto& [blob, positions] : CorpusVectors(table)) {
      EXPECT_EQ(std::to_string(positions.cardinality()), blob.properties.at("cardinality"))
          << table;
      EXPECT_EQ(static_cast<int64_t>(AllOf(positions).size()), positions.cardinality());
      ++count;
    }
  }
  EXPECT_GT(count, 5u);
}

TEST(DeletionVectorCorpusTest, TheLargeVectorLeavesTheRowsThatTheEngineFound) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  const auto vectors = CorpusVectors("dv-large");
  ASSERT_EQ(vectors.size(), 1u);
  const PositionSet& deleted = vectors[0].second;
  const nlohmann::json expected = Expectation("dv-large");
  EXPECT_EQ(deleted.cardinality(), expected.at("metadata_tables").at("position_deletes"));
  // The file has the ids 0 to 299999 in order, so that a row's position is its id.
  std::vector<uint8_t> mask(300000);
  deleted.MarkRange(0, mask);
  int64_t count = 0;
  int64_t sum = 0;
  for (size_t id = 0; id < mask.size(); ++id) {
    if (mask[id]) continue;
    ++count;
    sum += static_cast<int64_t>(id);
  }
  EXPECT_EQ(count, expected.at("current_row_count"));
  EXPECT_EQ(sum, expected.at("live_sum"));
}

}  // namespace
}  // namespace nunatak::iceberg
