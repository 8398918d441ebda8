#include "nunatak/inspect/explain/delete_scope.h"

#include <fmt/format.h>

#include "nunatak/plan/partition_key.h"

namespace nunatak {

namespace {

bool SamePartition(const DataFile& a, const DataFile& b) {
  std::string key_a;
  std::string key_b;
  AppendPartitionKey(a.partition_spec_id, a.partition, &key_a);
  AppendPartitionKey(b.partition_spec_id, b.partition, &key_b);
  return key_a == key_b;
}

std::string SequenceReason(const DeleteTarget& target, const DeleteFile& deletes,
                           std::string_view comparison) {
  return fmt::format("its sequence number {} is {} the data file's {}",
                     deletes.data_sequence_number, comparison, target.data_sequence_number);
}

std::string ApplyingReason(const DeleteTarget& target, const DeleteFile& deletes, bool is_global) {
  const DataFile& file = deletes.file;
  if (file.is_deletion_vector()) {
    return "the deletion vector of this file; " + SequenceReason(target, deletes, "not below");
  }
  if (file.is_position_delete()) {
    const char* scope = file.referenced_data_file ? "it names this file; " : "same partition; ";
    return scope + SequenceReason(target, deletes, "not below");
  }
  const char* scope =
      is_global ? "of an unpartitioned spec, so for every partition; " : "same partition; ";
  return scope + SequenceReason(target, deletes, "above");
}

std::string SparingReason(const DeleteTarget& target, const DeleteFile& deletes, bool is_global) {
  const DataFile& file = deletes.file;
  if (file.referenced_data_file && *file.referenced_data_file != target.file.file_path) {
    return "for another data file";
  }
  const bool everywhere = file.is_equality_delete() && is_global;
  if (!everywhere && !SamePartition(file, target.file)) return "of another partition or spec";
  if (file.is_equality_delete()) {
    if (deletes.data_sequence_number <= target.data_sequence_number) {
      return SequenceReason(target, deletes, "not above");
    }
    return "the ranges of its key columns do not meet the data file's";
  }
  if (deletes.data_sequence_number < target.data_sequence_number) {
    return SequenceReason(target, deletes, "below");
  }
  if (target.has_vector) return "the file's deletion vector replaces it";
  return "the range of its paths does not hold this file's";
}

}  // namespace

std::string DeleteScopeReason(const SnapshotSource& source, const DeleteTarget& target,
                              const DeleteFile& deletes, bool applies) {
  const bool is_global = source.spec(deletes.file.partition_spec_id).IsUnpartitioned();
  return applies ? ApplyingReason(target, deletes, is_global)
                 : SparingReason(target, deletes, is_global);
}

}  // namespace nunatak
