#include "nunatak/inspect/verify/verify_manifest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/base/json.h"
#include "nunatak/iceberg/entry_walk.h"
#include "nunatak/iceberg/slot_values.h"
#include "nunatak/inspect/verify/verify_entries.h"
#include "nunatak/inspect/verify/verify_manifest_entry.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/inspect/verify/verify_summaries.h"
#include "nunatak/plan/partition_key.h"
#include "nunatak/plan/partition_tuples.h"
#include "nunatak/plan/position_deletes.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using iceberg::EntryStatus;
using iceberg::WalkedEntry;

KindTotals& KindTotals::operator+=(const KindTotals& other) {
  files += other.files;
  records += other.records;
  bytes += other.bytes;
  content_bytes += other.content_bytes;
  return *this;
}

namespace {

/// The data file that all of a position delete file's rows name, by the bounds of their paths. A
/// path that was cut to fit into a bound says nothing: no bound that is cut is its own upper one.
std::optional<std::string> OnlyPath(const DataFile& file) {
  const ColumnMetrics* paths = file.FindMetrics(kDeletePathColumnId);
  if (!paths || !paths->lower_bound || paths->lower_bound != paths->upper_bound) return {};
  return paths->lower_bound;
}

/// Walks over a manifest and takes down what its checks and those of its snapshot need.
class ManifestChecker {
 public:
  ManifestChecker(const TableFacts& facts, const ManifestScope& scope,
                  const iceberg::ManifestFile& file, const SpecFacts& spec,
                  iceberg::EntryWalk* walk, CheckedManifest* result)
      : facts_(facts),
        scope_(scope),
        spec_(spec),
        walk_(walk),
        result_(result),
        report_(file.manifest_path, scope.snapshot.snapshot_id, &result->findings),
        entries_(facts, file, walk->shape()),
        decoder_(walk->shape()),
        tuples_(spec.spec.fields.size()),
        tuple_(spec.spec.fields.size()) {
    digest_->path = file.manifest_path;
  }

  /// Returns what the entry of the manifest list must agree with.
  ManifestContents Walk() {
    walk_->ForEach([this](const WalkedEntry& entry) { Visit(entry); });
    return contents_;
  }

  const PartitionTuples& tuples() const { return tuples_; }
  FileReport* report() { return &report_; }
  std::shared_ptr<const ManifestDigest> digest() { return digest_; }

 private:
  void Visit(const WalkedEntry& entry) {
    iceberg::RequiredSlot(entry.slots, iceberg::kFilePath, "file_path");
    iceberg::RequiredSlot(entry.slots, iceberg::kFileFormat, "file_format");
    entries_.Check(entry, &report_);
    const uint32_t partition = PartitionOf(entry);
    Count(entry);
    if (entry.head.status == EntryStatus::kDeleted) {
      AddTotals(entry, &digest_->removed);
      return;
    }
    AddTotals(entry, &digest_->live);
    if (entry.head.status == EntryStatus::kAdded) AddTotals(entry, &digest_->added);
    if (EntryChecker::HasKnownFormat(entry)) AddLive(entry, partition);
    if (!scope_.list_files) return;
    result_->files.push_back(
        {std::string(entry.slots[iceberg::kFilePath].text()), entry.head.file_size});
  }

  uint32_t PartitionOf(const WalkedEntry& entry) {
    for (size_t i = 0; i < tuple_.size(); ++i) {
      const int slot = iceberg::kFirstPartitionField + static_cast<int>(i);
      const avro::Node* type = walk_->shape().plan->type(slot);
      tuple_[i] = type ? iceberg::PartitionValue(*type, spec_.partition_type.fields()[i].type,
                                                 entry.slots[static_cast<size_t>(slot)])
                       : ValueView();
    }
    const uint32_t number = tuples_.NumberOf(tuple_);
    if (number == digest_->partitions.size()) {
      AppendPartitionKey(spec_.spec.spec_id, decoder_.DecodePartition(entry.slots).span(),
                         &digest_->partitions.emplace_back());
    }
    return number;
  }

