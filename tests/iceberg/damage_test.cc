#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

#include "iceberg/corpus.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/metadata_json.h"
#include "nunatak/iceberg/partition_types.h"

namespace nunatak::iceberg {
namespace {

/// Damaged copies of the metadata of every table at hand: what is cut off is always an error that
/// says where, and a flipped bit gives an error or a well-formed result. (Crashes, overflows and
/// reads out of bounds are for the sanitizers to see: `make asan` runs this too.)
class DamageTest : public ::testing::Test {
 protected:
  static constexpr int kCutsPerFile = 20;
  static constexpr int kFlipsPerFile = 60;

  static Table OpenNewest(const std::filesystem::path& directory) {
    return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
  }

  /// Calls `read` with cuts and flips of `bytes`.
  template <typename Read>
  void Damage(const std::string& what, const std::string& bytes, Read read) {
    std::uniform_int_distribution<size_t> any_byte(0, bytes.size() - 1);
    std::uniform_int_distribution<int> any_bit(0, 7);
    for (int i = 0; i < kCutsPerFile; ++i) {
      const size_t length = any_byte(random_);
      const std::optional<Error> error = Outcome(bytes.substr(0, length), read);
      ++cuts_;
      ASSERT_TRUE(error) << what << " cut to " << length << " of " << bytes.size();
      ExpectClear(*error, what);
    }
    for (int i = 0; i < kFlipsPerFile; ++i) {
      std::string damaged = bytes;
      const size_t at = any_byte(random_);
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << any_bit(random_)));
      if (const std::optional<Error> error = Outcome(damaged, read)) ExpectClear(*error, what);
      ++flips_;
    }
  }

  template <typename Read>
  static std::optional<Error> Outcome(const std::string& bytes, Read read) {
    // A copy of its own size, so that a sanitizer sees what is read beyond its end.
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    try {
      read(ByteSpan(exact));
    } catch (const Error& error) {
      return error;
    }
    return std::nullopt;
  }

  /// What a flipped bit made up (a codec, a type, a version) is refused by name; everything else
  /// says where: a byte, an entry, a field ("field: what is wrong").
  static void ExpectClear(const Error& error, const std::string& what) {
    if (error.code() == ErrorCode::kUnsupported) return;
    EXPECT_EQ(error.code(), ErrorCode::kInvalid) << what << ": " << error.message();
    const std::string& message = error.message();
    const auto names = [&](const char* place) { return message.find(place) != std::string::npos; };
    EXPECT_TRUE(names("byte") || names("entry") || names("entries") || names("field") ||
                names("summary") || (names(": ") && !message.starts_with("not valid JSON:")))
        << what << ": " << message;
  }

  std::mt19937 random_{20240229};
  int cuts_ = 0;
  int flips_ = 0;
};

TEST_F(DamageTest, MetadataFiles) {
  for (const auto& directory : TablesAtHand()) {
    const Table table = OpenNewest(directory);
    const std::string bytes = ReadFileBytes(table.metadata_location);
    Damage(table.metadata_location, bytes, [](ByteSpan damaged) { ParseTableMetadata(damaged); });
  }
  EXPECT_GT(cuts_, 0);
}

TEST_F(DamageTest, ManifestListsAndManifests) {
  for (const auto& directory : TablesAtHand()) {
    const Table table = OpenNewest(directory);
    const Snapshot* snapshot = table.metadata->current_snapshot();
    if (!snapshot || !snapshot->manifest_list) continue;
    const std::vector<ManifestFile> files = ReadManifests(table, snapshot);
    // Through a file, since an empty list is noticed by what the snapshot's summary says.
    const std::string copy = ::testing::TempDir() + "nunatak_damaged_list.avro";
    Snapshot damaged_snapshot = *snapshot;
    damaged_snapshot.manifest_list = copy;
    const auto read_list = [&](ByteSpan damaged) {
      std::ofstream(copy, std::ios::binary) << AsText(damaged);
      ReadManifests(table, &damaged_snapshot);
    };
    const Buffer list = table.io->ReadAll(*snapshot->manifest_list);
    Damage(*snapshot->manifest_list, std::string(AsText(list.bytes)), read_list);
    std::filesystem::remove(copy);
    for (size_t i = 0; i < files.size() && i < 3; ++i) {
      const PartitionSpec& spec = *table.metadata->FindSpec(files[i].partition_spec_id);
      const Type type = PartitionTypeOf(*table.metadata, spec);
      const Buffer manifest = table.io->ReadAll(files[i].manifest_path);
      Damage(files[i].manifest_path, std::string(AsText(manifest.bytes)),
             [&](ByteSpan damaged) { ReadManifest(damaged, files[i], spec, type); });
    }
  }
  EXPECT_GT(cuts_, 0);
  EXPECT_GT(flips_, cuts_);
}

}  // namespace
}  // namespace nunatak::iceberg
