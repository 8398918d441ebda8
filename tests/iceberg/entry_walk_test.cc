#include "nunatak/iceberg/entry_walk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "nunatak/iceberg/field_metrics.h"

namespace nunatak::iceberg {
namespace {

const HeaderEntries kVersion2 = {{"format-version", "2"}, {"content", "data"}};

ManifestFile ListEntry() {
  ManifestFile file;
  file.manifest_path = "m.avro";
  file.sequence_number = 7;
  file.added_snapshot_id = 900;
  return file;
}

Buffer BytesOf(const std::string& text) {
  return Buffer::From(std::vector<uint8_t>(text.begin(), text.end()));
}

/// A walk over a manifest of an unpartitioned table.
class Walked {
 public:
  explicit Walked(const std::string& bytes, const ManifestFile& file = ListEntry())
      : file_(file),
        cache_(ManifestCache::Disabled()),
        walk_(BytesOf(bytes), file_, PartitionSpec(), Type::Struct({}), "", *cache_) {}

  EntryWalk& operator*() { return walk_; }

 private:
  ManifestFile file_;
  std::shared_ptr<ManifestCache> cache_;
  EntryWalk walk_;
};

/// Entries of that status with those sequence numbers; null: none of their own.
std::string ManifestOf(EntryStatus status, bool with_numbers) {
  AvroFields entry = EntryFieldsOf(DataFileFields());
  entry[0] = Int("status", 0, static_cast<int32_t>(status));
  if (with_numbers) {
    entry[2] = Long("sequence_number", 3, 5);
    entry[3] = Long("file_sequence_number", 4, 6);
  }
  return ManifestBytes(entry, kVersion2);
}

TEST(EntryWalk, TellsWhatIsRecordedFromWhatIsInherited) {
  Walked walked(ManifestOf(EntryStatus::kAdded, false));
  int count = 0;
  (*walked).ForEach([&](const WalkedEntry& entry) {
    EXPECT_EQ(entry.index, count++);
    EXPECT_TRUE(entry.slots[kSequenceNumber].is_null());
    EXPECT_TRUE(entry.slots[kSnapshotId].is_null());
    EXPECT_EQ(entry.head.sequence_number, 7);
    EXPECT_EQ(entry.head.file_sequence_number, 7);
    EXPECT_EQ(entry.head.snapshot_id, 900);
    EXPECT_EQ(entry.slots[kFilePath].text(), "data/a.parquet");
  });
  EXPECT_EQ(count, 1);
}

TEST(EntryWalk, VisitsDeletedEntries) {
  Walked walked(ManifestOf(EntryStatus::kDeleted, true));
  int count = 0;
  (*walked).ForEach([&](const WalkedEntry& entry) {
    ++count;
    EXPECT_EQ(entry.head.status, EntryStatus::kDeleted);
    EXPECT_EQ(entry.head.sequence_number, 5);
    EXPECT_EQ(entry.head.file_sequence_number, 6);
  });
  EXPECT_EQ(count, 1);
}

TEST(EntryWalk, LeavesNumbersNullThatMayNotBeInherited) {
  Walked walked(ManifestOf(EntryStatus::kExisting, false));
  (*walked).ForEach(
      [](const WalkedEntry& entry) { EXPECT_EQ(entry.head.sequence_number, std::nullopt); });
}

TEST(EntryWalk, NamesTheEntryThatIsWrong) {
  AvroFields entry = EntryFieldsOf(DataFileFields());
  entry[0] = Int("status", 0, 3);
  Walked walked(ManifestBytes(entry, kVersion2));
  EXPECT_EQ(ErrorOf(ErrorCode::kInvalid, [&] { (*walked).ForEach([](const WalkedEntry&) {}); }),
            "entry 0: field 'status' is 3, outside 0 to 2 | ");
}

/// The metrics of the one entry.
std::vector<FieldMetrics> MetricsOf(Walked* walked) {
  std::vector<FieldMetrics> found;
  FieldMetricsReader reader((**walked).shape());
  (**walked).ForEach([&](const WalkedEntry& entry) {
    const auto metrics = reader.Read(entry.slots);
    found.assign(metrics.begin(), metrics.end());
  });
  return found;
}

std::string ManifestWith(const AvroFields& maps) {
  AvroFields file = DataFileFields();
  file.insert(file.end(), maps.begin(), maps.end());
  return ManifestBytes(EntryFieldsOf(file), kVersion2);
}

TEST(FieldMetrics, GatherWhatTheMapsSayOfAField) {
  Walked walked(ManifestWith(
      {Map("value_counts", 109, 119, 120, "long", AvroBytes().LongMap({{2, 10}, {1, -3}}).bytes()),
       Map("lower_bounds", 125, 126, 127, "bytes",
           AvroBytes().TextMap({{3, "c"}, {2, "b"}}).bytes())}));
  const std::vector<FieldMetrics> metrics = MetricsOf(&walked);
  ASSERT_EQ(metrics.size(), 3);
  EXPECT_EQ(metrics[0].field_id, 2);
  EXPECT_EQ(metrics[0].value_count, 10);
  EXPECT_EQ(AsText(*metrics[0].lower_bound), "b");
  EXPECT_EQ(metrics[0].upper_bound, std::nullopt);
  EXPECT_EQ(metrics[1].field_id, 1);
  EXPECT_EQ(metrics[1].value_count, -3);
  EXPECT_EQ(metrics[2].field_id, 3);
  EXPECT_EQ(metrics[2].value_count, std::nullopt);
}

TEST(FieldMetrics, SeeAFieldThatAMapHasTwice) {
  Walked walked(ManifestWith(
      {Map("value_counts", 109, 119, 120, "long",
           AvroBytes().LongMap({{1, 10}, {2, 10}, {1, 11}}).bytes()),
       Map("lower_bounds", 125, 126, 127, "bytes", AvroBytes().TextMap({{2, "b"}}).bytes())}));
  const std::vector<FieldMetrics> metrics = MetricsOf(&walked);
  ASSERT_EQ(metrics.size(), 2);
  EXPECT_TRUE(metrics[0].twice);
  EXPECT_EQ(metrics[0].value_count, 11);
  EXPECT_FALSE(metrics[1].twice);
}

}  // namespace
}  // namespace nunatak::iceberg
