#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/context.h"
#include "nunatak/delta/log_file.h"
#include "nunatak/io/file_io.h"

namespace nunatak::delta {

/// Reads a file that a listing of the log has shown; when it is gone meanwhile, the table is at
/// fault (`ErrorCode::kInvalid`).
Buffer ReadLogFile(FileIO& io, const std::string& location);

/// The texts of commits, some of them at a time. Short ones are kept, so that a second visit reads
/// nothing.
class CommitTexts {
 public:
  /// `commits`, oldest first, must outlive this.
  CommitTexts(FileIO& io, const Context& context, std::span<const LogFile> commits);

  /// Calls `visit` with each commit and its text; an error has the commit's location put before it.
  void ForEachNewestFirst(
      const std::function<void(const LogFile& commit, std::string_view text)>& visit);

 private:
  void ReadSome(size_t begin, size_t end);
  const LogFile& Commit(size_t i) const { return commits_[commits_.size() - 1 - i]; }

  FileIO& io_;
  const Context& context_;
  std::span<const LogFile> commits_;
  /// Newest first.
  std::vector<Buffer> texts_;
  bool keep_ = false;
  bool kept_ = false;
};

}  // namespace nunatak::delta
