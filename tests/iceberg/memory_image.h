#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/disk_manifest.h"
#include "nunatak/iceberg/manifest_image.h"

namespace nunatak::iceberg {

/// An image in memory. Reads of bytes that it does not have fail the test.
class MemoryImage final : public ImageBytes {
 public:
  explicit MemoryImage(std::string bytes) : bytes_(std::move(bytes)) {}

  static DiskManifest::OpenImage Opener(std::string bytes) {
    return [bytes = std::move(bytes)] { return std::make_unique<MemoryImage>(bytes); };
  }

  uint64_t size() const override { return bytes_.size(); }
  void Read(uint64_t offset, std::span<uint8_t> to) const override {
    ASSERT_LE(offset, size());
    ASSERT_LE(to.size(), size() - offset);
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), to.size(), to.begin());
  }

 private:
  std::string bytes_;
};

inline void ExpectSameColumn(const MetricColumn& got, const MetricColumn& want) {
  EXPECT_EQ(got.value_counts, want.value_counts);
  EXPECT_EQ(got.null_value_counts, want.null_value_counts);
  EXPECT_EQ(got.nan_value_counts, want.nan_value_counts);
  for (const auto bounds : {&MetricColumn::lower_bounds, &MetricColumn::upper_bounds}) {
    ASSERT_EQ((got.*bounds).size(), (want.*bounds).size());
    for (size_t i = 0; i < (want.*bounds).size(); ++i) {
      const ByteSpan a = (got.*bounds)[i];
      const ByteSpan b = (want.*bounds)[i];
      EXPECT_EQ(a.data() == nullptr, b.data() == nullptr) << i;
      EXPECT_EQ(AsText(a), AsText(b)) << i;
    }
  }
}

/// Two batches, requested alike and with column metrics, are the same in all that they say.
inline void ExpectSameBatch(const FileBatch& got, const FileBatch& want) {
  const auto same = [](const auto& a, const auto& b) { return std::ranges::equal(a, b); };
  ASSERT_EQ(got.size(), want.size());
  EXPECT_TRUE(same(got.contents, want.contents));
  EXPECT_TRUE(same(got.file_paths, want.file_paths));
  EXPECT_TRUE(same(got.record_counts, want.record_counts));
  EXPECT_TRUE(same(got.file_sizes, want.file_sizes));
  EXPECT_TRUE(same(got.data_sequence_numbers, want.data_sequence_numbers));
  EXPECT_EQ(got.partition_spec_id, want.partition_spec_id);
  ASSERT_EQ(got.tuple_count, want.tuple_count);
  EXPECT_TRUE(same(got.tuple_numbers, want.tuple_numbers));
  ASSERT_EQ(got.tuples.size(), want.tuples.size());
  for (size_t field = 0; field < want.tuples.size(); ++field) {
    for (size_t t = 0; t < want.tuple_count; ++t) {
      EXPECT_EQ(Value::Of(got.tuples[field][t]), Value::Of(want.tuples[field][t]));
    }
  }
  ASSERT_EQ(got.metrics.size(), want.metrics.size());
  for (size_t i = 0; i < want.metrics.size(); ++i) {
    ExpectSameColumn(*got.metrics[i], *want.metrics[i]);
  }
  std::vector<uint32_t> all(want.size());
  std::iota(all.begin(), all.end(), 0);
  for (const bool column_metrics : {false, true}) {
    std::vector<DataFile> got_files, want_files;
    got.AppendFiles(all, column_metrics, &got_files);
    want.AppendFiles(all, column_metrics, &want_files);
    EXPECT_EQ(got_files, want_files);
  }
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got.FileSequenceNumber(i), want.FileSequenceNumber(i));
    EXPECT_EQ(got.SnapshotId(i), want.SnapshotId(i));
    EXPECT_EQ(got.IsAdded(i), want.IsAdded(i));
  }
}

}  // namespace nunatak::iceberg
