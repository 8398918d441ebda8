#include "nunatak/plan/position_deletes.h"

#include <algorithm>
#include <utility>

namespace nunatak {
namespace {

using FilePtr = std::shared_ptr<const DeleteFile>;

/// Fewer files than this are looked at one by one.
constexpr size_t kMany = 16;

/// An upper bound stands for itself and for all that begins with it: it admits what is not above
/// the bound with an infinite tail. So a bound is above those that it is a prefix of, and the empty
/// one is above all.
bool UpperIsLess(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_b == b.end()) return in_a != a.end();
  if (in_a == a.end()) return false;
  return static_cast<uint8_t>(*in_a) < static_cast<uint8_t>(*in_b);
}

bool IsAbove(std::string_view path, std::string_view upper) {
  return path > upper && !path.starts_with(upper);
}

bool IsInverted(const PathBounds& bounds) {
  return bounds.lower && bounds.upper && IsAbove(*bounds.lower, *bounds.upper);
}

}  // namespace

bool PathBounds::Admit(std::string_view path) const {
  if (IsInverted(*this)) return true;
  if (lower && path < *lower) return false;
  return !upper || !IsAbove(path, *upper);
}

void PositionDeletes::Add(FilePtr file, PathBounds paths) {
  entries_.push_back({.file = std::move(file), .paths = paths});
}

void PositionDeletes::Arrange() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.file->data_sequence_number < b.file->data_sequence_number;
  });
  if (entries_.size() < kMany) return;
  std::vector<std::string_view> lowers;
  std::vector<std::string_view> uppers;
  for (const Entry& entry : entries_) {
    const PathBounds paths = IsInverted(entry.paths) ? PathBounds{} : entry.paths;
    lowers.push_back(paths.lower.value_or(""));
    uppers.push_back(paths.upper.value_or(""));
  }
  std::vector<uint32_t> lower_ranks;
  std::vector<uint32_t> upper_ranks;
  lowers_ = SortedEnds(lowers, std::less<>(), &lower_ranks);
  uppers_ = SortedEnds(uppers, UpperIsLess, &upper_ranks);
  index_ = IntervalIndex(std::move(lower_ranks), std::move(upper_ranks));
}

void PositionDeletes::AppendFor(std::string_view path, int64_t data_sequence_number,
                                std::vector<FilePtr>* out, int64_t* looked_at) const {
  const auto is_older = [&](const Entry& entry) {
    return entry.file->data_sequence_number < data_sequence_number;
  };
  const auto first = std::partition_point(entries_.begin(), entries_.end(), is_older);
  if (entries_.size() < kMany) {
    for (auto at = first; at != entries_.end(); ++at) {
      if (at->paths.Admit(path)) out->push_back(at->file);
    }
    *looked_at += entries_.end() - first;
    return;
  }
  const IntervalIndex::Window window = {
      .lowers_end =
          lowers_.CountWhile([&](std::string_view lower) { return lower <= path; }, looked_at),
      .uppers_begin = uppers_.CountWhile(
          [&](std::string_view upper) { return IsAbove(path, upper); }, looked_at)};
  *looked_at += index_.ForEach(static_cast<size_t>(first - entries_.begin()), window,
                               [&](size_t i) { out->push_back(entries_[i].file); });
}

int64_t PositionDeletes::memory_bytes() const {
  return static_cast<int64_t>(entries_.capacity() * sizeof(Entry)) + index_.memory_bytes() +
         lowers_.memory_bytes() + uppers_.memory_bytes();
}

}  // namespace nunatak
