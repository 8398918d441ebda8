#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/base/hash.h"
#include "nunatak/base/json.h"
#include "nunatak/delta/deletion_vector.h"
#include "nunatak/delta/text_arena.h"

namespace nunatak::delta {

/// Logical files by path and deletion vector, which together are their identity (specification,
/// "Action Reconciliation").
class FileKeys {
 public:
  /// False when the file was there already. `vector` may be null.
  bool Insert(std::string_view path, const DeletionVectorDescriptor* vector);
  bool Contains(std::string_view path, const DeletionVectorDescriptor* vector) const;
  bool empty() const { return keys_.empty(); }
  int64_t memory_bytes() const { return bytes_; }

 private:
  static constexpr int kMarkBits = 17;

  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return HashBytes(AsBytes(text)); }
  };
  static void MakeKey(std::string_view path, const DeletionVectorDescriptor* vector,
                      std::string* key);
  static size_t MarkOf(std::string_view path);

  /// Which paths may be there: of a million that are asked for, few are.
  std::vector<bool> marks_ = std::vector<bool>(size_t{1} << kMarkBits);
  std::unordered_set<std::string, TextHash, std::equal_to<>> keys_;
  int64_t bytes_ = 0;
};

/// The `add` actions of some part of a log as columns. Views point into `texts`.
struct AddFiles {
  static constexpr int64_t kNone = -1;
  /// No file is larger; sums of sizes stay in range.
  static constexpr int64_t kMostBytes = int64_t{1} << 44;

  /// Decoded paths, relative to the table's location or absolute.
  std::vector<std::string_view> paths;
  std::vector<int64_t> sizes;
  /// Milliseconds since 1970-01-01 UTC; 0 when not recorded.
  std::vector<int64_t> modification_times;
  /// JSON; null data when there is none, or when it was read already.
  std::vector<std::string_view> stats;
  /// Per partition column, in the table's order; null data for null.
  std::vector<std::vector<std::string_view>> partition_values;
  /// Of row tracking; `kNone` when not recorded.
  std::vector<int64_t> base_row_ids;
  std::vector<int64_t> commit_versions;
  /// The number of the file's vector in `vectors`; −1 for none.
  std::vector<int32_t> vector_numbers;
  std::vector<DeletionVectorDescriptor> vectors;
  TextArena texts;

  explicit AddFiles(size_t partition_columns) : partition_values(partition_columns) {}

  size_t size() const { return paths.size(); }
  const DeletionVectorDescriptor* VectorOf(size_t i) const {
    return vector_numbers[i] < 0 ? nullptr : &vectors[static_cast<size_t>(vector_numbers[i])];
  }
  /// Appends the vector of the next file, which may be null; what it refers to is copied.
  void AppendVector(const DeletionVectorDescriptor* vector);
  int64_t memory_bytes() const;
};

/// The identity of the file that an `add` or `remove` action is about, and where it lies.
struct FileAction {
  std::string path;
  std::optional<DeletionVectorDescriptor> vector;
};

/// Views of the result point into the JSON document.
FileAction FileActionFromJson(const JsonObject& action);

/// Appends an `add` action, or a `remove` or `cdc` action as if it were one; a file that was
/// removed may lack its size, which is then 0, and in a table without partitions their values. What
/// is referred to is copied. `columns` are the physical names of the partition columns. Throws
/// `ErrorCode::kInvalid` naming the field.
void AppendAdd(const JsonObject& action, const FileAction& file,
               const std::vector<std::string>& columns, AddFiles* files, bool removed = false);

}  // namespace nunatak::delta
