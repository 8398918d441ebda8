#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/location.h"

namespace nunatak {

struct ByteRange {
  int64_t offset = 0;
  int64_t length = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Bytes wanted from a file.
struct FetchRequest {
  std::string location;
  ByteRange range;
};

struct FileInfo {
  /// In the spelling of the location that was listed.
  std::string location;
  int64_t size = 0;
  bool is_directory = false;
  /// When the file was written last, in milliseconds since 1970-01-01 UTC; 0 for directories.
  int64_t modified_ms = 0;
};

/// What was asked of storage so far.
struct IoCounters {
  int64_t requests = 0;
  int64_t bytes_read = 0;
};

/// The only way to bytes. Locations are mapped here and nowhere else (io/location.h), and "data:"
/// locations (io/data_uri.h) hold their bytes themselves. Thread-safe.
/// A file that does not exist is `ErrorCode::kNotFound`; other failures are `kIo`; the message
/// names the location as the caller spelled it and, where it differs, as it was mapped.
class NUNATAK_EXPORT FileIO {
 public:
  explicit FileIO(LocationMap locations = {}) : locations_(std::move(locations)) {}
  virtual ~FileIO() = default;
  FileIO(const FileIO&) = delete;
  FileIO& operator=(const FileIO&) = delete;

  /// Receives request `index`'s bytes; called once for each, in any order, from several threads.
  using FetchSink = std::function<void(size_t index, Buffer bytes)>;

  /// Fetches all ranges with up to `context.io_concurrency` requests in flight, and returns when
  /// the sink has had them all. The first failure (by index) is thrown once no request is in
  /// flight. A range that ends beyond the file is an error, never a short buffer.
  void Fetch(const Context& context, std::span<const FetchRequest> requests, const FetchSink& sink);

  /// The whole file in one request.
  Buffer ReadAll(const std::string& location);
  /// The last `length` bytes (all, when the file is shorter), and the file's size.
  Buffer ReadTail(const std::string& location, int64_t length, int64_t* size);
  int64_t Size(const std::string& location);
  bool Exists(const std::string& location);
  /// What tells the file from others that were or will be at the location, as far as the storage
  /// knows without waiting: on this machine its inode, size and times. Empty when the storage
  /// cannot tell, nullopt when the file cannot be looked at. Not counted as a request.
  std::optional<std::string> Stamp(const std::string& location);
  /// What lies directly in a directory, sorted by name; `kNotFound` when there is no such
  /// directory.
  std::vector<FileInfo> List(const std::string& directory);

  /// Whether a request waits for a network: then many should be in flight at once. Requests to
  /// this machine's own files are better made by whoever needs the bytes.
  virtual bool waits() const { return true; }

  IoCounters counters() const;
  const LocationMap& locations() const { return locations_; }
  /// The same storage seen through other location rules; counts separately.
  virtual std::shared_ptr<FileIO> WithLocations(LocationMap locations) const = 0;

 protected:
  /// Reads [offset, offset + length) of a mapped location; throws unless all of it exists.
  virtual Buffer DoRead(const std::string& mapped, ByteRange range) = 0;
  virtual Buffer DoReadAll(const std::string& mapped) = 0;
  virtual int64_t DoSize(const std::string& mapped) = 0;
  virtual std::optional<std::string> DoStamp(const std::string& mapped);
  /// The names alone, in any order.
  virtual std::vector<FileInfo> DoList(const std::string& mapped) = 0;

 private:
  std::string Map(const std::string& location) const { return locations_.Map(location); }
  Buffer Read(const FetchRequest& request);

  LocationMap locations_;
  std::atomic<int64_t> requests_{0};
  std::atomic<int64_t> bytes_read_{0};
};

/// Files of this machine: "/x", "x", "file:/x" and "file:///x". Range reads are positioned reads,
/// so that requests to one file do not wait for each other.
NUNATAK_EXPORT std::shared_ptr<FileIO> MakeLocalFileIO(LocationMap locations = {});

}  // namespace nunatak