  void Count(const WalkedEntry& entry) {
    StatusCounts& counts = contents_.by_status[static_cast<size_t>(entry.head.status)];
    ++counts.files;
    counts.rows += entry.head.record_count;
    if (entry.head.status == EntryStatus::kDeleted) return;
    if (entry.head.sequence_number) {
      contents_.least_sequence_number =
          std::min(contents_.least_sequence_number.value_or(std::numeric_limits<int64_t>::max()),
                   *entry.head.sequence_number);
    }
    if (entry.slots[iceberg::kFirstRowId].is_null())
      contents_.unnumbered_rows += entry.head.record_count;
  }

  /// A file without its metrics, but for the path column of position deletes.
  DataFile FileOf(const WalkedEntry& entry) {
    DataFile file;
    decoder_.Decode(entry.slots, entry.head, entry.head.content == FileContent::kPositionDeletes,
                    &file);
    return file;
  }

  void AddTotals(const WalkedEntry& entry, TotalsByKind* totals) {
    KindTotals& kind = (*totals)[static_cast<size_t>(KindOf(entry))];
    kind += {.files = 1,
             .records = entry.head.record_count,
             .bytes = entry.head.file_size,
             .content_bytes = iceberg::OptionalInteger(entry.slots[iceberg::kContentSize])
                                  .value_or(entry.head.file_size)};
  }

  void AddLive(const WalkedEntry& entry, uint32_t partition) {
    const int64_t sequence_number = entry.head.sequence_number.value_or(0);
    const auto index = static_cast<uint32_t>(entry.index);
    if (entry.head.content == FileContent::kData) {
      digest_->data_files.push_back(
          {.path_hash = HashBytes(entry.slots[iceberg::kFilePath].bytes()),
           .entry = index,
           .partition = partition,
           .sequence_number = sequence_number,
           .record_count = entry.head.record_count,
           .first_row_id = entry.head.first_row_id.value_or(-1)});
      return;
    }
    LiveDelete& live = digest_->deletes.emplace_back();
    live = {.file = FileOf(entry),
            .entry = index,
            .partition = partition,
            .sequence_number = sequence_number};
    live.referenced =
        live.file.referenced_data_file ? live.file.referenced_data_file : OnlyPath(live.file);
    live.file.metrics.clear();
  }

  const TableFacts& facts_;
  const ManifestScope& scope_;
  const SpecFacts& spec_;
  iceberg::EntryWalk* walk_;
  CheckedManifest* result_;
  FileReport report_;
  EntryChecker entries_;
  iceberg::FileDecoder decoder_;
  PartitionTuples tuples_;
  std::vector<ValueView> tuple_;
  ManifestContents contents_;
  std::shared_ptr<ManifestDigest> digest_ = std::make_shared<ManifestDigest>();
};

}  // namespace

CheckedManifest CheckManifest(const TableFacts& facts, const ManifestScope& scope,
                              const iceberg::ManifestFile& file, Buffer bytes,
                              iceberg::ManifestCache& cache) {
  CheckedManifest result;
  FileReport report(file.manifest_path, scope.snapshot.snapshot_id, &result.findings);
  const SpecFacts* spec = facts.FindSpec(file.partition_spec_id);
  if (!spec) {
    report.Add(Check::kManifestHeader, "partition_spec_id",
               {fmt::format("{}", file.partition_spec_id), "a spec of the table"},
               fmt::format("the table has no partition spec {}", file.partition_spec_id));
    return result;
  }
  const auto size = static_cast<int64_t>(bytes.size());
  if (size != file.manifest_length) {
    report.Add(Check::kManifestLength, "manifest_length", Compared(file.manifest_length, size),
               fmt::format("the manifest list records {} bytes, the manifest has {}",
                           file.manifest_length, size));
  }
  try {
    iceberg::EntryWalk walk(std::move(bytes), file, spec->spec, spec->partition_type, spec->key,
                            cache);
    CheckHeader(facts, file, *spec, walk.container(), &report);
    ManifestChecker checker(facts, scope, file, *spec, &walk, &result);
    const ManifestContents contents = checker.Walk();
    CheckPartitions(*spec, file, checker.tuples(), &report);
    CheckListEntry(facts, scope, file, contents, &report);
    result.digest = checker.digest();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid) throw;
    report.Add(Check::kUnreadable, "", {}, error.message());
  }
  return result;
}

}  // namespace nunatak
