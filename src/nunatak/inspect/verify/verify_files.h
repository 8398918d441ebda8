#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/inspect/verify/verify_manifest.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

/// Looks whether files exist and have the sizes that the table records, with as many requests in
/// flight as the context allows. Each file is looked at once, however often it is recorded.
class FileLookup {
 public:
  FileLookup(FileIO& io, const Context& context) : io_(io), context_(context) {}

  /// The kinds of trouble with one file.
  enum class Outcome : uint8_t { kFine, kMissing, kWrongSize };

  /// Adds a finding for each file that is missing, or has another size than the one recorded in
  /// `field`; returns the outcome of each, `kFine` for those that were looked at before. Throws
  /// other failures of the storage.
  std::vector<Outcome> Check(std::span<const RecordedFile> files, std::string_view field,
                             std::optional<int64_t> snapshot_id, std::vector<Finding>* findings);

  /// How many files were looked at so far.
  int64_t looked_at() const { return static_cast<int64_t>(seen_.size()); }

 private:
  /// −1: there is no such file.
  std::vector<int64_t> SizesOf(std::span<const RecordedFile* const> files);

  FileIO& io_;
  const Context& context_;
  /// Hashes of path and recorded size.
  std::unordered_set<uint64_t> seen_;
};

}  // namespace nunatak
