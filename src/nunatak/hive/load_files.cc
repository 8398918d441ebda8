#include "nunatak/hive/load_files.h"

#include "nunatak/hive/data_file.h"
#include "nunatak/hive/in_parallel.h"

namespace nunatak::hive {

namespace {

constexpr int kThreads = 8;

/// Holds one of the slots.
class Slot {
 public:
  explicit Slot(std::counting_semaphore<>& slots) : slots_(slots) { slots_.acquire(); }
  ~Slot() { slots_.release(); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

 private:
  std::counting_semaphore<>& slots_;
};

}  // namespace

std::shared_ptr<const std::vector<DataFile>> MakeDataFiles(
    const Table& table, const Directory& directory,
    std::span<const std::optional<FileFooter>> footers) {
  auto files = std::make_shared<std::vector<DataFile>>();
  for (size_t i = 0; i < directory.files.size(); ++i) {
    files->push_back(MakeDataFile(table, directory.partition, directory.files[i],
                                  footers[i] ? &*footers[i] : nullptr));
  }
  return files;
}

std::shared_ptr<const std::vector<DataFile>> LoadDataFiles(const Table& table,
                                                           const Directory& directory) {
  if (directory.data_files) return directory.data_files;
  // Several directories are loaded at once, each by some threads.
  const Context context{.io_concurrency = kThreads};
  std::vector<std::optional<FileFooter>> footers(directory.files.size());
  InParallel(*table.io, context, footers.size(), [&](size_t i) {
    if (directory.files[i].size == 0) return;
    const Slot slot(*table.footer_slots);
    footers[i] = ReadFooter(*table.io, context, directory.files[i]);
    ++*table.footer_reads;
  });
  return MakeDataFiles(table, directory, footers);
}

}  // namespace nunatak::hive
