#include "nunatak/inspect/verify/verify.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/iceberg/entry_walk.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"
#include "nunatak/inspect/verify/verify_content.h"
#include "nunatak/inspect/verify/verify_entries.h"
#include "nunatak/inspect/verify/verify_files.h"
#include "nunatak/inspect/verify/verify_manifest.h"
#include "nunatak/inspect/verify/verify_metadata.h"
#include "nunatak/inspect/verify/verify_snapshot.h"
#include "nunatak/inspect/verify/verify_statistics.h"

namespace nunatak {

using iceberg::ManifestFile;
using iceberg::Snapshot;

namespace {

/// A manifest that was checked, with the entry of the manifest list that it was checked against.
struct KnownManifest {
  ManifestFile file;
  std::shared_ptr<const ManifestDigest> digest;
};

class Verifier {
 public:
  Verifier(const iceberg::Table& table, const Context& context, const VerifyOptions& options,
           const FindingSink& sink, VerifyCounters* counters)
      : table_(table),
        context_(context),
        options_(options),
        sink_(sink),
        counters_(counters),
        facts_(*table.metadata),
        lookup_(*table.io, context_),
        cache_(iceberg::CacheOfOneScan()) {}

  void VerifyMetadata() {
    FileReport report(table_.metadata_location, std::nullopt, &findings_);
    CheckMetadata(*table_.metadata, &report);
    CheckStatisticsSnapshots(*table_.metadata, &report);
    ReadNameMapping(&report);
    if (options_.look_for_files) {
      LookForOldMetadata();
      CheckStatisticsFiles();
    }
    Emit();
  }

  void VerifySnapshot(const Snapshot& snapshot) {
    ++counters_->snapshots;
    std::optional<std::vector<ManifestFile>> list = ReadList(snapshot);
    if (!list) return Emit();
    SnapshotContents contents{
        .snapshot = snapshot, .manifests = std::move(*list), .digests = {}, .path_of = {}};
    contents.path_of = [&](size_t manifest, uint32_t entry) {
      return PathOf(contents.manifests[manifest], entry);
    };
    DropRepeated(&contents);
    CheckAncestry(contents);
    Emit();
    CheckManifests(&contents);
    CheckSnapshotContents(facts_, contents, table_.metadata_location, &findings_);
    Emit();
    if (options_.deep) CheckFiles(contents);
  }

 private:
  void Emit() {
    for (const Finding& finding : findings_) {
      ++(finding.severity() == Severity::kError ? counters_->errors : counters_->warnings);
      sink_(finding);
    }
    findings_.clear();
  }

  void ReadNameMapping(FileReport* report) {
    const auto mapping = table_.metadata->FindProperty(kNameMappingProperty);
    if (!mapping) return;
    try {
      name_mapping_ = NameMapping::Parse(*mapping);
    } catch (const Error& error) {
      report->Add(Check::kNameMapping, fmt::format("properties.{}", kNameMappingProperty), {},
                  error.message());
    }
  }

  /// They are history: nothing that reads the table needs them.
  void LookForOldMetadata() {
    for (size_t i = 0; i < table_.metadata->metadata_log.size(); ++i) {
      const std::string& file = table_.metadata->metadata_log[i].metadata_file;
      ++counters_->files;
      if (table_.io->Exists(file)) continue;
      FileReport(file, std::nullopt, &findings_)
          .Add(Check::kOldMetadataMissing, "", {"", "a file"},
               fmt::format("metadata-log[{}] of {} names a file that does not exist", i,
                           table_.metadata_location));
    }
  }

  void CheckStatisticsFiles() {
    for (const iceberg::StatisticsFile& file : table_.metadata->statistics) {
      const RecordedFile recorded{file.statistics_path, file.file_size_in_bytes};
      const auto outcomes = LookFor({&recorded, 1}, "file-size-in-bytes", file.snapshot_id);
      if (outcomes.front() != FileLookup::Outcome::kFine) continue;
      FileReport report(file.statistics_path, file.snapshot_id, &findings_);
      Guarded(&report, [&] { CheckStatisticsFile(table_, file, &report); });
    }
    for (const iceberg::PartitionStatisticsFile& file : table_.metadata->partition_statistics) {
      const RecordedFile recorded{file.statistics_path, file.file_size_in_bytes};
      LookFor({&recorded, 1}, "file-size-in-bytes", file.snapshot_id);
    }
  }

  std::vector<FileLookup::Outcome> LookFor(std::span<const RecordedFile> files,
                                           std::string_view field,
                                           std::optional<int64_t> snapshot_id) {
    const int64_t before = lookup_.looked_at();
    auto outcomes = lookup_.Check(files, field, snapshot_id, &findings_);
    counters_->files += lookup_.looked_at() - before;
    return outcomes;
  }

