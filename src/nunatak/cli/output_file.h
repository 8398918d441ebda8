#pragma once

#include <cstdio>
#include <string>

namespace nunatak::cli {

/// A file that has its name only once it is whole: until `Commit` it is written beside, under a
/// hidden name, and it is removed when that never comes, on an interrupt (SIGINT, SIGTERM, SIGHUP)
/// too. What is no regular file, such as a pipe, is written to as it is. One at a time.
class OutputFile {
 public:
  /// Throws `ErrorCode::kIo` when it cannot be created.
  explicit OutputFile(const std::string& name);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::FILE* stream() const { return stream_; }
  /// Closes the file and gives it its name, in place of one that has it. Throws `ErrorCode::kIo`.
  void Commit();

 private:
  std::string name_;
  /// Empty when the file is written to as it is.
  std::string partial_;
  std::FILE* stream_ = nullptr;
};

}  // namespace nunatak::cli
