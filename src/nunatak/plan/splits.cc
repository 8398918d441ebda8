#include "nunatak/plan/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

/// A recorded file size may be anything; without a limit, a damaged one would never end.
constexpr int64_t kMaxSplitsPerFile = int64_t{1} << 24;

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

/// The sum of two numbers that are not negative, or the greatest there is.
int64_t SaturatingAdd(int64_t a, int64_t b) { return a > kMaxInt64 - b ? kMaxInt64 : a + b; }

int64_t SaturatingMultiply(int64_t a, int64_t b) {
  return b != 0 && a > kMaxInt64 / b ? kMaxInt64 : a * b;
}

/// The bytes that a reader of the deletes reads, as Java's `ScanTaskUtil.contentSizeInBytes`.
int64_t ContentSize(const DataFile& file) {
  const int64_t size = file.is_deletion_vector()
                           ? file.content_size_in_bytes.value_or(file.file_size_in_bytes)
                           : file.file_size_in_bytes;
  return std::max<int64_t>(size, 0);
}

bool IsSplittable(FileFormat format) { return format != FileFormat::kPuffin; }

bool IsWholeFile(const FileScanTask& task) {
  return task.start == 0 && task.length == task.data_file->file_size_in_bytes;
}

bool HasValidOffsets(const DataFile& file) {
  if (!file.split_offsets || file.split_offsets->empty()) return false;
  const std::vector<int64_t>& offsets = *file.split_offsets;
  const bool ascending =
      std::adjacent_find(offsets.begin(), offsets.end(), std::greater_equal<>()) == offsets.end();
  return ascending && offsets.front() >= 0 && offsets.back() < file.file_size_in_bytes;
}

FileScanTask Part(const FileScanTask& task, int64_t start, int64_t end) {
  FileScanTask part = task;
  part.start = start;
  part.length = end - start;
  return part;
}

void SplitAtOffsets(const FileScanTask& task, const ScanTaskSink& sink) {
  const std::vector<int64_t>& offsets = *task.data_file->split_offsets;
  int64_t start = 0;
  for (size_t i = 1; i < offsets.size(); ++i) {
    sink(Part(task, start, offsets[i]));
    start = offsets[i];
  }
  sink(Part(task, start, task.length));
}

void SplitBySize(const FileScanTask& task, int64_t target_size, const ScanTaskSink& sink) {
  if ((task.length - 1) / target_size >= kMaxSplitsPerFile) {
    ThrowInvalid(
        fmt::format("{}: {} bytes cannot be cut into splits of {} bytes: a file has at "
                    "most {} splits",
                    task.data_file->file_path, task.length, target_size, kMaxSplitsPerFile),
        "use a larger split size, or check the file's recorded size");
  }
  for (int64_t start = 0; start < task.length;) {
    const int64_t end = start + std::min(target_size, task.length - start);
    sink(Part(task, start, end));
    start = end;
  }
}

/// Appends a split to a group, or lets the group's last task grow when the split continues it.
void Append(FileScanTask split, std::vector<FileScanTask>* tasks) {
  if (!tasks->empty()) {
    FileScanTask& last = tasks->back();
    if (last.data_file == split.data_file && last.start + last.length == split.start) {
      last.length += split.length;
      return;
    }
  }
  tasks->push_back(std::move(split));
}

void ReadProperty(const SplitOptions::FindProperty& find, std::string_view key, int64_t least,
                  int64_t most, int64_t* out) {
  const std::optional<std::string_view> text = find(key);
  if (!text) return;
  int64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stopped, code] = std::from_chars(text->data(), end, value);
  if (code != std::errc() || stopped != end || value < least || value > most) {
    ThrowInvalid(fmt::format("table property {}: '{}' is not an integer from {} to {}", key, *text,
                             least, most));
  }
  *out = value;
}

