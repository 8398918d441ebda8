// The physical floor of planning a whole table that generate.py wrote: what it takes to touch the
// bytes at all. The layout of an entry is hard-wired: no schema, no resolution, no checks of what
// is found, no pruning, no deletes attached. Prints one line of JSON.
//
//   plan_floor TABLE STAGE THREADS REPETITIONS
//
// Each stage includes those before it:
//   read      every manifest into memory
//   inflate   every Avro block, with libdeflate
//   walk      over every entry, varint by varint
//   tasks     one object per entry, with its path and numbers; bounds kept as offsets
#include <fcntl.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "measurement.h"

namespace nunatak::bench {
namespace {

enum class Stage { kRead, kInflate, kWalk, kTasks };

void Require(bool condition) {
  if (condition) return;
  fmt::print(stderr, "plan_floor: a file has another layout than generate.py writes\n");
  std::exit(1);
}

class Cursor {
 public:
  Cursor(const uint8_t* begin, const uint8_t* end) : at_(begin), end_(end) {}

  int64_t Long() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      Require(at_ < end_);
      const uint8_t byte = *at_++;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  const uint8_t* Take(int64_t size) {
    Require(size >= 0 && size <= end_ - at_);
    at_ += size;
    return at_ - size;
  }
  std::string_view Bytes() {
    const int64_t size = Long();
    return {reinterpret_cast<const char*>(Take(size)), static_cast<size_t>(size)};
  }
  int64_t OptionalLong() { return Long() ? Long() : 0; }
  template <typename Item>
  void Array(const Item& item) {
    for (int64_t count; (count = Long());) {
      for (; count; --count) item();
    }
  }
  const uint8_t* at() const { return at_; }
  bool done() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

struct Task {
  std::string path;
  int64_t rows;
  int64_t size;
  int32_t day;
  int32_t bucket;
  /// Where the maps of the bounds begin in the inflated block.
  uint32_t lower_bounds;
  uint32_t upper_bounds;
};

struct Output {
  int64_t entries = 0;
  /// Keeps the walk from being optimised away.
  uint64_t sum = 0;
  std::vector<Task> tasks;
};

void SkipCounts(Cursor& cursor) {
  if (!cursor.Long()) return;
  cursor.Array([&] {
    cursor.Long();
    cursor.Long();
  });
}

uint32_t WalkBounds(Cursor& cursor, const uint8_t* block, Output& output) {
  const uint8_t* start = cursor.at();
  if (cursor.Long()) {
    cursor.Array([&] {
      cursor.Long();
      output.sum += cursor.Bytes().size();
    });
  }
  return static_cast<uint32_t>(start - block);
}

void WalkEntry(Cursor& cursor, const uint8_t* block, Stage stage, Output& output) {
  cursor.Long();                                      // status
  for (int i = 0; i < 3; ++i) cursor.OptionalLong();  // snapshot and sequence numbers
  cursor.Long();                                      // content
  const std::string_view path = cursor.Bytes();
  cursor.Bytes();  // file format
  const auto day = static_cast<int32_t>(cursor.OptionalLong());
  const auto bucket = static_cast<int32_t>(cursor.OptionalLong());
  const int64_t rows = cursor.Long();
  const int64_t size = cursor.Long();
  for (int i = 0; i < 4; ++i) SkipCounts(cursor);
  const uint32_t lower = WalkBounds(cursor, block, output);
  const uint32_t upper = WalkBounds(cursor, block, output);
  if (cursor.Long()) cursor.Bytes();  // key metadata
  for (int i = 0; i < 2; ++i) {       // split offsets, equality ids
    if (cursor.Long()) cursor.Array([&] { cursor.Long(); });
  }
  cursor.OptionalLong();              // sort order
  if (cursor.Long()) cursor.Bytes();  // referenced data file
  output.sum += static_cast<uint64_t>(rows);
  ++output.entries;
  if (stage == Stage::kTasks) {
    output.tasks.push_back({std::string(path), rows, size, day, bucket, lower, upper});
  }
}

/// One thread's buffers, reused from manifest to manifest.
class Worker {
 public:
  explicit Worker(Stage stage) : stage_(stage), inflater_(libdeflate_alloc_decompressor()) {}

