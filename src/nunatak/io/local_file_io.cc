#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "nunatak/base/error.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

namespace {

[[noreturn]] void ThrowErrno(int code, std::string_view doing) {
  const bool missing = code == ENOENT || code == ENOTDIR;
  throw Error(missing ? ErrorCode::kNotFound : ErrorCode::kIo,
              missing ? "no such file or directory"
                      : fmt::format("cannot {}: {}", doing, std::strerror(code)));
}

/// Refuses locations that are not on this machine, which `CanonicalLocation` leaves with a scheme.
void RequireLocal(const std::string& path) {
  const size_t scheme = path.find("://");
  if (scheme == std::string::npos) return;
  throw Error(ErrorCode::kUnsupported,
              fmt::format("locations of scheme '{}' cannot be opened", path.substr(0, scheme)),
              "if the files lie on this machine, say where: --relocate FROM=TO, or --moved");
}

int OpenForReading(const std::string& path) {
  RequireLocal(path);
  // A named pipe, which is refused later, would wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) ThrowErrno(errno, "open");
  return fd;
}

/// 0 when it cannot be told.
int64_t ModifiedMs(const char* path) {
  struct stat status{};
  if (::stat(path, &status) != 0) return 0;
  return int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1000000;
}

/// An open file, closed at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(OpenForReading(path)) {}
  ~OpenFile() { ::close(fd_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int64_t Size() const {
    struct stat status{};
    if (::fstat(fd_, &status) != 0) ThrowErrno(errno, "stat");
    if (S_ISDIR(status.st_mode)) throw Error(ErrorCode::kIo, "is a directory, not a file");
    if (!S_ISREG(status.st_mode)) throw Error(ErrorCode::kIo, "is not a regular file");
    return status.st_size;
  }

  Buffer Read(ByteRange range) const {
    const auto size = static_cast<size_t>(range.length);
    const std::shared_ptr<uint8_t[]> data(new uint8_t[size]);  // not zeroed first
    size_t done = 0;
    while (done < size) {
      const ssize_t n =
          ::pread(fd_, data.get() + done, size - done, range.offset + static_cast<int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) ThrowErrno(errno, "read");
      if (n == 0) throw Error(ErrorCode::kIo, "file became shorter while it was read");
      done += static_cast<size_t>(n);
    }
    return {ByteSpan(data.get(), size), data};
  }

 private:
  int fd_;
};

class LocalFileIO final : public FileIO {
 public:
  using FileIO::FileIO;

  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<LocalFileIO>(std::move(locations));
  }
  bool waits() const override { return false; }

 protected:
  Buffer DoRead(const std::string& path, ByteRange range) override {
    const OpenFile file(path);
    const int64_t size = file.Size();
    if (range.offset < 0 || range.length < 0 || range.offset > size ||
        range.length > size - range.offset) {
      ThrowInvalid(fmt::format("{} bytes at offset {} lie outside the file, which has {} bytes",
                               range.length, range.offset, size),
                   "the file was truncated, or what refers to it is wrong");
    }
    return file.Read(range);
  }

  Buffer DoReadAll(const std::string& path) override {
    const OpenFile file(path);
    return file.Read(ByteRange{0, file.Size()});
  }

  int64_t DoSize(const std::string& path) override { return OpenFile(path).Size(); }

  std::optional<std::string> DoStamp(const std::string& path) override {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    // The time of the last change of any kind; no program can set it.
    return fmt::format("{} {} {}.{:09}", status.st_ino, status.st_size, status.st_ctim.tv_sec,
                       status.st_ctim.tv_nsec);
  }

  std::vector<FileInfo> DoList(const std::string& path) override {
    RequireLocal(path);
    std::error_code code;
    std::vector<FileInfo> files;
    for (std::filesystem::directory_iterator it(path, code), end; !code && it != end;
         it.increment(code)) {
      std::error_code ignored;  // a dangling link has no size; it is listed as empty
      const bool directory = it->is_directory(ignored);
      const auto size = it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
      files.push_back({.location = it->path().filename().string(),
                       .size = static_cast<int64_t>(size),
                       .is_directory = directory,
                       .modified_ms = directory ? 0 : ModifiedMs(it->path().c_str())});
    }
    if (code) ThrowErrno(code.value(), "list");
    return files;
  }
};

}  // namespace

std::shared_ptr<FileIO> MakeLocalFileIO(LocationMap locations) {
  return std::make_shared<LocalFileIO>(std::move(locations));
}

}  // namespace nunatak
