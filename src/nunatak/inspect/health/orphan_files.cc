#include "nunatak/inspect/health/orphan_files.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"

namespace nunatak {

namespace {

constexpr size_t kExamples = 10;
constexpr int kMaxDepth = 100;

/// Whether engines take a file or directory for none of the table's. (A partition column may begin
/// with an underscore.)
bool IsHidden(std::string_view location) {
  const std::string_view name = location.substr(location.rfind('/') + 1);
  return name.starts_with('.') ||
         (name.starts_with('_') && name.find('=') == std::string_view::npos);
}

class OrphanCount {
 public:
  OrphanCount(const iceberg::Table& table, const Context& context)
      : table_(table), context_(context) {}

  OrphanFigures Count() {
    NameMetadata();
    NameManifests();
    std::vector<std::string> roots = {PlaceOf(table_.metadata->location)};
    for (const char* key : {"write.data.path", "write.metadata.path"}) {
      const auto path = table_.metadata->FindProperty(key);
      if (path) AddRoot(PlaceOf(std::string(*path)), &roots);
    }
    for (const std::string& root : roots) List(root, 0);
    return std::move(figures_);
  }

 private:
  /// A location as one file has it, however it was spelled.
  std::string PlaceOf(std::string_view location) const {
    return table_.io->locations().Map(location);
  }
  uint64_t HashOf(std::string_view location) const { return HashBytes(AsBytes(PlaceOf(location))); }
  void Name(std::string_view location) { named_.insert(HashOf(location)); }

  /// Adds a directory unless one that is there already holds it.
  static void AddRoot(std::string root, std::vector<std::string>* roots) {
    const bool is_held = std::any_of(roots->begin(), roots->end(), [&](const std::string& other) {
      return root == other || root.starts_with(other + "/");
    });
    if (!is_held) roots->push_back(std::move(root));
  }

  void NameMetadata() {
    const iceberg::TableMetadata& metadata = *table_.metadata;
    // The table may have been opened by a relative path, where what it records is absolute.
    const std::string& opened = table_.metadata_location;
    Name(opened);
    Name(JoinLocation(metadata.location, "metadata/" + opened.substr(opened.rfind('/') + 1)));
    for (const auto& entry : metadata.metadata_log) Name(entry.metadata_file);
    for (const auto& file : metadata.statistics) Name(file.statistics_path);
    for (const auto& file : metadata.partition_statistics) Name(file.statistics_path);
  }

  void NameManifests() {
    std::vector<iceberg::ManifestFile> manifests;
    std::unordered_set<std::string> seen;
    const auto cache = iceberg::CacheOfOneScan();
    for (const iceberg::Snapshot& snapshot : table_.metadata->snapshots) {
      if (snapshot.manifest_list) Name(*snapshot.manifest_list);
      for (auto& file : iceberg::ReadManifests(table_, &snapshot, cache.get())) {
        if (!seen.insert(file.manifest_path).second) continue;
        Name(file.manifest_path);
        manifests.push_back(std::move(file));
      }
    }
    seen.clear();
    NameFiles(std::move(manifests), cache);
  }

  void NameFiles(std::vector<iceberg::ManifestFile> manifests,
                 const std::shared_ptr<iceberg::ManifestCache>& cache) {
    iceberg::SourceManifests sources{.files = std::move(manifests),
                                     .snapshot_id = std::nullopt,
                                     .schema = table_.metadata->current_schema()};
    const auto source = iceberg::MakeManifestSource(table_, std::move(sources), cache);
    const FileRequest request{.column_metrics = false};
    const size_t count = source->groups().size();
    std::vector<std::vector<uint64_t>> made(count);
    const auto read = [&](size_t i) {
      const auto batch = source->ReadGroup(context_, i, request);
      for (const std::string_view path : batch->file_paths) {
        made[i].push_back(HashOf(path));
      }
    };
    OrderedPipeline pipeline(context_, {.count = count, .compute = read, .bytes = [&](size_t i) {
                                          return source->groups()[i].length;
                                        }});
    while (const std::optional<size_t> i = pipeline.Next()) {
      named_.insert(made[*i].begin(), made[*i].end());
      made[*i] = {};
    }
  }

  void List(const std::string& directory, int depth) {
    context_.CheckStop();
    if (depth > kMaxDepth) {
      throw Error(ErrorCode::kIo, "directories lie too deep in each other: " + directory);
    }
    std::vector<FileInfo> listed;
    try {
      listed = table_.io->List(directory);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kNotFound) return;
      throw;
    }
    for (const FileInfo& file : listed) {
      if (IsHidden(file.location)) continue;
      file.is_directory ? List(file.location, depth + 1) : AddListed(file);
    }
  }

  void AddListed(const FileInfo& file) {
    ++figures_.listed_files;
    figures_.listed_bytes += file.size;
    if (file.location.ends_with("/version-hint.text") || named_.contains(HashOf(file.location))) {
      return;
    }
    ++figures_.files;
    figures_.bytes += file.size;
    if (figures_.examples.size() < kExamples) figures_.examples.push_back(file.location);
  }

  const iceberg::Table& table_;
  const Context& context_;
  /// Hashes of the places of files that are named: one in 2^64 that collides is an orphan unseen.
  std::unordered_set<uint64_t> named_;
  OrphanFigures figures_;
};

}  // namespace

OrphanFigures CountOrphans(const iceberg::Table& table, const Context& context) {
  return OrphanCount(table, context).Count();
}

}  // namespace nunatak
