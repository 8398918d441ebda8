#include "nunatak/io/file_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "nunatak/base/error.h"
#include "nunatak/io/data_uri.h"

namespace nunatak {

namespace {

/// Runs `call`, which works on the mapped location; an error says both spellings when they differ.
template <typename Call>
auto Named(const std::string& location, const std::string& mapped, Call&& call) {
  try {
    return call();
  } catch (Error& error) {
    if (CanonicalLocation(location) != mapped) {
      error.AddContext(fmt::format("{} (mapped to {})", location, mapped));
    } else {
      error.AddContext(location);
    }
    throw;
  }
}

/// The failure with the lowest index among concurrent requests.
class FirstFailure {
 public:
  void Record(size_t index, std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    if (error_ && index > index_) return;
    index_ = index;
    error_ = std::move(error);
    failed_.store(true);
  }
  bool failed() const { return failed_.load(); }
  void Rethrow() {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> failed_{false};
  size_t index_ = 0;
  std::exception_ptr error_;
};

}  // namespace

Buffer FileIO::Read(const FetchRequest& request) {
  if (IsDataUri(request.location)) return ReadDataUri(request.location, request.range);
  const std::string mapped = Map(request.location);
  ++requests_;
  Buffer buffer = Named(request.location, mapped, [&] { return DoRead(mapped, request.range); });
  bytes_read_ += static_cast<int64_t>(buffer.size());
  return buffer;
}

void FileIO::Fetch(const Context& context, std::span<const FetchRequest> requests,
                   const FetchSink& sink) {
  std::atomic<size_t> next{0};
  FirstFailure failure;
  const auto work = [&] {
    for (size_t i = next++; i < requests.size() && !failure.failed(); i = next++) {
      try {
        context.CheckStop();
        sink(i, Read(requests[i]));
      } catch (...) {
        failure.Record(i, std::current_exception());
      }
    }
  };
  // Threads of their own, since they wait rather than compute: a slow store must not be bound to
  // the number of CPU workers.
  const size_t in_flight =
      std::min<size_t>(requests.size(), static_cast<size_t>(std::max(context.io_concurrency, 1)));
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < in_flight; ++i) threads.emplace_back(work);
    work();
  }
  failure.Rethrow();
}

Buffer FileIO::ReadAll(const std::string& location) {
  if (IsDataUri(location)) return ReadDataUri(location);
  const std::string mapped = Map(location);
  ++requests_;
  Buffer buffer = Named(location, mapped, [&] { return DoReadAll(mapped); });
  bytes_read_ += static_cast<int64_t>(buffer.size());
  return buffer;
}

Buffer FileIO::ReadTail(const std::string& location, int64_t length, int64_t* size) {
  *size = Size(location);
  const int64_t wanted = std::min(length, *size);
  return Read(FetchRequest{location, ByteRange{*size - wanted, wanted}});
}

int64_t FileIO::Size(const std::string& location) {
  if (IsDataUri(location)) return static_cast<int64_t>(ReadDataUri(location).size());
  const std::string mapped = Map(location);
  ++requests_;
  return Named(location, mapped, [&] { return DoSize(mapped); });
}

std::optional<std::string> FileIO::Stamp(const std::string& location) {
  return DoStamp(Map(location));
}

std::optional<std::string> FileIO::DoStamp(const std::string& /*mapped*/) { return ""; }

bool FileIO::Exists(const std::string& location) {
  try {
    Size(location);
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kNotFound) return false;
    throw;
  }
}

std::vector<FileInfo> FileIO::List(const std::string& directory) {
  const std::string mapped = Map(directory);
  ++requests_;
  std::vector<FileInfo> files = Named(directory, mapped, [&] { return DoList(mapped); });
  for (FileInfo& file : files) file.location = JoinLocation(directory, file.location);
  std::sort(files.begin(), files.end(),
            [](const FileInfo& a, const FileInfo& b) { return a.location < b.location; });
  return files;
}

IoCounters FileIO::counters() const { return {requests_.load(), bytes_read_.load()}; }

}  // namespace nunatak
