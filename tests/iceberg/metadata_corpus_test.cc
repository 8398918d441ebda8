#include <gtest/gtest.h>

#include "iceberg/corpus.h"
#include "nunatak/iceberg/metadata_json.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::iceberg {
namespace {

std::shared_ptr<const TableMetadata> ParseFile(const std::filesystem::path& path) {
  return WithContext(path.string(),
                     [&] { return ParseTableMetadata(AsBytes(ReadFileBytes(path))); });
}

template <typename T>
nlohmann::json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json SnapshotToJson(const Snapshot& snapshot) {
  return {{"id", snapshot.snapshot_id},
          {"parent_id", OrNull(snapshot.parent_snapshot_id)},
          {"sequence_number", snapshot.sequence_number},
          {"timestamp_ms", snapshot.timestamp_ms},
          {"operation", OrNull(snapshot.operation)},
          {"schema_id", OrNull(snapshot.schema_id)},
          {"first_row_id", OrNull(snapshot.first_row_id)},
          {"added_rows", OrNull(snapshot.added_rows)},
          {"summary", snapshot.summary}};
}

nlohmann::json RefToJson(const SnapshotRef& ref) {
  nlohmann::json json = {{"snapshot-id", ref.snapshot_id},
                         {"type", ref.is_branch() ? "branch" : "tag"}};
  if (ref.min_snapshots_to_keep) json["min-snapshots-to-keep"] = *ref.min_snapshots_to_keep;
  if (ref.max_snapshot_age_ms) json["max-snapshot-age-ms"] = *ref.max_snapshot_age_ms;
  if (ref.max_ref_age_ms) json["max-ref-age-ms"] = *ref.max_ref_age_ms;
  return json;
}

/// What we read, under the names of the expectations.
nlohmann::json Describe(const TableMetadata& metadata) {
  nlohmann::json json = {{"format_version", metadata.format_version},
                         {"location", metadata.location},
                         {"current_snapshot_id", OrNull(metadata.current_snapshot_id)},
                         {"last_sequence_number", metadata.last_sequence_number},
                         {"next_row_id", metadata.next_row_id},
                         {"current_schema_id", metadata.current_schema_id},
                         {"schema_count", metadata.schemas.size()},
                         {"default_spec_id", metadata.default_spec_id},
                         {"spec_count", metadata.partition_specs.size()},
                         {"default_sort_order_id", metadata.default_sort_order_id},
                         {"schema", nlohmann::json(SchemaToJson(metadata.current_schema()))},
                         {"refs", nlohmann::json::object()},
                         {"snapshots", nlohmann::json::array()}};
  for (const auto& [name, ref] : metadata.refs) json["refs"][name] = RefToJson(ref);
  for (const Snapshot& snapshot : metadata.snapshots) {
    json["snapshots"].push_back(SnapshotToJson(snapshot));
  }
  return json;
}

/// Compares the fields of `actual` that the engines give a value for; an object in a list likewise.
void ExpectAgrees(const nlohmann::json& actual, const nlohmann::json& expected,
                  const std::string& at) {
  for (const auto& [key, value] : actual.items()) {
    if (!expected.contains(key)) continue;
    const nlohmann::json& wanted = expected.at(key);
    if (key != "snapshots") {
      EXPECT_EQ(value, wanted) << at << ": " << key;
      continue;
    }
    ASSERT_EQ(value.size(), wanted.size()) << at;
    for (size_t i = 0; i < value.size(); ++i) ExpectAgrees(value[i], wanted[i], at + ": snapshot");
  }
}

TEST(MetadataCorpusTest, AgreesWithTheEngines) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  for (const std::string& table : CorpusTables()) {
    const nlohmann::json expected = Expectation(table);
    const std::string file = expected.at("metadata_file");
    ExpectAgrees(Describe(*ParseFile(CorpusDirectory() / table / file)), expected, table);
  }
}

TEST(MetadataCorpusTest, EveryVersionOfEveryTableParses) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  size_t files = 0;
  for (const std::string& table : CorpusTables()) {
    for (const auto& file :
         std::filesystem::directory_iterator(CorpusDirectory() / table / "metadata")) {
      if (file.path().string().find("metadata.json") == std::string::npos) continue;
      EXPECT_NO_THROW(ParseFile(file.path())) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, CorpusTables().size());
}

TEST(MetadataCorpusTest, StatisticsFiles) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  const std::string table = "many-manifests-rewritten";
  const nlohmann::json expected = Expectation(table);
  const auto metadata =
      ParseFile(CorpusDirectory() / table / std::string(expected.at("metadata_file")));
  const nlohmann::json& files = expected.at("statistics_files");
  ASSERT_EQ(metadata->statistics.size(), files.size());
  EXPECT_EQ(metadata->statistics[0].snapshot_id, files[0].at("snapshot_id"));
  ASSERT_EQ(metadata->statistics[0].blob_metadata.size(), files[0].at("blobs").size());
  for (size_t i = 0; i < files[0].at("blobs").size(); ++i) {
    const nlohmann::json& blob = files[0].at("blobs")[i];
    EXPECT_EQ(metadata->statistics[0].blob_metadata[i].type, blob.at("type"));
    EXPECT_EQ(nlohmann::json(metadata->statistics[0].blob_metadata[i].fields), blob.at("fields"));
    EXPECT_EQ(nlohmann::json(metadata->statistics[0].blob_metadata[i].properties),
              blob.at("properties"));
  }
  ASSERT_EQ(metadata->partition_statistics.size(), 1u);
  EXPECT_EQ(metadata->partition_statistics[0].file_size_in_bytes,
            expected.at("partition_statistics_files")[0].at("size"));
}

}  // namespace
}  // namespace nunatak::iceberg