  void Manifest(const std::string& path, Output& output) {
    const size_t size = Read(path);
    if (stage_ == Stage::kRead) return;
    Cursor cursor(file_.data() + 4, file_.data() + size);
    cursor.Array([&] {  // the header's metadata
      cursor.Bytes();
      cursor.Bytes();
    });
    cursor.Take(16);
    while (!cursor.done()) Block(cursor, output);
  }

 private:
  size_t Read(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY);
    struct stat status;
    Require(file >= 0 && fstat(file, &status) == 0);
    const auto size = static_cast<size_t>(status.st_size);
    if (file_.size() < size) file_.resize(size);
    Require(read(file, file_.data(), size) == status.st_size && size > 4);
    close(file);
    return size;
  }

  void Block(Cursor& cursor, Output& output) {
    int64_t count = cursor.Long();
    const std::string_view compressed = cursor.Bytes();
    cursor.Take(16);
    size_t size = 0;
    Require(libdeflate_deflate_decompress(inflater_.get(), compressed.data(), compressed.size(),
                                          block_.data(), block_.size(),
                                          &size) == LIBDEFLATE_SUCCESS);
    output.sum += size;
    if (stage_ < Stage::kWalk) return;
    Cursor entries(block_.data(), block_.data() + size);
    for (; count; --count) WalkEntry(entries, block_.data(), stage_, output);
    Require(entries.done());
  }

  struct Free {
    void operator()(libdeflate_decompressor* inflater) { libdeflate_free_decompressor(inflater); }
  };

  Stage stage_;
  std::unique_ptr<libdeflate_decompressor, Free> inflater_;
  std::vector<uint8_t> file_;
  std::vector<uint8_t> block_ = std::vector<uint8_t>(1 << 20);
};

std::vector<std::string> ManifestsOf(const std::string& table) {
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(table + "/metadata")) {
    const std::string name = file.path().filename();
    if (name.ends_with(".avro") && !name.starts_with("snap-")) found.push_back(file.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Output> PlanAll(const std::vector<std::string>& manifests, Stage stage, int threads) {
  std::vector<Output> outputs(threads);
  std::atomic<size_t> next{0};
  const auto work = [&](Output& output) {
    Worker worker(stage);
    for (size_t i; (i = next++) < manifests.size();) worker.Manifest(manifests[i], output);
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([&, i] { work(outputs[i]); });
  work(outputs[0]);
  others.clear();
  return outputs;
}

int Run(const std::string& table, std::string_view stage_name, int threads, int repetitions) {
  constexpr std::array<std::string_view, 4> kNames = {"read", "inflate", "walk", "tasks"};
  const auto name = std::find(kNames.begin(), kNames.end(), stage_name);
  if (name == kNames.end()) return 2;
  const auto stage = static_cast<Stage>(name - kNames.begin());
  const std::vector<std::string> manifests = ManifestsOf(table);
  Measurement measurement;
  int64_t entries = 0;
  for (int i = 0; i < repetitions; ++i) {
    const auto outputs = measurement.Time([&] { return PlanAll(manifests, stage, threads); });
    entries = std::accumulate(outputs.begin(), outputs.end(), int64_t{0},
                              [](int64_t sum, const Output& o) { return sum + o.entries; });
  }
  measurement.Print(entries, 0);
  return 0;
}

}  // namespace
}  // namespace nunatak::bench

int main(int argc, char** argv) {
  const int status =
      argc == 5 ? nunatak::bench::Run(argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4])) : 2;
  if (status == 2) {
    fmt::print(stderr, "usage: plan_floor TABLE read|inflate|walk|tasks THREADS REPETITIONS\n");
  }
  return status;
}