  /// Runs what reads a file of the table; one that cannot be read is a finding.
  template <typename Body>
  static void Guarded(FileReport* report, Body&& body) {
    try {
      body();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kNotFound) {
        return report->Add(Check::kFileMissing, "", {"", "a file"}, "the file does not exist");
      }
      if (error.code() != ErrorCode::kInvalid) throw;
      report->Add(Check::kUnreadable, "", {}, error.message());
    }
  }

  /// Nothing when it cannot be read.
  std::optional<std::vector<ManifestFile>> ReadList(const Snapshot& snapshot) {
    std::optional<std::vector<ManifestFile>> files;
    FileReport report(snapshot.manifest_list.value_or(table_.metadata_location),
                      snapshot.snapshot_id, &findings_);
    Guarded(&report, [&] {
      files = snapshot.manifest_list
                  ? iceberg::ReadManifestList(*table_.io, *snapshot.manifest_list, cache_.get())
                  : iceberg::ReadManifests(table_, &snapshot, cache_.get());
    });
    return files;
  }

  /// A manifest that is listed twice has every file twice: one finding says so.
  void DropRepeated(SnapshotContents* contents) {
    std::set<std::string> seen;
    std::erase_if(contents->manifests, [&](const ManifestFile& file) {
      if (seen.insert(file.manifest_path).second) return false;
      FileReport(contents->snapshot.manifest_list.value_or(table_.metadata_location),
                 contents->snapshot.snapshot_id, &findings_)
          .Add(Check::kManifestListedTwice, "manifest_path",
               {file.manifest_path, "a manifest that is listed once"},
               fmt::format("the manifest list has {} twice", file.manifest_path));
      return true;
    });
  }

  /// Where an ancestor has expired, those before it are unknown.
  void CheckAncestry(const SnapshotContents& contents) {
    const iceberg::Snapshots& snapshots = table_.metadata->snapshots;
    const std::set<int64_t> ancestors = snapshots.AncestorIds(contents.snapshot.snapshot_id);
    for (const int64_t ancestor : ancestors) {
      const std::optional<int64_t> parent = snapshots.ParentOf(ancestor);
      if (parent && !ancestors.contains(*parent)) return;
    }
    for (const ManifestFile& file : contents.manifests) {
      const std::optional<int64_t>& id = file.added_snapshot_id;
      if (!id || ancestors.contains(*id) || !facts_.SequenceOf(*id)) continue;
      FileReport(file.manifest_path, contents.snapshot.snapshot_id, &findings_)
          .Add(Check::kManifestSnapshot, "added_snapshot_id",
               {fmt::format("{}", *id), "an ancestor of the snapshot"},
               fmt::format("snapshot {}, which added the manifest, is no ancestor of snapshot {}",
                           *id, contents.snapshot.snapshot_id));
    }
  }

  void CheckManifests(SnapshotContents* contents) {
    contents->digests.resize(contents->manifests.size());
    std::vector<size_t> fresh;
    for (size_t i = 0; i < contents->manifests.size(); ++i) {
      const ManifestFile& file = contents->manifests[i];
      const auto known = known_.find(file.manifest_path);
      if (known != known_.end() && known->second.file == file) {
        contents->digests[i] = known->second.digest;
      } else {
        fresh.push_back(i);
      }
    }
    const ManifestScope scope{.snapshot = contents->snapshot,
                              .list_files = options_.look_for_files};
    std::vector<Buffer> bytes(fresh.size());
    std::vector<CheckedManifest> checked(fresh.size());
    const auto fetch = [&](size_t i) {
      const std::string& path = contents->manifests[fresh[i]].manifest_path;
      FileReport report(path, contents->snapshot.snapshot_id, &checked[i].findings);
      Guarded(&report, [&] { bytes[i] = table_.io->ReadAll(path); });
    };
    const bool waits = table_.io->waits();
    PipelineWork work{
        .count = fresh.size(),
        .fetch = waits ? std::function<void(size_t)>(fetch) : nullptr,
        .compute =
            [&](size_t i) {
              if (!waits) fetch(i);
              if (!checked[i].findings.empty()) return;
              checked[i] = CheckManifest(facts_, scope, contents->manifests[fresh[i]],
                                         std::move(bytes[i]), *cache_);
            },
        .bytes = [&](size_t i) { return contents->manifests[fresh[i]].manifest_length; }};
    OrderedPipeline pipeline(context_, std::move(work));
    while (const std::optional<size_t> i = pipeline.Next()) {
      Take(contents, fresh[*i], std::move(checked[*i]));
    }
  }

  void Take(SnapshotContents* contents, size_t manifest, CheckedManifest checked) {
    const ManifestFile& file = contents->manifests[manifest];
    contents->digests[manifest] = checked.digest;
    known_.insert_or_assign(file.manifest_path, KnownManifest{file, checked.digest});
    findings_ = std::move(checked.findings);
    ++counters_->manifests;
    LookFor(checked.files, "file_size_in_bytes", contents->snapshot.snapshot_id);
    Emit();
  }

