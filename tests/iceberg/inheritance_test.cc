#include "nunatak/iceberg/inheritance.h"

#include <gtest/gtest.h>

#include "iceberg/errors.h"

namespace nunatak::iceberg {
namespace {

constexpr EntryStatus kExisting = EntryStatus::kExisting;
constexpr EntryStatus kAdded = EntryStatus::kAdded;
constexpr EntryStatus kDeleted = EntryStatus::kDeleted;

ManifestFile ListEntry(int64_t sequence_number, std::optional<int64_t> first_row_id = {}) {
  ManifestFile file;
  file.sequence_number = sequence_number;
  file.added_snapshot_id = 900;
  file.first_row_id = first_row_id;
  return file;
}

struct SequenceCase {
  const char* what;
  int64_t manifest_sequence_number;
  int32_t format_version;
  bool has_columns;
  EntryStatus status;
  std::optional<int64_t> own;
  std::optional<int64_t> want;
};

TEST(Inheritance, SequenceNumbers) {
  const SequenceCase cases[] = {
      {"ADDED inherits", 7, 2, true, kAdded, {}, 7},
      {"ADDED keeps its own", 7, 2, true, kAdded, 3, 3},
      {"EXISTING keeps its own", 7, 2, true, kExisting, 3, 3},
      {"DELETED keeps its own", 7, 2, true, kDeleted, 0, 0},
      {"EXISTING may not inherit", 7, 2, true, kExisting, {}, {}},
      {"DELETED may not inherit", 7, 2, true, kDeleted, {}, {}},
      {"a manifest of an upgraded v1 table: number 0 is everybody's", 0, 2, true, kExisting, {}, 0},
      {"v1 without columns: 0, whatever the list says", 7, 1, false, kExisting, {}, 0},
      {"v1 without columns: ADDED too", 7, 1, false, kAdded, {}, 0},
      {"v2 without columns: null, and inherited", 7, 2, false, kAdded, {}, 7},
      {"v2 without columns: EXISTING may not inherit", 7, 2, false, kExisting, {}, {}},
      {"v1 with columns: as v2", 7, 1, true, kAdded, {}, 7},
  };
  for (const SequenceCase& c : cases) {
    const Inheritance inheritance(ListEntry(c.manifest_sequence_number), c.format_version,
                                  c.has_columns);
    EXPECT_EQ(inheritance.SequenceNumber(c.status, c.own), c.want) << c.what;
  }
}

TEST(Inheritance, SnapshotIds) {
  const Inheritance inheritance(ListEntry(1), 2, true);
  EXPECT_EQ(inheritance.SnapshotId(std::nullopt), 900);
  EXPECT_EQ(inheritance.SnapshotId(5), 5);
}

TEST(Inheritance, RowIdsCountLiveFilesThatHaveNoneOfTheirOwn) {
  Inheritance inheritance(ListEntry(1, 1000), 3, true);
  EXPECT_EQ(inheritance.FirstRowId(kAdded, {}, 10), 1000);
  EXPECT_EQ(inheritance.FirstRowId(kExisting, 5, 100), 5);  // has its own: does not count
  EXPECT_EQ(inheritance.FirstRowId(kDeleted, {}, 100), std::nullopt);  // neither gets nor counts
  EXPECT_EQ(inheritance.FirstRowId(kDeleted, 6, 100), 6);
  EXPECT_EQ(inheritance.FirstRowId(kExisting, {}, 20), 1010);  // EXISTING inherits like ADDED
  EXPECT_EQ(inheritance.FirstRowId(kAdded, {}, 1), 1030);
}

TEST(Inheritance, WithoutAFirstRowIdOnTheManifestNoFileHasOne) {
  Inheritance inheritance(ListEntry(1), 3, true);
  EXPECT_EQ(inheritance.FirstRowId(kAdded, {}, 10), std::nullopt);
  EXPECT_EQ(inheritance.FirstRowId(kExisting, 5, 10), std::nullopt);
}

TEST(Inheritance, DeleteFilesHaveNoRowIds) {
  ManifestFile file = ListEntry(1, 1000);
  file.content = ManifestContent::kDeletes;
  Inheritance inheritance(file, 3, true);
  EXPECT_EQ(inheritance.FirstRowId(kAdded, {}, 10), std::nullopt);
}

TEST(Inheritance, RowIdsBeyondTheRangeAreAnError) {
  Inheritance inheritance(ListEntry(1, INT64_MAX - 5), 3, true);
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { inheritance.FirstRowId(kAdded, {}, 10); })
                .find("overflow"),
            std::string::npos);
}

}  // namespace
}  // namespace nunatak::iceberg
