// Attaching deletes must not compare every delete file with every data file. These tests count
// comparisons, since times depend on the machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "many_deletes.h"

namespace nunatak {
namespace {

constexpr int64_t kLogFiles = 17;

struct Attached {
  int64_t references = 0;
  int64_t looked_at = 0;
};

Attached AttachAll(std::vector<DeletePtr> deletes, int sequence_numbers) {
  const FakeSource source = ManyFilesSource();
  const DeleteIndex index = BuildDeleteIndex(deletes, source);
  const MetricsLayout layout(index.key_columns(), source.schema());
  const auto batch = DataFiles(layout, sequence_numbers);
  const DeleteLookup lookup(index, *batch, layout);
  Attached attached;
  for (size_t i = 0; i < batch->size(); ++i) {
    attached.references += static_cast<int64_t>(lookup.DeletesFor(i).size());
  }
  attached.looked_at = lookup.looked_at();
  return attached;
}

TEST(DeleteScale, PositionDeletesOfOnePartition) {
  const Attached attached = AttachAll(NarrowPositionDeletes(1), 1);
  EXPECT_EQ(attached.references, 2 * kFiles - 1);
  EXPECT_LE(attached.looked_at, kFiles * 8 * kLogFiles);
}

TEST(DeleteScale, PositionDeletesOfManySequenceNumbers) {
  // The delete of the file before is older, except where the numbers begin again.
  const Attached attached = AttachAll(NarrowPositionDeletes(1000), 1000);
  EXPECT_EQ(attached.references, kFiles + kFiles / 1000 - 1);
  EXPECT_LE(attached.looked_at, kFiles * (2 * kLogFiles + kLogFiles * kLogFiles));
}

TEST(DeleteScale, EqualityDeletesOfTheWholeTable) {
  const Attached attached = AttachAll(NarrowEqualityDeletes(1), 1);
  EXPECT_EQ(attached.references, kFiles);
  EXPECT_LE(attached.looked_at, kFiles * 8 * kLogFiles);
}

TEST(DeleteScale, EqualityDeletesOfManySequenceNumbers) {
  const Attached attached = AttachAll(NarrowEqualityDeletes(1000), 1000);
  EXPECT_EQ(attached.references, kFiles);
  EXPECT_LE(attached.looked_at, kFiles * (2 * kLogFiles + kLogFiles * kLogFiles));
}

// Bounds that were all cut to the same text say nothing within a table, but partitions still do.
TEST(DeleteScale, PositionDeletesWithBoundsCutToTheTablesLocation) {
  FakeSource source = ManyFilesSource();
  source.AddSpec({1, {{{1}, 1000, "day", TransformId::kIdentity}}});
  constexpr int kPartitions = 10'000;
  std::vector<DeletePtr> deletes;
  std::vector<FakeEntry> entries(kPartitions);
  for (int i = 0; i < kPartitions; ++i) {
    DeleteFile file;
    file.file.content = FileContent::kPositionDeletes;
    file.file.partition_spec_id = 1;
    file.file.partition = {Value::Integer(i)};
    file.file.metrics = {{.field_id = kDeletePathColumnId,
                          .lower_bound = "s3://bucket/tab",
                          .upper_bound = "s3://bucket/tab"}};
    file.data_sequence_number = 1;
    deletes.push_back(std::make_shared<const DeleteFile>(std::move(file)));
    entries[i].file.file_path = DataPath(i);
    entries[i].file.partition = {Value::Integer(i)};
  }
  const DeleteIndex index = BuildDeleteIndex(deletes, source);
  const FakeBatch batch(std::move(entries), 1, {});
  const MetricsLayout layout;
  const DeleteLookup lookup(index, batch, layout);
  for (size_t i = 0; i < batch.size(); ++i) EXPECT_EQ(lookup.DeletesFor(i).size(), 1u);
  EXPECT_LE(lookup.looked_at(), kPartitions);
}

}  // namespace
}  // namespace nunatak
