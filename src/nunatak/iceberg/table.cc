#include "nunatak/iceberg/table.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/metadata_file_name.h"
#include "nunatak/iceberg/metadata_json.h"
#include "nunatak/iceberg/metadata_pointer.h"

namespace nunatak::iceberg {

namespace {

/// Calls `read`; nullopt when it finds nothing there.
template <typename Read>
auto IfFound(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return std::nullopt;
  }
}

std::string WithoutTrailingSlashes(std::string location) {
  while (location.size() > 1 && location.ends_with('/')) location.pop_back();
  return location;
}

/// The directory above `directory`, also for ".", "..", and what ends in them.
std::string DirectoryAbove(const std::string& directory) {
  const std::string_view name = std::string_view(directory).substr(directory.rfind('/') + 1);
  if (name == ".") return JoinLocation(ParentLocation(directory), "..");
  return name == ".." ? JoinLocation(directory, "..") : ParentLocation(directory);
}

[[noreturn]] void ThrowNoTable(const std::string& location, std::string_view why) {
  throw Error(ErrorCode::kNotFound, fmt::format("no table at {}: {}", location, why),
              "give the table's directory, which holds metadata/, or one of its metadata files");
}

/// What is found at the location that the caller named.
struct Found {
  std::string metadata_location;
  std::string base_location;
  bool guessed = false;
};

std::optional<Found> FindByDirectory(FileIO& io, const std::string& location) {
  const std::string directory = JoinLocation(location, "metadata");
  const auto files = IfFound([&] { return io.List(directory); });
  if (!files) return std::nullopt;
  MetadataPointer pointer = FindMetadataPointer(io, directory, *files);
  return Found{std::move(pointer.location), location, pointer.guessed};
}

Found FindTable(FileIO& io, const std::string& location) {
  if (!IsMetadataFileName(location)) {
    if (std::optional<Found> found = FindByDirectory(io, location)) return *std::move(found);
    if (IfFound([&] { return io.List(location); })) {
      ThrowNoTable(location, "the directory has no metadata directory, as Iceberg tables have");
    }
  }
  return Found{location, DirectoryAbove(ParentLocation(location)), false};
}

std::shared_ptr<FileIO> WithMovedTable(const std::shared_ptr<FileIO>& io,
                                       const std::string& recorded, const std::string& base) {
  LocationMap locations = io->locations();
  // A mapped location is not mapped again, so the target must be where the base itself lies.
  locations.Add(recorded, locations.Map(base));
  return io->WithLocations(std::move(locations));
}

}  // namespace

Table OpenTable(std::shared_ptr<FileIO> io, std::string_view location, const OpenOptions& options) {
  Found found = FindTable(*io, WithoutTrailingSlashes(CanonicalLocation(location)));
  auto bytes = IfFound([&] { return io->ReadAll(found.metadata_location); });
  if (!bytes) ThrowNoTable(found.metadata_location, "there is no such file or directory");
  std::shared_ptr<const TableMetadata> metadata =
      WithContext(found.metadata_location, [&] { return ParseTableMetadata(*std::move(bytes)); });
  if (options.moved) io = WithMovedTable(io, metadata->location, found.base_location);
  return Table{.io = std::move(io),
               .metadata = std::move(metadata),
               .metadata_location = std::move(found.metadata_location),
               .base_location = std::move(found.base_location),
               .pointer_guessed = found.guessed};
}

}  // namespace nunatak::iceberg
