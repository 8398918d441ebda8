#include "nunatak/iceberg/table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/metadata_texts.h"
#include "nunatak/iceberg/metadata_file_name.h"

namespace nunatak::iceberg {
namespace {

TEST(MetadataFileNameTest, StemsAndVersions) {
  struct Case {
    std::string_view name;
    std::string_view stem;
    std::optional<int64_t> version;
  };
  const std::string_view uuid = "12345678-1111-4222-8333-123456789012";
  const std::string finished = "00012-" + std::string(uuid);
  const std::string finished_name = finished + ".metadata.json";
  const std::string unfinished_name = std::string(uuid) + ".metadata.json";
  const std::vector<Case> cases = {
      {"v3.metadata.json", "v3", 3},
      {"3.metadata.json", "3", 3},
      {"v3.gz.metadata.json", "v3", 3},
      {"v3.gzip.metadata.json", "v3", 3},
      {"v3.metadata.json.gz", "v3", 3},
      {finished_name, finished, 12},
      {unfinished_name, uuid, std::nullopt},
      {"vx.metadata.json", "vx", std::nullopt},
      {"v1234567890123456789.metadata.json", "v1234567890123456789", std::nullopt},
      {".metadata.json", "", std::nullopt},
  };
  for (const Case& c : cases) {
    ASSERT_TRUE(IsMetadataFileName(c.name)) << c.name;
    EXPECT_EQ(MetadataFileStem(c.name), c.stem);
    EXPECT_EQ(VersionOfStem(c.stem), c.version) << c.name;
  }
  for (const char* name : {"v3.metadata.json.crc", "version-hint.text", "v3.json", "snap-1.avro"}) {
    EXPECT_FALSE(IsMetadataFileName(name)) << name;
  }
}

/// A table directory whose metadata files record their own name in the property "name".
class OpenTableTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_ + "/metadata");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void WriteMetadata(const std::string& name) {
    JsonText json = TextV2();
    json["properties"] = {{"name", name}};
    Write("metadata/" + name, json.dump());
  }
  void Write(const std::string& name, std::string_view content) {
    std::ofstream(directory_ + "/" + name, std::ios::binary) << content;
  }
  Table Open(const std::string& location, bool moved = false) {
    return OpenTable(io_, location, {.moved = moved});
  }
  std::string OpenedName() { return std::string(*Open(directory_).metadata->FindProperty("name")); }

  std::string directory_ =
      testing::TempDir() + "nunatak open%20table " + std::to_string(::getpid());
  std::shared_ptr<FileIO> io_ = MakeLocalFileIO();
};

TEST_F(OpenTableTest, ByMetadataFileWhateverItsName) {
  WriteMetadata("00001-a.metadata.json");
  WriteMetadata("pointer");
  WriteMetadata("v7.json");
  for (const char* name : {"00001-a.metadata.json", "pointer", "v7.json"}) {
    const std::string location = directory_ + "/metadata/" + name;
    for (const std::string& spelling : {location, "file:" + location, "file://" + location}) {
      const Table table = Open(spelling);
      EXPECT_EQ(table.metadata->FindProperty("name"), name);
      EXPECT_EQ(table.metadata_location, location);
      EXPECT_EQ(table.base_location, directory_);
      EXPECT_FALSE(table.pointer_guessed);
    }
  }
}

TEST_F(OpenTableTest, ByDirectoryInEverySpelling) {
  WriteMetadata("v1.metadata.json");
  for (const std::string& spelling : {directory_, directory_ + "/", directory_ + "//",
                                      "file:" + directory_, "file://" + directory_ + "/"}) {
    const Table table = Open(spelling);
    EXPECT_EQ(table.metadata_location, directory_ + "/metadata/v1.metadata.json");
    EXPECT_EQ(table.base_location, directory_);
  }
}

