#include "nunatak/plan/equality_key_deletes.h"

#include <algorithm>
#include <utility>

namespace nunatak {
namespace {

using FilePtr = std::shared_ptr<const DeleteFile>;

/// Fewer entries than this are looked at one by one.
constexpr size_t kMany = 16;
/// How many entries are compared with each other to find out which column tells most apart.
constexpr size_t kSample = 32;

bool HasRange(const ColumnStats& stats) {
  return !stats.lower.is_null() && !stats.upper.is_null() && stats.lower.kind == stats.upper.kind &&
         CompareValues(stats.lower, stats.upper) <= 0;
}

bool RangesAreDisjoint(const ColumnStats& a, const ColumnStats& b) {
  if (!HasRange(a) || !HasRange(b) || a.lower.kind != b.lower.kind) return false;
  return CompareValues(a.lower, b.upper) > 0 || CompareValues(b.lower, a.upper) > 0;
}

bool May(Known known) { return known != Known::kNo; }

/// Whether each has a null or each a NaN, as far as is known.
bool MayMeetOutsideRanges(const ColumnStats& a, const ColumnStats& b) {
  if (May(a.has_nulls) && May(b.has_nulls)) return true;
  if (a.all_null == Known::kYes || b.all_null == Known::kYes) return false;
  return May(a.has_nans) && May(b.has_nans);
}

/// The order of lower bounds, of which an unknown one is below all.
bool LowerIsLess(const ValueView& a, const ValueView& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && !b.is_null();
  return CompareValues(a, b) < 0;
}

/// The order of upper bounds, of which an unknown one is above all.
bool UpperIsLess(const ValueView& a, const ValueView& b) {
  if (a.is_null() || b.is_null()) return !a.is_null() && b.is_null();
  return CompareValues(a, b) < 0;
}

}  // namespace

bool MayShareValue(const ColumnStats& a, const ColumnStats& b) {
  if (MayMeetOutsideRanges(a, b)) return true;
  if (a.all_null == Known::kYes || b.all_null == Known::kYes) return false;
  return !RangesAreDisjoint(a, b);
}

EqualityKeyDeletes::EqualityKeyDeletes(std::vector<int32_t> equality_ids,
                                       std::vector<BoundFilter::Column> columns,
                                       const Schema& schema)
    : equality_ids_(std::move(equality_ids)),
      columns_(std::move(columns)),
      layout_(columns_, schema) {}

void EqualityKeyDeletes::Add(FilePtr file) {
  Entry entry{.file = std::move(file), .stats = {}};
  entry.stats.reserve(columns_.size());
  const DataFileStats stats(layout_, entry.file->file);
  for (const BoundFilter::Column& column : columns_) entry.stats.push_back(stats.Stats(column));
  entries_.push_back(std::move(entry));
}

void EqualityKeyDeletes::Arrange() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.file->data_sequence_number < b.file->data_sequence_number;
  });
  if (entries_.size() >= kMany && !columns_.empty()) IndexColumn(ChooseColumn());
}

/// The column by which the fewest pairs of a sample of the entries may share a value: data files
/// are spread like the deletes of their rows.
size_t EqualityKeyDeletes::ChooseColumn() const {
  if (columns_.size() == 1) return 0;
  const size_t step = std::max<size_t>(entries_.size() / kSample, 1);
  std::vector<size_t> shared(columns_.size());
  for (size_t a = 0; a < entries_.size(); a += step) {
    for (size_t b = a + step; b < entries_.size(); b += step) {
      for (size_t c = 0; c < columns_.size(); ++c) {
        if (MayShareValue(entries_[a].stats[c], entries_[b].stats[c])) ++shared[c];
      }
    }
  }
  return static_cast<size_t>(std::min_element(shared.begin(), shared.end()) - shared.begin());
}

void EqualityKeyDeletes::IndexColumn(size_t column) {
  ColumnIndex& index = index_.emplace(ColumnIndex{});
  index.column = column;
  std::vector<ValueView> lowers;
  std::vector<ValueView> uppers;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const ColumnStats& stats = entries_[i].stats[column];
    if (May(stats.has_nulls)) index.with_nulls.push_back(i);
    if (May(stats.has_nans)) index.with_nans.push_back(i);
    if (stats.all_null == Known::kYes) continue;
    index.with_values.push_back(i);
    lowers.push_back(HasRange(stats) ? stats.lower : ValueView());
    uppers.push_back(HasRange(stats) ? stats.upper : ValueView());
  }
  std::vector<uint32_t> lower_ranks;
  std::vector<uint32_t> upper_ranks;
  index.lowers = SortedEnds(lowers, LowerIsLess, &lower_ranks);
  index.uppers = SortedEnds(uppers, UpperIsLess, &upper_ranks);
  index.ranges = IntervalIndex(std::move(lower_ranks), std::move(upper_ranks));
}

