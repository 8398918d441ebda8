// Manifests and manifest lists that Iceberg Java and PyIceberg wrote, compared with what those
// engines say about their tables. Needs the corpus: the folder named by NUNATAK_CORPUS, or
// ../shared/corpus beside the source tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "avro/manifest_fields.h"
#include "avro/test_support.h"
#include "nunatak/avro/array_cursor.h"
#include "nunatak/base/json.h"
#include "test_data.h"

namespace nunatak::avro {
namespace {

namespace fs = std::filesystem;
using namespace nunatak::testing;  // NOLINT(build/namespaces): the slots of manifest_fields.h

fs::path IcebergCorpus() {
  const char* given = std::getenv("NUNATAK_CORPUS");
  const fs::path corpus = given ? fs::path(given) : TestData() / "../../../shared/corpus";
  return (corpus / "iceberg").lexically_normal();
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Calls `body` with a cursor on each record of a file.
void ForEachRecord(const std::string& file, const std::vector<Wanted>& wanted,
                   const std::function<void(const RecordCursor&, const DecodePlan&)>& body) {
  const Container container(AsBytes(file));
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(container.schema_json(), wanted);
  RecordCursor cursor(*plan);
  Decompressor decompressor;
  ByteBuffer buffer;
  for (const CompressedBlock& block : container.blocks()) {
    cursor.Reset(container.ReadBlock(block, decompressor, buffer));
    while (cursor.Next()) body(cursor, *plan);
  }
}

/// Path within the table, record count, size in bytes.
using FileKey = std::tuple<std::string, int64_t, int64_t>;

struct Table {
  int64_t manifests = 0;
  int64_t entries = 0;
  std::multiset<FileKey> live_data_files;
};

class AvroCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(IcebergCorpus())) {
      GTEST_SKIP() << "no corpus at " << IcebergCorpus() << "; set NUNATAK_CORPUS";
    }
  }
};

void ReadManifest(const fs::path& table, const std::string& location, const std::string& path,
                  Table& result) {
  const auto within_table = [&](std::string_view text) {
    EXPECT_TRUE(text.starts_with(location)) << text;
    return std::string(text.substr(std::min(text.size(), location.size() + 1)));
  };
  const std::string file = ReadFile(table / within_table(path));
  ForEachRecord(file, ManifestEntryFields(), [&](const RecordCursor& entry, const DecodePlan&) {
    ++result.entries;
    const bool is_live = entry.slot(kStatus).integer() != 2;
    // v1 manifests have no such column, and hold data files only.
    const bool is_data = entry.slot(kContent).is_null() || entry.slot(kContent).integer() == 0;
    if (!is_live || !is_data) return;
    result.live_data_files.emplace(within_table(entry.slot(kFilePath).text()),
                                   entry.slot(kRecordCount).integer(),
                                   entry.slot(kFileSize).integer());
  });
}

Table ReadTable(const fs::path& table, const std::string& location, const std::string& list) {
  const std::vector<Wanted> path = {
      {.field_id = 500, .names = {"manifest_path"}, .kind = WantedKind::kBytes, .slot = 0}};
  Table result;
  ForEachRecord(ReadFile(table / list), path, [&](const RecordCursor& manifest, const DecodePlan&) {
    ++result.manifests;
    ReadManifest(table, location, std::string(manifest.slot(0).text()), result);
  });
  return result;
}

/// The manifest list of the current snapshot; empty when there is none.
std::string CurrentManifestList(const JsonObject& expected) {
  std::string list;
  const std::optional<int64_t> current = expected.FindInt64("current_snapshot_id");
  expected.ForEachIn("snapshots", [&](const Json& snapshot) {
    if (snapshot.Object().FindInt64("id") != current) return;
    list = snapshot.Object().FindString("manifest_list").value_or("");
  });
  return list;
}

TEST_F(AvroCorpus, TablesHaveTheFilesThatTheirEnginesSay) {
  int tables = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(IcebergCorpus())) {
    const std::string name = entry.path().filename();
    const size_t suffix = name.find(".expect.json");
    if (suffix == name.npos) continue;
    SCOPED_TRACE(name);
    const JsonDocument document = JsonDocument::Parse(ReadFile(entry.path()));
    const JsonObject expected = document.root().Object();
    const std::string list = CurrentManifestList(expected);
    if (list.empty() || !expected.Find("live_files")) continue;
    const Table table =
        ReadTable(IcebergCorpus() / name.substr(0, suffix), expected.String("location"), list);
    std::multiset<FileKey> live;
    expected.ForEachIn("live_files", [&](const Json& json) {
      const JsonObject file = json.Object();
      live.emplace(file.String("path"), file.Int64("record_count"), file.Int64("file_size"));
    });
    EXPECT_EQ(table.live_data_files, live);
    if (const std::optional<Json> counts = expected.Find("metadata_tables")) {
      const auto check = [&](const char* of, int64_t counted) {
        const std::optional<int64_t> value = counts->Object().FindInt64(of);
        EXPECT_EQ(counted, value.value_or(counted)) << of;
      };
      check("manifests", table.manifests);
      check("entries", table.entries);
    }
    ++tables;
  }
  EXPECT_GT(tables, 50);
}

TEST_F(AvroCorpus, EveryFileDecodesToItsLastByte) {
  int64_t files = 0;
  int64_t bounds = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(IcebergCorpus())) {
    if (entry.path().extension() != ".avro") continue;
    if (entry.path().parent_path().filename() != "metadata") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    const std::string file = ReadFile(entry.path());
    ForEachRecord(file, ManifestEntryFields(),
                  [&](const RecordCursor& cursor, const DecodePlan& plan) {
                    ArrayCursor lower(plan.items(kLowerBounds));
                    lower.Reset(cursor.slot(kLowerBounds));
                    ArrayCursor offsets(plan.items(kSplitOffsets));
                    offsets.Reset(cursor.slot(kSplitOffsets));
                    while (lower.Next()) {
                      EXPECT_GT(lower.slot(0).integer(), 0);
                      ++bounds;
                    }
                    for (int64_t last = 0; offsets.Next();) {
                      EXPECT_GT(offsets.slot(0).integer(), last);
                      last = offsets.slot(0).integer();
                    }
                  });
  }
  EXPECT_GT(files, 100);
  EXPECT_GT(bounds, 1000);
}

// Damage to any byte of a manifest gives an error or other records, never a crash.
TEST_F(AvroCorpus, SurvivesDamageToEveryByte) {
  const fs::path folder = IcebergCorpus() / "manifest-codec-uncompressed" / "metadata";
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".avro") continue;
    ++files;
    const std::string file = ReadFile(entry.path());
    for (size_t i = 0; i < file.size(); ++i) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      try {
        ForEachRecord(damaged, ManifestEntryFields(),
                      [](const RecordCursor& cursor, const DecodePlan& plan) {
                        ArrayCursor upper(plan.items(kUpperBounds));
                        upper.Reset(cursor.slot(kUpperBounds));
                        while (upper.Next()) {
                        }
                      });
      } catch (const Error& error) {
        EXPECT_NE(error.message(), "");
      }
    }
  }
  EXPECT_GT(files, 1);
}

}  // namespace
}  // namespace nunatak::avro
