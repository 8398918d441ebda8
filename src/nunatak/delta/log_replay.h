#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/delta/actions.h"
#include "nunatak/delta/add_files.h"

namespace nunatak::delta {

/// Puts the actions of a log together, from its newest file to its oldest (specification, "Action
/// Reconciliation"): what was seen first holds. Partition columns may be known only after the
/// newest files were seen, so that actions about files are replayed by a second pass.
class LogReplay {
 public:
  /// Reads what is not about files. `text` is newline-delimited JSON.
  void ReplayTable(std::string_view text);
  void Add(Protocol protocol);
  void Add(Metadata metadata);
  void Add(Transaction transaction);
  void Add(DomainMetadata domain);
  void Add(Sidecar sidecar) { sidecars.push_back(std::move(sidecar)); }

  std::optional<Protocol> protocol;
  std::optional<Metadata> metadata;
  std::map<std::string, Transaction> transactions;
  /// Removed ones included.
  std::map<std::string, DomainMetadata> domains;
  /// Of checkpoints.
  std::vector<Sidecar> sidecars;
};

/// Reads the actions about files: appends to `files` those that `keys` does not know, newest first,
/// and adds them and what was removed to `keys`. `columns` are the physical names of the partition
/// columns.
/// `reconciled`: the text is that of a compaction, which says of each file one thing alone; throws
/// `ErrorCode::kInvalid` where it does not, as then nobody knows which came last.
void ReplayFiles(std::string_view text, const std::vector<std::string>& columns, FileKeys* keys,
                 AddFiles* files, bool reconciled = false);

}  // namespace nunatak::delta
