#include "nunatak/delta/commit_texts.h"

#include <fmt/format.h>

#include <algorithm>
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
    : io_(io), context_(context), commits_(commits), texts_(commits.size()) {
  int64_t bytes = 0;
  for (const LogFile& commit : commits) bytes += commit.info.size;
  keep_ = bytes <= kKeptBytes;
}

void CommitTexts::ForEachNewestFirst(
    const std::function<void(const LogFile&, std::string_view)>& visit) {
  for (size_t begin = 0; begin < texts_.size(); begin += kCommitsAtOnce) {
    const size_t end = std::min(begin + kCommitsAtOnce, texts_.size());
    if (!kept_) ReadSome(begin, end);
    for (size_t i = begin; i < end; ++i) {
      context_.CheckStop();
      WithContext(Commit(i).info.location, [&] { visit(Commit(i), AsText(texts_[i].bytes)); });
      if (!keep_) texts_[i] = Buffer();
    }
  }
  kept_ = keep_;
}

void CommitTexts::ReadSome(size_t begin, size_t end) {
  if (!io_.waits()) {
    for (size_t i = begin; i < end; ++i) texts_[i] = ReadLogFile(io_, Commit(i).info.location);
    return;
  }
  std::vector<FetchRequest> requests;
  for (size_t i = begin; i < end; ++i) {
    requests.push_back({Commit(i).info.location, {0, Commit(i).info.size}});
  }
  io_.Fetch(context_, requests,
            [&](size_t i, Buffer text) { texts_[begin + i] = std::move(text); });
}

}  // namespace nunatak::delta
