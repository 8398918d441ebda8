#include "nunatak/delta/commit_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::delta {

namespace {

/// Commits whose texts are read together.
constexpr size_t kCommitsAtOnce = 256;
/// Texts that together are no longer than this are kept.
constexpr int64_t kKeptBytes = int64_t{64} << 20;

}  // namespace

Buffer ReadLogFile(FileIO& io, const std::string& location) {
  try {
    return io.ReadAll(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    ThrowInvalid(fmt::format("a file of the log is gone: {}", error.message()),
                 "the log is being cleaned up; try again");
  }
}

CommitTexts::CommitTexts(FileIO& io, const Context& context, std::span<const LogFile> commits)
    : io_(io), context_(context), texts_(commits.size()) {
  for (size_t i = commits.size(); i > 0; --i) {
    locations_.push_back(commits[i - 1].info.location);
    sizes_.push_back(commits[i - 1].info.size);
  }
  keep_ = std::accumulate(sizes_.begin(), sizes_.end(), int64_t{0}) <= kKeptBytes;
}

void CommitTexts::ForEachNewestFirst(const std::function<void(std::string_view)>& visit) {
  for (size_t begin = 0; begin < locations_.size(); begin += kCommitsAtOnce) {
    const size_t end = std::min(begin + kCommitsAtOnce, locations_.size());
    if (!kept_) ReadSome(begin, end);
    for (size_t i = begin; i < end; ++i) {
      context_.CheckStop();
      WithContext(locations_[i], [&] { visit(AsText(texts_[i].bytes)); });
      if (!keep_) texts_[i] = Buffer();
    }
  }
  kept_ = keep_;
}

void CommitTexts::ReadSome(size_t begin, size_t end) {
  if (!io_.waits()) {
    for (size_t i = begin; i < end; ++i) texts_[i] = ReadLogFile(io_, locations_[i]);
    return;
  }
  std::vector<FetchRequest> requests;
  for (size_t i = begin; i < end; ++i) requests.push_back({locations_[i], {0, sizes_[i]}});
  io_.Fetch(context_, requests,
            [&](size_t i, Buffer text) { texts_[begin + i] = std::move(text); });
}

}  // namespace nunatak::delta
