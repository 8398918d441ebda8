#include "nunatak/hive/directory_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/in_parallel.h"

namespace nunatak::hive {

namespace {

/// Less than the links that a path may lead through, beyond which it is no directory any more.
constexpr int kMaxDepth = 32;

std::string_view NameOf(const FileInfo& file) {
  return std::string_view(file.location).substr(file.location.rfind('/') + 1);
}

/// A directory that is to be listed.
struct Found {
  std::string location;
  std::vector<PartitionPart> parts;
};

/// A directory below another: a part of the partition if its name is one.
Found Below(const Found& directory, const FileInfo& file) {
  Found found{file.location, directory.parts};
  if (auto part = ParsePartitionPart(NameOf(file))) found.parts.push_back(*std::move(part));
  return found;
}

/// Sorts what lies in one directory into the listing and the next level.
void Take(Found directory, std::vector<FileInfo> files, bool is_root, DirectoryListing* listing,
          std::vector<Found>* next) {
  ListedDirectory listed;
  for (FileInfo& file : files) {
    if (is_root && !file.is_directory && IsSummaryFile(NameOf(file))) {
      listing->summaries.push_back(std::move(file));
    } else if (IsHidden(NameOf(file))) {
      continue;
    } else if (file.is_directory) {
      next->push_back(Below(directory, file));
    } else {
      listed.files.push_back(std::move(file));
    }
  }
  if (listed.files.empty()) return;
  listed.parts = std::move(directory.parts);
  listing->directories.push_back(std::move(listed));
}

/// Absent when there is no such file, but perhaps a directory of that name.
std::optional<int64_t> SizeOfFile(FileIO& io, const std::string& location) {
  try {
    return io.Size(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound && error.code() != ErrorCode::kIo) throw;
    return std::nullopt;
  }
}

}  // namespace

DirectoryListing ListDirectories(FileIO& io, const Context& context, const std::string& root) {
  DirectoryListing listing;
  if (IsDataFileName(root)) {
    if (const std::optional<int64_t> size = SizeOfFile(io, root)) {
      listing.directories.push_back({{}, {{.location = root, .size = *size}}});
      return listing;
    }
  }
  std::vector<Found> level = {{root, {}}};
  for (int depth = 0; !level.empty(); ++depth) {
    if (depth > kMaxDepth) {
      ThrowInvalid(
          fmt::format("{}: more than {} levels of directories", level.front().location, kMaxDepth),
          "does a link lead back to a directory above it?");
    }
    std::vector<std::vector<FileInfo>> found(level.size());
    InParallel(io, context, level.size(), [&](size_t i) { found[i] = io.List(level[i].location); });
    listing.list_calls += static_cast<int64_t>(level.size());
    std::vector<Found> next;
    for (size_t i = 0; i < level.size(); ++i) {
      Take(std::move(level[i]), std::move(found[i]), depth == 0, &listing, &next);
    }
    level = std::move(next);
  }
  std::sort(listing.directories.begin(), listing.directories.end(),
            [](const ListedDirectory& a, const ListedDirectory& b) {
              return a.files.front().location < b.files.front().location;
            });
  return listing;
}

}  // namespace nunatak::hive
