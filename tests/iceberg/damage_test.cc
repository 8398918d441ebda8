#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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

  /// The directories of the tables in tests/data and in the corpus.
  static std::vector<std::filesystem::path> Tables() {
    std::vector<std::filesystem::path> tables = {std::filesystem::path(NUNATAK_TEST_DATA) /
                                                 "bookshop-orders"};
    for (const auto& root :
         {std::filesystem::path(NUNATAK_TEST_DATA) / "iceberg", CorpusDirectory()}) {
      if (!std::filesystem::is_directory(root)) continue;
      for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (entry.is_directory()) tables.push_back(entry.path());
      }
    }
    return tables;
  }

  static Table OpenNewest(const std::filesystem::path& directory) {
    return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
  }

  /// Calls `read` with cuts and flips of `bytes`.
  template <typename Read>
  void Damage(const std::string& what, const std::string& bytes, Read read) {
    for (int i = 0; i < kCutsPerFile; ++i) {
      const size_t length = std::uniform_int_distribution<size_t>(0, bytes.size() - 1)(random_);
      ++cuts_;
      const std::string message = Outcome(bytes.substr(0, length), read);
      EXPECT_FALSE(message.empty()) << what << " cut to " << length << " of " << bytes.size();
      EXPECT_TRUE(NamesAPlace(message)) << what << " cut to " << length << ": " << message;
    }
    for (int i = 0; i < kFlipsPerFile; ++i) {
      std::string damaged = bytes;
      const size_t at = std::uniform_int_distribution<size_t>(0, bytes.size() - 1)(random_);
      damaged[at] =
          static_cast<char>(damaged[at] ^ (1 << std::uniform_int_distribution<int>(0, 7)(random_)));
      ++flips_;
      const std::string message = Outcome(damaged, read);
      EXPECT_TRUE(message.empty() || NamesAPlace(message))
          << what << " with byte " << at << " flipped: " << message;
    }
  }

  /// The message of the error that reading gives; empty when it gives none.
  template <typename Read>
  static std::string Outcome(const std::string& bytes, Read read) {
    // A copy of its own size, so that a sanitizer sees what is read beyond its end.
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    try {
      read(ByteSpan(exact));
    } catch (const Error& error) {
      // What is refused by name (a codec, a type, a version that a flipped bit has made up) needs
      // no place.
      if (error.code() == ErrorCode::kUnsupported) return "field: " + error.message();
      EXPECT_EQ(error.code(), ErrorCode::kInvalid) << error.message();
      return error.message();
    }
    return "";
  }

  static bool NamesAPlace(const std::string& message) {
    // "field: what is wrong"; what is no JSON at all has to name the byte.
    if (message.find(": ") != std::string::npos && !message.starts_with("not valid JSON:")) {
      return true;
    }
    for (const char* place : {"byte", "field", "entry"}) {
      if (message.find(place) != std::string::npos) return true;
    }
    return false;
  }

  std::mt19937 random_{20240229};
  int cuts_ = 0;
  int flips_ = 0;
};

TEST_F(DamageTest, MetadataFiles) {
  for (const auto& directory : Tables()) {
    const Table table = OpenNewest(directory);
    const std::string bytes = ReadFileBytes(table.metadata_location);
    Damage(table.metadata_location, bytes, [](ByteSpan damaged) { ParseTableMetadata(damaged); });
  }
  EXPECT_GT(cuts_, 0);
}

TEST_F(DamageTest, ManifestListsAndManifests) {
  for (const auto& directory : Tables()) {
    const Table table = OpenNewest(directory);
    const Snapshot* snapshot = table.metadata->current_snapshot();
    if (!snapshot || !snapshot->manifest_list) continue;
    const std::vector<ManifestFile> files = ReadManifests(table, snapshot);
    const auto read_list = [&](ByteSpan damaged) {
      if (ReadManifestList(damaged).empty() && !files.empty()) {
        ThrowInvalid("entry 0 is missing");  // what MakeSnapshotSource says by the summary
      }
    };
    const Buffer list = table.io->ReadAll(*snapshot->manifest_list);
    Damage(*snapshot->manifest_list, std::string(AsText(list.bytes)), read_list);
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