TEST_F(OpenTableTest, TheHighestVersionCountsWithoutAHint) {
  WriteMetadata("v9.metadata.json");
  WriteMetadata("v10.metadata.json");
  Write("metadata/v11.metadata.json.crc", "");
  Write("metadata/99999999-1111-4222-8333-123456789012.metadata.json", "unfinished");
  EXPECT_EQ(OpenedName(), "v10.metadata.json");
  EXPECT_TRUE(Open(directory_).pointer_guessed);
  WriteMetadata("00012-9c12d441-03fe-4693-9a96-a0705ddf69c1.metadata.json");
  EXPECT_EQ(OpenedName(), "00012-9c12d441-03fe-4693-9a96-a0705ddf69c1.metadata.json");
}

TEST_F(OpenTableTest, TwoFilesOfTheVersionThatCountsAreAnError) {
  WriteMetadata("00001-a.metadata.json");
  WriteMetadata("00001-b.metadata.json");
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { Open(directory_); });
  EXPECT_NE(message.find("00001-a.metadata.json"), std::string::npos) << message;
  EXPECT_NE(message.find("00001-b.metadata.json"), std::string::npos) << message;
  WriteMetadata("00002-c.metadata.json");
  EXPECT_EQ(OpenedName(), "00002-c.metadata.json");
}

TEST_F(OpenTableTest, TheHintNamesTheFileInManyForms) {
  struct Case {
    std::string file;
    std::string hint;
  };
  const std::vector<Case> cases = {
      {"v3.metadata.json", "3"},
      {"v3.metadata.json", "3\n"},
      {"v3.metadata.json", " 3\r\n"},
      {"v3.metadata.json", "v3"},
      {"v3.metadata.json", "v3.metadata.json"},
      {"v3.metadata.json", "file:/lake/t/metadata/v3.metadata.json"},
      {"3.metadata.json", "3"},
      {"v3.gz.metadata.json", "3"},
      {"v3.metadata.json.gz", "3"},
      {"v3.gzip.metadata.json", "v3"},
      {"00003-a-b.metadata.json", "00003-a-b\n"},
      {"00003-a-b.metadata.json", "3"},
      {"current.metadata.json", "current"},
  };
  for (const Case& c : cases) {
    SetUp();
    WriteMetadata("00001-older.metadata.json");
    WriteMetadata(c.file);
    WriteMetadata("00009-not-committed.metadata.json");
    Write("metadata/version-hint.text", c.hint);
    EXPECT_EQ(OpenedName(), c.file) << c.hint;
    EXPECT_FALSE(Open(directory_).pointer_guessed);
  }
}

TEST_F(OpenTableTest, VersionsCommittedAfterTheHintAreFollowed) {
  for (const char* name : {"v2.metadata.json", "v3.metadata.json", "v4.metadata.json",
                           "v6.metadata.json", "00005-a.metadata.json"}) {
    WriteMetadata(name);
  }
  Write("metadata/version-hint.text", "2");
  EXPECT_EQ(OpenedName(), "v4.metadata.json");  // v6 does not follow v4
}

TEST_F(OpenTableTest, AHintToAMissingFileIsAnError) {
  WriteMetadata("v3.metadata.json");
  for (const char* hint : {"4", "v4", "%s"}) {
    Write("metadata/version-hint.text", hint);
    const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { Open(directory_); });
    EXPECT_NE(message.find("version-hint.text"), std::string::npos) << message;
    EXPECT_NE(message.find(hint), std::string::npos) << message;
  }
}

TEST_F(OpenTableTest, AnEmptyHintSaysNothing) {
  WriteMetadata("v3.metadata.json");
  Write("metadata/version-hint.text", "\n");
  EXPECT_EQ(OpenedName(), "v3.metadata.json");
  EXPECT_TRUE(Open(directory_).pointer_guessed);
}

TEST_F(OpenTableTest, WhatIsNoTableIsNotFound) {
  const std::string message = ErrorOf(ErrorCode::kNotFound, [&] { Open(directory_); });
  EXPECT_NE(message.find("no table metadata in " + directory_ + "/metadata"), std::string::npos);
  std::filesystem::remove(directory_ + "/metadata");
  ErrorOf(ErrorCode::kNotFound, [&] { Open(directory_); });
  ErrorOf(ErrorCode::kNotFound, [&] { Open(directory_ + "/nothing"); });
  ErrorOf(ErrorCode::kNotFound, [&] { Open(directory_ + "/metadata/v1.metadata.json"); });
}

