#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/inspect/tables/file_records.h"

namespace nunatak {

/// Some of the files that columns are made of, so few that the processor's cache holds what was
/// decoded of them until every column has had its part.
class FileRun {
 public:
  /// A metric map of the files at hand.
  class Metrics {
   public:
    /// Whether the file `at` that place among them has such a map, and its pairs.
    bool has(size_t at) const { return has_[at] != 0; }
    std::span<const MetricPair> pairs(size_t at) const {
      return std::span(pairs_).subspan(ends_[at], ends_[at + 1] - ends_[at]);
    }
    /// The pairs of all.
    std::span<const MetricPair> pairs() const { return pairs_; }

   private:
    friend class FileRun;

    bool decoded_ = false;
    std::vector<MetricPair> pairs_;
    /// Where the pairs of each file end, after a zero.
    std::vector<size_t> ends_;
    std::vector<uint8_t> has_;
  };

  /// Of `total` files in all, which outlive the run.
  FileRun(const FileRecords& records, size_t total) : records_(records), total_(total) {}

  /// Goes on to other files.
  void Begin(std::span<const uint32_t> files);

  const FileRecords& records() const { return records_; }
  std::span<const uint32_t> files() const { return files_; }
  /// About how many of something all files have when those at hand have so many.
  int64_t ForAll(size_t at_hand) const {
    return static_cast<int64_t>(at_hand * total_ / files_.size() + 1);
  }
  /// Decoded when it is asked for first; valid until `Begin`.
  const Metrics& Of(MetricMap map);

  /// Calls `visit(file)` for each of the files; what it throws leaves with the file's place.
  template <typename Visit>
  void ForEach(Visit visit) const {
    records_.ForEach(files_, visit);
  }

 private:
  const FileRecords& records_;
  size_t total_;
  std::span<const uint32_t> files_;
  std::array<Metrics, kMetricMaps> metrics_;
};

}  // namespace nunatak
