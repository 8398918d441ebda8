#include "nunatak/iceberg/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest_image_writer.h"

namespace nunatak::iceberg {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kImageEnd = ".manifest";
constexpr std::string_view kTemporaryEnd = ".tmp";
/// Its time says when the directory was last swept.
constexpr std::string_view kSweepMark = "swept.mark";
constexpr size_t kHashDigits = 32;

/// Use is recorded this often; the order of eviction need not be finer.
constexpr time_t kTouchSeconds = 600;
constexpr time_t kSweepSeconds = 60;
/// What a process that died left behind.
constexpr time_t kAbandonedSeconds = 3600;
/// The directory may grow by this part of its limit before the next sweep.
constexpr int64_t kSweepsPerLimit = 64;
/// No image may take more than this part of the limit.
constexpr int64_t kImagesPerLimit = 4;
constexpr int64_t kMaxWaitingBytes = int64_t{64} << 20;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool is_open() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// An image file; reading copies, so that a file that changes later changes nothing.
class ImageFile final : public ImageBytes {
 public:
  /// Null for anything but a file.
  static std::unique_ptr<const ImageBytes> Open(const std::string& path) {
    // A named pipe would wait for a writer.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return nullptr;
    auto file = std::make_unique<ImageFile>(fd);
    struct stat status{};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
    file->size_ = static_cast<uint64_t>(status.st_size);
    if (::time(nullptr) - status.st_mtime > kTouchSeconds) {
      // What is read often is evicted last. In vain when the file belongs to somebody else.
      (void)::futimens(fd, nullptr);
    }
    return file;
  }

  explicit ImageFile(int fd) : file_(fd) {}
  uint64_t size() const override { return size_; }
  void Read(uint64_t offset, std::span<uint8_t> to) const override {
    size_t done = 0;
    while (done < to.size()) {
      const ssize_t n = ::pread(file_.get(), to.data() + done, to.size() - done,
                                static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw Error(ErrorCode::kIo, "the image cannot be read");
      done += static_cast<size_t>(n);
    }
  }

 private:
  Descriptor file_;
  uint64_t size_ = 0;
};

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsImage(std::string_view name) {
  return name.size() == kHashDigits + kImageEnd.size() && name.ends_with(kImageEnd) &&
         IsHex(name.substr(0, kHashDigits));
}

/// An image that is being written: the image's name, a dot, random digits.
bool IsTemporary(std::string_view name) {
  return name.ends_with(kTemporaryEnd) && name.size() > kHashDigits + kImageEnd.size() &&
         IsImage(name.substr(0, kHashDigits + kImageEnd.size()));
}

struct CachedFile {
  fs::path path;
  int64_t bytes = 0;
  time_t used = 0;
  bool temporary = false;
};

/// Our files in the directory.
std::vector<CachedFile> ListFiles(const std::string& directory) {
  std::vector<CachedFile> files;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    const bool temporary = IsTemporary(name);
    if (!temporary && !IsImage(name) && name != kSweepMark) continue;
    struct stat status{};
    if (::lstat(it->path().c_str(), &status) != 0 || S_ISDIR(status.st_mode)) continue;
    files.push_back({it->path(), status.st_size, status.st_mtime, temporary});
  }
  return files;
}

/// Removes the least recently used images until the rest is well below the limit.
void Sweep(const std::string& directory, int64_t max_bytes) {
  std::vector<CachedFile> files = ListFiles(directory);
  const time_t now = ::time(nullptr);
  int64_t total = 0;
  for (const CachedFile& file : files) total += file.bytes;
  std::sort(files.begin(), files.end(),
            [](const CachedFile& a, const CachedFile& b) { return a.used < b.used; });
  const int64_t goal = total > max_bytes ? max_bytes - max_bytes / 16 : max_bytes;
  for (const CachedFile& file : files) {
    if (file.path.filename() == kSweepMark) continue;
    const bool goes = file.temporary ? now - file.used > kAbandonedSeconds : total > goal;
    if (!goes || ::unlink(file.path.c_str()) != 0) continue;
    total -= file.bytes;
  }
}

/// Whether the last sweep, of any process, was long ago; then the time is now.
bool TakeSweep(const std::string& directory, bool in_any_case) {
  const std::string mark = fmt::format("{}/{}", directory, kSweepMark);
  struct stat status{};
  const bool recent =
      ::stat(mark.c_str(), &status) == 0 && ::time(nullptr) - status.st_mtime < kSweepSeconds;
  if (recent && !in_any_case) return false;
  const Descriptor file(::open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600));
  if (file.is_open()) (void)::futimens(file.get(), nullptr);
  return true;
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

/// The file is there as a whole, or not at all.
bool WriteFile(const std::string& path, std::string_view bytes) {
  std::random_device random;
  const std::string temporary =
      fmt::format("{}.{:08x}{:08x}{}", path, random(), random(), kTemporaryEnd);
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return false;
    if (WriteAll(file.get(), bytes) && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
  }
  (void)::unlink(temporary.c_str());
  return false;
}

}  // namespace

