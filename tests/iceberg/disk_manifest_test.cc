#include "nunatak/iceberg/disk_manifest.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/memory_image.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_columns.h"
#include "nunatak/iceberg/manifest_image_writer.h"
#include "nunatak/iceberg/partition_types.h"
#include "test_data.h"

namespace nunatak::iceberg {
namespace {

/// A manifest, decoded, with what its image must be of.
struct Decoded {
  std::shared_ptr<const ManifestColumns> columns;
  ExpectedManifest expected;
  std::string image;
};

Decoded Decode(const Table& table, const ManifestFile& file, const std::string& key = "key") {
  const PartitionSpec& spec = *table.metadata->FindSpec(file.partition_spec_id);
  const Type type = PartitionTypeOf(*table.metadata, spec);
  Decoded decoded;
  decoded.columns = ReadManifestColumns(Context(), table.io->ReadAll(file.manifest_path), file,
                                        spec, type, "", *ManifestCache::Disabled());
  decoded.expected = {
      .key = key, .content = file.content, .spec_id = spec.spec_id, .partition_type = type};
  decoded.image = WriteManifestImage(key, *decoded.columns);
  return decoded;
}

Table OpenCopy(const std::filesystem::path& directory) {
  return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
}

/// The first manifest of a table that ships with the tests.
Decoded Example(const std::string& name = "part-identity-string", const std::string& key = "key") {
  const Table table = OpenCopy(TestData() / "iceberg" / name);
  return Decode(table, ReadManifests(table, ChooseSnapshot(*table.metadata, {}).snapshot).at(0),
                key);
}

/// All ids that a column might have, some that none has, and how they are requested.
std::vector<FileRequest> Requests() {
  std::vector<int32_t> ids(40);
  std::iota(ids.begin(), ids.end(), 0);
  return {{.metric_ids = {}, .column_metrics = true},
          {.metric_ids = ids, .column_metrics = true},
          {.metric_ids = {2, 5}, .column_metrics = false}};
}

TEST(DiskManifest, SaysWhatTheManifestSays) {
  int compared = 0;
  for (const std::filesystem::path& directory : TablesAtHand()) {
    SCOPED_TRACE(directory);
    std::vector<Decoded> all;
    try {
      const Table table = OpenCopy(directory);
      for (const Snapshot& snapshot : table.metadata->snapshots) {
        for (const ManifestFile& file : ReadManifests(table, &snapshot)) {
          all.push_back(Decode(table, file));
        }
      }
    } catch (const Error&) {
      continue;  // Some tables are there to be refused.
    }
    for (const Decoded& decoded : all) {
      for (const FileRequest& request : Requests()) {
        const auto manifest = std::make_shared<const DiskManifest>(
            MemoryImage::Opener(decoded.image), decoded.expected, request);
        ExpectSameBatch(*manifest->Batch(manifest, request),
                        *decoded.columns->Batch(decoded.columns, request));
        EXPECT_GE(manifest->memory_bytes(), static_cast<int64_t>(decoded.image.size()));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(DiskManifest, ReadsMoreWhenMoreIsRequested) {
  const Decoded decoded = Example();
  const FileRequest more{.metric_ids = {1, 2, 3}, .column_metrics = true};
  const FileRequest few{.metric_ids = {1}, .column_metrics = false};
  std::string image = decoded.image;
  const auto open = [&image] { return std::make_unique<MemoryImage>(image); };
  const auto manifest = std::make_shared<const DiskManifest>(open, decoded.expected, few);
  // What was read stays, whatever becomes of the image.
  image = Example("part-identity-string", "other").image;
  EXPECT_NE(manifest->Batch(manifest, few), nullptr);
  EXPECT_EQ(manifest->Batch(manifest, more), nullptr);
  image.clear();
  EXPECT_NE(manifest->Batch(manifest, few), nullptr);
  EXPECT_EQ(manifest->Batch(manifest, more), nullptr);
  image = decoded.image;
  ExpectSameBatch(*manifest->Batch(manifest, more), *decoded.columns->Batch(decoded.columns, more));
}

TEST(DiskManifest, MetricsThatWereNotRequestedAreReadAtLast) {
  const Decoded decoded = Example();
  std::string image = decoded.image;
  const auto open = [&image] { return std::make_unique<MemoryImage>(image); };
  const FileRequest request{.metric_ids = {}, .column_metrics = false};
  const auto manifest = std::make_shared<const DiskManifest>(open, decoded.expected, request);
  const auto batch = manifest->Batch(manifest, request);
  std::vector<DataFile> files;
  image.clear();
  ErrorOf(ErrorCode::kIo, [&] { batch->AppendFiles(std::vector<uint32_t>{0}, true, &files); });
  image = decoded.image;
  files.clear();
  batch->AppendFiles(std::vector<uint32_t>{0}, true, &files);
  EXPECT_FALSE(files.at(0).metrics.empty());
}

TEST(DiskManifest, IsOfTheExpectedManifest) {
  const Decoded decoded = Example();
  const auto open = [&](const ExpectedManifest& expected) {
    DiskManifest(MemoryImage::Opener(decoded.image), expected, {});
  };
  open(decoded.expected);
  for (const auto& change : std::vector<std::function<void(ExpectedManifest*)>>{
           [](ExpectedManifest* e) { e->key = "kez"; },
           [](ExpectedManifest* e) { e->key = "key "; }, [](ExpectedManifest* e) { e->key = ""; },
           [](ExpectedManifest* e) { e->content = ManifestContent::kDeletes; },
           [](ExpectedManifest* e) { e->spec_id += 1; },
           [](ExpectedManifest* e) { e->partition_type = Type::Struct({}); },
           [](ExpectedManifest* e) {
             std::vector<Field> fields(e->partition_type.fields().begin(),
                                       e->partition_type.fields().end());
             fields.at(0).type = TypeId::kLong;
             e->partition_type = Type::Struct(fields);
           }}) {
    ExpectedManifest expected = decoded.expected;
    change(&expected);
    ErrorOf(ErrorCode::kInvalid, [&] { open(expected); });
  }
}

TEST(DiskManifest, EveryCutAndEveryFlippedBitIsNoticed) {
  const Decoded decoded = Example();
  const FileRequest all{.metric_ids = {1}, .column_metrics = true};
  const auto open = [&](std::string image) {
    ErrorOf(ErrorCode::kInvalid,
            [&] { DiskManifest(MemoryImage::Opener(std::move(image)), decoded.expected, all); });
  };
  for (size_t length = 0; length < decoded.image.size(); ++length) {
    open(decoded.image.substr(0, length));
  }
  open(decoded.image + '\0');
  for (size_t bit = 0; bit < 8 * decoded.image.size(); ++bit) {
    std::string image = decoded.image;
    image[bit / 8] = static_cast<char>(image[bit / 8] ^ (1 << bit % 8));
    open(std::move(image));
  }
}

/// What a checksum does not protect: an image that somebody made. It is refused, or well-formed.
TEST(DiskManifest, DamageBehindTheChecksumsIsNoHarm) {
  std::mt19937 random(20260301);
  const FileRequest request{.metric_ids = {1, 2}, .column_metrics = true};
  int accepted = 0;
  for (const char* name : {"part-identity-string", "dv-basic", "part-days-tstz"}) {
    const Decoded decoded = Example(name);
    for (int i = 0; i < 4000; ++i) {
      std::string image = decoded.image;
      for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
        image[random() % image.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      }
      ResealImage(&image);
      try {
        const auto manifest = std::make_shared<const DiskManifest>(MemoryImage::Opener(image),
                                                                   decoded.expected, request);
        const auto batch = manifest->Batch(manifest, request);
        ExpectSameBatch(*batch, *batch);
        ++accepted;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalid) << error.message();
      }
    }
  }
  EXPECT_GT(accepted, 50);
}

}  // namespace
}  // namespace nunatak::iceberg