TEST_F(OpenTableTest, ErrorsNameTheFile) {
  Write("metadata/v1.metadata.json", "{\"format-version\": 2}");
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { Open(directory_); });
  EXPECT_TRUE(message.starts_with(directory_ + "/metadata/v1.metadata.json: ")) << message;
}

TEST_F(OpenTableTest, AMovedTableIsReadWhereItWasOpened) {
  WriteMetadata("v1.metadata.json");  // records file:/lake/t
  Write("data.bin", "rows");
  for (const std::string& spelling : {directory_, directory_ + "/metadata/v1.metadata.json"}) {
    const Table table = Open(spelling, /*moved=*/true);
    for (const char* recorded :
         {"file:/lake/t/data.bin", "/lake/t/data.bin", "file:///lake/t/data.bin"}) {
      EXPECT_EQ(AsText(table.io->ReadAll(recorded).bytes), "rows") << recorded;
    }
    EXPECT_EQ(table.io->locations().Map("file:/lake/t2/x"), "/lake/t2/x");
  }
  const Table unmoved = Open(directory_);
  ErrorOf(ErrorCode::kNotFound, [&] { unmoved.io->ReadAll("file:/lake/t/data.bin"); });
}

TEST_F(OpenTableTest, AMovedTableMayBeOpenedFromInside) {
  WriteMetadata("v1.metadata.json");
  Write("data.bin", "rows");
  const std::filesystem::path before = std::filesystem::current_path();
  struct Case {
    std::string directory;
    std::string location;
  };
  for (const Case& c : std::vector<Case>{{"", "."},
                                         {"", "metadata/v1.metadata.json"},
                                         {"metadata", "v1.metadata.json"},
                                         {"metadata", "./v1.metadata.json"},
                                         {"metadata", ".."},
                                         {"metadata", "../metadata/v1.metadata.json"}}) {
    std::filesystem::current_path(directory_ + "/" + c.directory);
    const Table table = Open(c.location, /*moved=*/true);
    EXPECT_EQ(AsText(table.io->ReadAll("file:/lake/t/data.bin").bytes), "rows") << c.location;
  }
  std::filesystem::current_path(before);
}

TEST_F(OpenTableTest, RelocationsAndMovesWorkTogether) {
  WriteMetadata("v1.metadata.json");
  Write("data.bin", "rows");
  LocationMap relocations;
  relocations.Add("s3://bucket/t", directory_);
  io_ = MakeLocalFileIO(relocations);
  const Table table = Open("s3a://bucket/t", /*moved=*/true);
  EXPECT_EQ(AsText(table.io->ReadAll("file:/lake/t/data.bin").bytes), "rows");
  EXPECT_EQ(AsText(table.io->ReadAll("s3://bucket/t/data.bin").bytes), "rows");
}

TEST(OpenTableCorpusTest, EveryTableOpensByItsDirectory) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  const std::shared_ptr<FileIO> io = MakeLocalFileIO();
  for (const std::string& name : CorpusTables()) {
    const std::filesystem::path directory = CorpusDirectory() / name;
    const std::string current = Expectation(name).at("metadata_file");
    const Table table = OpenTable(io, directory.string(), {.moved = true});
    EXPECT_EQ(table.metadata_location, directory / current) << name;
    const bool has_hint = std::filesystem::exists(directory / "metadata/version-hint.text");
    EXPECT_NE(table.pointer_guessed, has_hint) << name;
    if (const Snapshot* snapshot = table.metadata->current_snapshot()) {
      EXPECT_TRUE(table.io->Exists(*snapshot->manifest_list)) << name;
    }
  }
}

}  // namespace
}  // namespace nunatak::iceberg
