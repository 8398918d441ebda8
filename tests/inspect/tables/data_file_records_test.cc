#include "nunatak/inspect/tables/data_file_records.h"

#include <arrow/array.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/tables/file_columns.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "test_data.h"

namespace nunatak {
namespace {

std::shared_ptr<arrow::Array> ColumnOf(const FileColumns& columns, const Field& field,
                                       const FileRecords& files) {
  std::vector<uint32_t> all(files.size());
  std::iota(all.begin(), all.end(), 0);
  const FileColumnPtr column = columns.MakeColumn(field);
  FileRun run(files, all.size());
  run.Begin(all);
  column->Append(run);
  return column->Finish();
}

/// The entries of a manifest as it records them, and the same as objects.
TEST(DataFileRecords, ObjectsGiveTheColumnsThatTheirManifestGives) {
  for (const char* name : {"mor-pos-partition", "dv-basic", "eq-delete-single", "nested-types",
                           "primitives-v3-parquet", "v1-upgraded-v2", "part-days-tstz"}) {
    const auto path = TestData() / "iceberg" / name;
    const iceberg::Table table =
        iceberg::OpenTable(MakeLocalFileIO(), path.string(), {.moved = true});
    const iceberg::TableMetadata& metadata = *table.metadata;
    const FileColumns columns(iceberg::MergedPartitionsOf(metadata), metadata.current_schema());
    const ManifestParts manifests = SnapshotManifests(table, metadata.current_snapshot());
    ASSERT_GT(manifests.size(), 0U);
    for (size_t part = 0; part < manifests.size(); ++part) {
      const iceberg::Manifest manifest = iceberg::ReadManifest(table, manifests.file(part));
      std::vector<DataFile> files;
      for (const iceberg::ManifestEntry& entry : manifest.entries) files.push_back(entry.data_file);
      const DataFileRecords objects(std::move(files), manifest.partition_spec);
      std::vector<Field> fields = columns.fields();
      fields.push_back(columns.readable_metrics());
      for (const Field& field : fields) {
        const auto recorded = ColumnOf(columns, field, *manifests.Rows(part));
        EXPECT_TRUE(recorded->ValidateFull().ok()) << field.name;
        EXPECT_TRUE(recorded->Equals(ColumnOf(columns, field, objects)))
            << name << " " << field.name;
      }
    }
  }
}

TEST(DataFileRecords, AnErrorNamesTheFile) {
  DataFile file;
  file.file_path = "a.parquet";
  const DataFileRecords records({file}, PartitionSpec());
  constexpr uint32_t kFirst[] = {0};
  try {
    records.ForEach(kFirst, [](size_t) { ThrowInvalid("it is odd"); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a.parquet: it is odd");
  }
}

}  // namespace
}  // namespace nunatak