bool EqualityKeyDeletes::AnyAfter(int64_t data_sequence_number) const {
  return !entries_.empty() && entries_.back().file->data_sequence_number > data_sequence_number;
}

/// What the ranges that meet the file's have in common; all do when it has none.
IntervalIndex::Window EqualityKeyDeletes::WindowOf(const ColumnStats& stats,
                                                   int64_t* looked_at) const {
  if (!HasRange(stats)) return {.lowers_end = static_cast<uint32_t>(index_->ranges.size())};
  const auto begins_in_time = [&](const ValueView& lower) {
    return lower.is_null() || CompareValues(lower, stats.upper) <= 0;
  };
  const auto ends_too_early = [&](const ValueView& upper) {
    return !upper.is_null() && CompareValues(upper, stats.lower) < 0;
  };
  return {.lowers_end = index_->lowers.CountWhile(begins_in_time, looked_at),
          .uppers_begin = index_->uppers.CountWhile(ends_too_early, looked_at)};
}

bool EqualityKeyDeletes::MayDelete(const Entry& entry, std::span<const ColumnStats> stats) const {
  return std::equal(stats.begin(), stats.end(), entry.stats.begin(), MayShareValue);
}

void EqualityKeyDeletes::AppendFor(int64_t data_sequence_number, std::span<const ColumnStats> stats,
                                   std::vector<FilePtr>* out, int64_t* looked_at) const {
  const auto is_not_newer = [&](const Entry& entry) {
    return entry.file->data_sequence_number <= data_sequence_number;
  };
  const auto first = static_cast<size_t>(
      std::partition_point(entries_.begin(), entries_.end(), is_not_newer) - entries_.begin());
  const auto look_at = [&](size_t i) {
    ++*looked_at;
    if (MayDelete(entries_[i], stats)) out->push_back(entries_[i].file);
  };
  if (index_) {
    LookUp(first, stats[index_->column], look_at, looked_at);
  } else {
    for (size_t i = first; i < entries_.size(); ++i) look_at(i);
  }
}

/// Calls `look_at` once for each entry from position `first` on that may share a value of the
/// index's column.
template <typename LookAt>
void EqualityKeyDeletes::LookUp(size_t first, const ColumnStats& file, LookAt look_at,
                                int64_t* looked_at) const {
  const auto from_first = [&](const std::vector<uint32_t>& positions) {
    const auto at = std::lower_bound(positions.begin(), positions.end(), first);
    return std::span(at, positions.end());
  };
  const auto stats = [&](uint32_t i) -> const ColumnStats& {
    return entries_[i].stats[index_->column];
  };
  if (May(file.has_nulls)) {
    for (uint32_t i : from_first(index_->with_nulls)) look_at(i);
  }
  if (file.all_null == Known::kYes) return;
  if (May(file.has_nans)) {
    for (uint32_t i : from_first(index_->with_nans)) {
      const bool done = May(file.has_nulls) && May(stats(i).has_nulls);
      if (!done) look_at(i);
    }
  }
  const size_t skipped = index_->with_values.size() - from_first(index_->with_values).size();
  *looked_at += index_->ranges.ForEach(skipped, WindowOf(file, looked_at), [&](size_t k) {
    const uint32_t i = index_->with_values[k];
    if (!MayMeetOutsideRanges(file, stats(i))) look_at(i);
  });
}

int64_t EqualityKeyDeletes::memory_bytes() const {
  size_t bytes = entries_.capacity() * sizeof(Entry);
  for (const Entry& entry : entries_) bytes += entry.stats.capacity() * sizeof(ColumnStats);
  if (!index_) return static_cast<int64_t>(bytes);
  bytes += (index_->with_nulls.capacity() + index_->with_nans.capacity() +
            index_->with_values.capacity()) *
           sizeof(uint32_t);
  return static_cast<int64_t>(bytes) + index_->ranges.memory_bytes() +
         index_->lowers.memory_bytes() + index_->uppers.memory_bytes();
}

}  // namespace nunatak
