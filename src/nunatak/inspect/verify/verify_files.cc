#include "nunatak/inspect/verify/verify_files.h"

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/base/ordered_pipeline.h"

namespace nunatak {

namespace {

int64_t SizeOrMissing(FileIO& io, const std::string& path) {
  try {
    return io.Size(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return -1;
  }
}

}  // namespace

std::vector<int64_t> FileLookup::SizesOf(std::span<const RecordedFile* const> files) {
  std::vector<int64_t> sizes(files.size(), -1);
  const auto look = [&](size_t i) { sizes[i] = SizeOrMissing(io_, files[i]->path); };
  const auto nothing = [](size_t) {};
  PipelineWork work{.count = files.size(), .compute = look};
  if (io_.waits()) work = {.count = files.size(), .fetch = look, .compute = nothing};
  OrderedPipeline pipeline(context_, std::move(work));
  while (pipeline.Next()) continue;
  return sizes;
}

std::vector<FileLookup::Outcome> FileLookup::Check(std::span<const RecordedFile> files,
                                                   std::string_view field,
                                                   std::optional<int64_t> snapshot_id,
                                                   std::vector<Finding>* findings) {
  std::vector<Outcome> outcomes(files.size(), Outcome::kFine);
  std::vector<const RecordedFile*> fresh;
  for (const RecordedFile& file : files) {
    const uint64_t key = MixHash(HashBytes(AsBytes(file.path)), static_cast<uint64_t>(file.size));
    if (seen_.insert(key).second) fresh.push_back(&file);
  }
  const std::vector<int64_t> sizes = SizesOf(fresh);
  for (size_t i = 0; i < fresh.size(); ++i) {
    const RecordedFile& file = *fresh[i];
    if (sizes[i] == file.size) continue;
    FileReport report(file.path, snapshot_id, findings);
    Outcome& outcome = outcomes[static_cast<size_t>(&file - files.data())];
    if (sizes[i] < 0) {
      outcome = Outcome::kMissing;
      report.Add(nunatak::Check::kFileMissing, "", {"", "a file"}, "the file does not exist");
      continue;
    }
    outcome = Outcome::kWrongSize;
    report.Add(nunatak::Check::kFileSize, std::string(field), Compared(file.size, sizes[i]),
               fmt::format("the table records {} bytes, the file has {}", file.size, sizes[i]));
  }
  return outcomes;
}

}  // namespace nunatak