DiskManifestCache::DiskManifestCache(std::string directory, int64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {}

std::string DiskManifestCache::PathOf(const std::string& key) const {
  // Versions of the format do not take each other's place.
  return fmt::format("{}/{:016x}{:016x}{}", directory_, ImageChecksum(AsBytes(key), kImageVersion),
                     ImageChecksum(AsBytes(key), ~uint64_t{kImageVersion}), kImageEnd);
}

std::shared_ptr<const DecodedManifest> DiskManifestCache::Find(const ExpectedManifest& expected,
                                                               const FileRequest& request) {
  const auto open = [path = PathOf(expected.key)] { return ImageFile::Open(path); };
  try {
    auto found = std::make_shared<const DiskManifest>(open, expected, request);
    ++hits_;
    return found;
  } catch (const Error&) {
    return nullptr;
  }
}

void DiskManifestCache::Keep(const Context& context, const std::string& key,
                             std::shared_ptr<const ManifestColumns> columns) {
  const int64_t bytes = columns->memory_bytes();
  if (!context.executor || waiting_bytes_ + bytes > kMaxWaitingBytes) {
    return Write(key, *columns);
  }
  waiting_bytes_ += bytes;
  context.executor->Submit([self = shared_from_this(), key, columns = std::move(columns), bytes] {
    self->Write(key, *columns);
    self->waiting_bytes_ -= bytes;
  });
}

void DiskManifestCache::Write(const std::string& key, const ManifestColumns& columns) {
  try {
    const std::string image = WriteManifestImage(key, columns);
    const auto size = static_cast<int64_t>(image.size());
    if (size > max_bytes_ / kImagesPerLimit) return;
    std::error_code code;
    if (fs::create_directories(directory_, code)) {
      fs::permissions(directory_, fs::perms::owner_all, code);
    }
    if (!WriteFile(PathOf(key), image)) return;
    ++writes_;
    if (SweepIsDue(size)) Sweep(directory_, max_bytes_);
  } catch (const std::exception&) {
    // Of what planning may never touch, or for want of memory: the manifest is not kept.
  }
}

bool DiskManifestCache::SweepIsDue(int64_t written) {
  std::lock_guard lock(sweep_mutex_);
  written_since_sweep_ += written;
  const bool much = written_since_sweep_ > max_bytes_ / kSweepsPerLimit;
  if (has_written_ && !much) return false;
  has_written_ = true;
  if (!TakeSweep(directory_, much)) return false;
  written_since_sweep_ = 0;
  return true;
}

DiskUsage DiskManifestCache::Usage(const std::string& directory) {
  DiskUsage usage;
  for (const CachedFile& file : ListFiles(directory)) {
    if (file.path.filename() == kSweepMark) continue;
    ++usage.files;
    usage.bytes += file.bytes;
  }
  return usage;
}

DiskUsage DiskManifestCache::Clear(const std::string& directory) {
  DiskUsage removed;
  for (const CachedFile& file : ListFiles(directory)) {
    if (::unlink(file.path.c_str()) != 0 || file.path.filename() == kSweepMark) continue;
    ++removed.files;
    removed.bytes += file.bytes;
  }
  return removed;
}

}  // namespace nunatak::iceberg
