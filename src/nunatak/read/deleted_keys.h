#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/key_scope.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/task_deletes.h"

namespace nunatak {

/// The rows that equality delete files remove from the data files of a scan. The files of a scope
/// share one table, which all tasks share; each is read when the first task needs it, and again
/// only if its scope was given up meanwhile: scopes that no task reads with may take a quarter of
/// the context's memory budget. Thread-safe.
class NUNATAK_EXPORT DeletedKeys {
 public:
  DeletedKeys(std::shared_ptr<FileIO> io, Context context, ReadRequest request);

  /// The deletes of a task, loaded; none is empty. Throws `ErrorCode::kInvalid` for an equality
  /// delete file without field ids, or with one that no schema has, `kUnsupported` for a field that
  /// cannot be compared and for a scope whose table takes more than half of the context's memory
  /// budget, and what reading the file throws; an error names the delete file.
  std::vector<KeyDeletes> For(const FileScanTask& task);

 private:
  using DeleteFilePtr = std::shared_ptr<const DeleteFile>;
  struct Scope;
  using Scopes = std::list<Scope>;
  /// A delete file of a scope.
  struct Member {
    DeleteFilePtr file;
    uint32_t number = 0;
    std::shared_future<void> loaded;
  };
  struct Scope {
    std::string name;
    std::shared_ptr<KeyScope> keys;
    /// By path: what was written down and read back is several objects.
    std::unordered_map<std::string, Member> members;
    /// The objects by which `places_` knows the members.
    std::vector<DeleteFilePtr> known_by;
  };
  struct Place {
    Scopes::iterator scope;
    Member* member = nullptr;
  };
  /// A member that the caller has to load.
  struct Load {
    std::shared_ptr<KeyScope> keys;
    const Member* member = nullptr;
    std::promise<void> promise;
  };
  /// What one task needs.
  struct Needs {
    std::vector<KeyDeletes> deletes;
    std::vector<Load> loads;
    std::vector<std::shared_future<void>> loaded;
  };

  Needs NeedsOf(const FileScanTask& task);
  std::vector<Place> PlacesOf(const FileScanTask& task, std::vector<KeyDeletes>* deletes);
  Place PlaceOf(const DeleteFilePtr& file);
  Scopes::iterator ScopeOf(const DataFile& file);
  void GiveUpIdleScopes();
  /// The keys that one task needs are held together: they have a limit.
  void CheckMemory(const KeyScope& keys, const DataFile& file) const;
  void Read(const Load& load, const std::shared_ptr<const PartitionSpec>& spec);

  std::shared_ptr<FileIO> io_;
  Context context_;
  ReadRequest request_;
  /// Of the tables of all scopes.
  std::atomic<int64_t> bytes_{0};
  /// Guards what follows.
  std::mutex mutex_;
  /// Those that were used last come last.
  Scopes scopes_;
  std::unordered_map<std::string, Scopes::iterator> scopes_by_name_;
  std::unordered_map<DeleteFilePtr, Place> places_;
};

}  // namespace nunatak
