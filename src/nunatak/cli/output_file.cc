#include "nunatak/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::array<int, 3> kInterrupts = {SIGINT, SIGTERM, SIGHUP};

/// The file that an interrupt removes; a signal handler sees nothing but globals.
std::array<char, PATH_MAX> partial_file;
std::atomic<bool> has_partial_file = false;

/// Calls only what may be called in a signal handler.
void RemovePartialFile(int signal) {
  if (has_partial_file) ::unlink(partial_file.data());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void RemoveOnInterrupt(const std::string& path) {
  if (path.size() >= partial_file.size()) return;
  std::memcpy(partial_file.data(), path.c_str(), path.size() + 1);
  has_partial_file = true;
  for (const int signal : kInterrupts) {
    // Someone who ignores it (nohup) wants the work to go on.
    if (std::signal(signal, RemovePartialFile) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

[[noreturn]] void ThrowSystem(const std::string& name) {
  throw Error(ErrorCode::kIo, fmt::format("{}: {}", name, std::system_category().message(errno)));
}

/// Where a link leads, so that the file and not the link is replaced.
fs::path Resolved(const std::string& name) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(name, error);
  return error ? fs::path(name) : resolved;
}

}  // namespace

OutputFile::OutputFile(const std::string& name) : name_(Resolved(name).string()) {
  std::error_code ignored;
  const fs::file_status status = fs::status(name_, ignored);
  const bool as_it_is = fs::exists(status) && !fs::is_regular_file(status);
  std::string path = name_;
  int flags = O_WRONLY | O_CLOEXEC;
  if (!as_it_is) {
    const fs::path whole(name_);
    path =
        (whole.parent_path() / fmt::format(".{}.{}.partial", whole.filename().string(), ::getpid()))
            .string();
    flags |= O_CREAT | O_TRUNC;
    partial_ = path;
    RemoveOnInterrupt(partial_);
  }
  const int descriptor = ::open(path.c_str(), flags, 0666);
  if (descriptor >= 0) stream_ = ::fdopen(descriptor, "wb");
  if (stream_ == nullptr) ThrowSystem(name);
}

OutputFile::~OutputFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!partial_.empty()) ::unlink(partial_.c_str());
  has_partial_file = false;
}

void OutputFile::Commit() {
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) ThrowSystem(name_);
  if (partial_.empty()) return;
  if (::rename(partial_.c_str(), name_.c_str()) != 0) ThrowSystem(name_);
  partial_.clear();
}

}  // namespace nunatak::cli