  /// Looks into the live files that were not looked into before: data files first, whose rows those
  /// of the deletes must be.
  void CheckFiles(const SnapshotContents& contents) {
    std::unordered_map<std::string, int64_t> rows;
    ContentScope scope{.table = table_,
                       .context = context_,
                       .facts = facts_,
                       .name_mapping = name_mapping_,
                       .rows_of = [&rows](const std::string& path) -> std::optional<int64_t> {
                         const auto at = rows.find(path);
                         return at == rows.end() ? std::nullopt : std::optional(at->second);
                       }};
    for (const bool deletes : {false, true}) {
      for (size_t i = 0; i < contents.manifests.size(); ++i) {
        const ManifestFile& file = contents.manifests[i];
        if (file.is_delete_manifest() != deletes || !contents.digests[i]) continue;
        const std::vector<DataFile> files = LiveFiles(file);
        for (const DataFile& each : files) {
          if (each.is_data()) rows.emplace(each.file_path, each.record_count);
        }
        CheckFilesOf(contents.snapshot, scope, files);
      }
    }
  }

  /// Those of formats that there are.
  std::vector<DataFile> LiveFiles(const ManifestFile& manifest) {
    std::vector<DataFile> files;
    FileReport report(manifest.manifest_path, std::nullopt, &findings_);
    Guarded(&report, [&] {
      iceberg::EntryWalk walk = WalkOver(manifest);
      iceberg::FileDecoder decoder(walk.shape());
      walk.ForEach([&](const iceberg::WalkedEntry& entry) {
        const bool is_live = entry.head.status != iceberg::EntryStatus::kDeleted;
        if (!is_live || !EntryChecker::HasKnownFormat(entry)) return;
        DataFile file;
        decoder.Decode(entry.slots, entry.head, /*column_metrics=*/true, &file);
        file.partition = decoder.DecodePartition(entry.slots);
        files.push_back(std::move(file));
      });
    });
    Emit();
    return files;
  }

  void CheckFilesOf(const Snapshot& snapshot, const ContentScope& scope,
                    const std::vector<DataFile>& files) {
    std::vector<const DataFile*> fresh;
    for (const DataFile& file : files) {
      const std::string key =
          fmt::format("{} {}", file.content_offset.value_or(-1), file.file_path);
      if (opened_.insert(key).second) fresh.push_back(&file);
    }
    std::vector<std::vector<Finding>> found(fresh.size());
    OrderedPipeline pipeline(
        context_, {.count = fresh.size(), .compute = [&](size_t i) {
                     FileReport report(fresh[i]->file_path, snapshot.snapshot_id, &found[i]);
                     counters_->rows += CheckContent(scope, *fresh[i], &report);
                   }});
    while (const std::optional<size_t> i = pipeline.Next()) {
      ++counters_->opened;
      findings_ = std::move(found[*i]);
      Emit();
    }
  }

  iceberg::EntryWalk WalkOver(const ManifestFile& file) {
    const SpecFacts& spec = *facts_.FindSpec(file.partition_spec_id);
    return {table_.io->ReadAll(file.manifest_path),
            file,
            spec.spec,
            spec.partition_type,
            spec.key,
            *cache_};
  }

  /// Reads a manifest again; those of one manifest are mostly asked for one after the other.
  std::string PathOf(const ManifestFile& file, uint32_t entry) {
    if (paths_of_ != file.manifest_path) {
      paths_.clear();
      WalkOver(file).ForEach([this](const iceberg::WalkedEntry& walked) {
        paths_.emplace_back(walked.slots[iceberg::kFilePath].text());
        const avro::Slot& offset = walked.slots[iceberg::kContentOffset];
        if (!offset.is_null()) paths_.back() += fmt::format(" at byte {}", offset.integer());
      });
      paths_of_ = file.manifest_path;
    }
    return paths_.at(entry);
  }

  const iceberg::Table& table_;
  const Context& context_;
  const VerifyOptions& options_;
  const FindingSink& sink_;
  VerifyCounters* counters_;
  TableFacts facts_;
  FileLookup lookup_;
  std::shared_ptr<iceberg::ManifestCache> cache_;
  std::vector<Finding> findings_;
  /// By path.
  std::unordered_map<std::string, KnownManifest> known_;
  /// The files that were looked into, with the places of deletion vectors.
  std::unordered_set<std::string> opened_;
  std::optional<NameMapping> name_mapping_;
  std::string paths_of_;
  std::vector<std::string> paths_;
};

}  // namespace

void Verify(const iceberg::Table& table, const Context& context, const Snapshot* snapshot,
            const VerifyOptions& options, const FindingSink& sink, VerifyCounters* counters) {
  Verifier verifier(table, context, options, sink, counters);
  verifier.VerifyMetadata();
  if (!options.all_snapshots) {
    if (snapshot) verifier.VerifySnapshot(*snapshot);
    return;
  }
  for (const Snapshot& each : table.metadata->snapshots) verifier.VerifySnapshot(each);
}

}  // namespace nunatak