void CheckTargetSize(int64_t target_size) {
  if (target_size <= 0) {
    ThrowUsage(fmt::format("the split size must be above 0, not {}", target_size));
  }
}

void CheckOptions(const SplitOptions& options) {
  CheckTargetSize(options.target_size);
  if (options.lookback <= 0) {
    ThrowUsage(fmt::format("the look-back must be above 0, not {}", options.lookback));
  }
  if (options.open_file_cost < 0) {
    ThrowUsage(fmt::format("the cost of opening a file must be 0 or more, not {}",
                           options.open_file_cost));
  }
}

}  // namespace

SplitOptions SplitOptions::FromProperties(const FindProperty& find) {
  SplitOptions options;
  int64_t lookback = options.lookback;
  ReadProperty(find, "read.split.target-size", 1, kMaxInt64, &options.target_size);
  ReadProperty(find, "read.split.planning-lookback", 1, std::numeric_limits<int32_t>::max(),
               &lookback);
  ReadProperty(find, "read.split.open-file-cost", 0, kMaxInt64, &options.open_file_cost);
  options.lookback = static_cast<int32_t>(lookback);
  return options;
}

int64_t SplitWeight(const FileScanTask& task, int64_t open_file_cost) {
  int64_t bytes = std::max<int64_t>(task.length, 0);
  for (const auto& file : task.deletes) bytes = SaturatingAdd(bytes, ContentSize(file->file));
  const auto files = static_cast<int64_t>(1 + task.deletes.size());
  return std::max(bytes, SaturatingMultiply(files, open_file_cost));
}

void SplitTask(const FileScanTask& task, int64_t target_size, const ScanTaskSink& sink) {
  CheckTargetSize(target_size);
  const DataFile& file = *task.data_file;
  if (!IsSplittable(file.file_format) || !IsWholeFile(task) || task.length <= 0) {
    sink(task);
  } else if (HasValidOffsets(file)) {
    SplitAtOffsets(task, sink);
  } else {
    SplitBySize(task, target_size, sink);
  }
}

TaskGrouper::TaskGrouper(const SplitOptions& options, Sink sink)
    : options_(options), sink_(std::move(sink)) {
  CheckOptions(options_);
}

void TaskGrouper::Add(const FileScanTask& task) {
  SplitTask(task, options_.target_size, [this](FileScanTask split) { Place(std::move(split)); });
}

void TaskGrouper::Finish() {
  while (!open_.empty()) HandOut(open_.begin());
}

void TaskGrouper::Place(FileScanTask split) {
  const int64_t weight = SplitWeight(split, options_.open_file_cost);
  const auto has_room = [&](const ScanTaskGroup& group) {
    return weight <= options_.target_size - group.weight;
  };
  auto group = std::find_if(open_.begin(), open_.end(), has_room);
  if (group == open_.end()) group = open_.emplace(open_.end());
  Append(std::move(split), &group->tasks);
  group->weight += weight;  // Does not overflow: at most target_size, or the weight of one split.
  if (open_.size() > static_cast<size_t>(options_.lookback)) {
    // The oldest of those that are equally heavy.
    HandOut(std::max_element(
        open_.begin(), open_.end(),
        [](const ScanTaskGroup& a, const ScanTaskGroup& b) { return a.weight < b.weight; }));
  }
}

void TaskGrouper::HandOut(std::list<ScanTaskGroup>::iterator group) {
  ScanTaskGroup done = std::move(*group);
  open_.erase(group);
  sink_(std::move(done));
}

std::vector<ScanTaskGroup> GroupTasks(const std::vector<FileScanTask>& tasks,
                                      const SplitOptions& options) {
  std::vector<ScanTaskGroup> groups;
  TaskGrouper grouper(options, [&](ScanTaskGroup group) { groups.push_back(std::move(group)); });
  for (const FileScanTask& task : tasks) grouper.Add(task);
  grouper.Finish();
  return groups;
}

}  // namespace nunatak
