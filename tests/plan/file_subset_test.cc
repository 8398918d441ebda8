#include "nunatak/plan/file_subset.h"

#include <gtest/gtest.h>

#include "plan/fake_source.h"

namespace nunatak {
namespace {

constexpr int32_t kColumn = 1;

std::vector<FakeEntry> FiveFiles() {
  std::vector<FakeEntry> entries;
  for (int i = 0; i < 5; ++i) {
    FakeEntry& entry = entries.emplace_back();
    entry.file.file_path = "file-" + std::to_string(i);
    entry.file.record_count = 10 + i;
    entry.file.file_size_in_bytes = 100 + i;
    entry.file.partition = std::vector<Value>{Value::Of(ValueView::Integer(i / 2))};
    entry.sequence_number = 7 - i;
    if (i == 3) continue;  // no metrics
    entry.file.metrics = {{.field_id = kColumn,
                           .column_size = {},
                           .value_count = 10 + i,
                           .null_value_count = i,
                           .nan_value_count = 0,
                           .lower_bound = std::string(4, static_cast<char>(i)),
                           .upper_bound = std::string(4, static_cast<char>(i + 1))}};
  }
  return entries;
}

std::vector<std::string> Texts(const std::vector<ByteSpan>& bounds) {
  std::vector<std::string> texts;
  for (const ByteSpan bound : bounds) {
    texts.push_back(bound.data() ? std::string(AsText(bound)) : "absent");
  }
  return texts;
}

TEST(FileSubset, SaysOfItsFilesWhatTheBatchSays) {
  const FileRequest request{.metric_ids = {kColumn}, .column_metrics = true};
  const auto batch = std::make_shared<FakeBatch>(FiveFiles(), 4, request);
  const std::vector<uint32_t> positions = {1, 3, 4};
  const auto subset = SubsetOf(batch, positions);
  ASSERT_EQ(subset->size(), positions.size());
  EXPECT_EQ(subset->partition_spec_id, 4);
  std::vector<DataFile> files;
  subset->AppendFiles(std::vector<uint32_t>{2, 0}, true, &files);
  EXPECT_EQ(files[0].file_path, "file-4");
  EXPECT_EQ(files[1].file_path, "file-1");
  const MetricColumn& got = *subset->metrics.at(0);
  const MetricColumn& all = *batch->metrics.at(0);
  for (size_t k = 0; k < positions.size(); ++k) {
    const uint32_t i = positions[k];
    EXPECT_EQ(subset->contents[k], batch->contents[i]);
    EXPECT_EQ(subset->file_paths[k], batch->file_paths[i]);
    EXPECT_EQ(subset->record_counts[k], batch->record_counts[i]);
    EXPECT_EQ(subset->file_sizes[k], batch->file_sizes[i]);
    EXPECT_EQ(subset->data_sequence_numbers[k], batch->data_sequence_numbers[i]);
    EXPECT_EQ(subset->FileSequenceNumber(k), batch->FileSequenceNumber(i));
    EXPECT_EQ(subset->tuples[0][subset->tuple_numbers[k]].integer,
              batch->tuples[0][batch->tuple_numbers[i]].integer);
    EXPECT_EQ(got.value_counts[k], all.value_counts[i]);
    EXPECT_EQ(got.null_value_counts[k], all.null_value_counts[i]);
    EXPECT_EQ(got.nan_value_counts[k], all.nan_value_counts[i]);
    EXPECT_EQ(Texts(got.lower_bounds)[k], Texts(all.lower_bounds)[i]);
    EXPECT_EQ(Texts(got.upper_bounds)[k], Texts(all.upper_bounds)[i]);
  }
}

TEST(FileSubset, AllFilesAreTheBatchItself) {
  const auto batch = std::make_shared<FakeBatch>(FiveFiles(), 0, FileRequest{});
  EXPECT_EQ(SubsetOf(batch, {0, 1, 2, 3, 4}), batch);
  EXPECT_EQ(SubsetOf(batch, {})->size(), 0u);
}

}  // namespace
}  // namespace nunatak
