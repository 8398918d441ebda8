#include "nunatak/open/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/hive/partition_path.h"
#include "nunatak/iceberg/metadata_file_name.h"

namespace nunatak {

namespace {

struct FormatName {
  TableFormat format;
  std::string_view name;
  std::string_view noun;
};

constexpr std::array<FormatName, 3> kNames = {{
    {TableFormat::kIceberg, "iceberg", "an Iceberg table"},
    {TableFormat::kDelta, "delta", "a Delta table"},
    {TableFormat::kHive, "hive", "a Hive-style directory"},
}};

const FormatName& NamesOf(TableFormat format) { return kNames[static_cast<size_t>(format)]; }

/// What lies in a directory; nullopt when there is none.
std::optional<std::vector<FileInfo>> ListIfThere(FileIO& io, const std::string& location) {
  try {
    return io.List(location);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return std::nullopt;
  }
}

bool Has(const std::vector<FileInfo>& files, std::string_view directory) {
  return std::any_of(files.begin(), files.end(), [directory](const FileInfo& file) {
    return file.is_directory && file.location.ends_with(directory);
  });
}

bool IsOfHiveStyle(const FileInfo& file) {
  const std::string_view name =
      std::string_view(file.location).substr(file.location.rfind('/') + 1);
  if (name.starts_with('.')) return false;
  if (file.is_directory) return name.find('=') != std::string_view::npos;
  return hive::IsDataFileName(name);
}

}  // namespace

std::string_view ToString(TableFormat format) { return NamesOf(format).name; }

std::string_view NounOf(TableFormat format) { return NamesOf(format).noun; }

TableFormat ParseTableFormat(std::string_view name) {
  for (const FormatName& known : kNames) {
    if (known.name == name) return known.format;
  }
  ThrowUsage(fmt::format("there is no table format '{}'", name), "iceberg, delta or hive");
}

TableFormat DetectTableFormat(FileIO& io, const std::string& location) {
  if (iceberg::IsMetadataFileName(location)) return TableFormat::kIceberg;
  const std::optional<std::vector<FileInfo>> files = ListIfThere(io, location);
  // A file of any name may be a table's metadata, and what is not there is looked for no further.
  if (!files && hive::IsDataFileName(location)) return TableFormat::kHive;
  if (!files || Has(*files, "/metadata")) return TableFormat::kIceberg;
  if (Has(*files, "/_delta_log")) return TableFormat::kDelta;
  if (std::any_of(files->begin(), files->end(), IsOfHiveStyle)) return TableFormat::kHive;
  throw Error(ErrorCode::kNotFound,
              fmt::format("no table at {}: the directory has neither metadata/ nor _delta_log/, no "
                          "directory named k=v, and no Parquet, ORC or Avro file",
                          location),
              "give the table's directory or its metadata file; --table-format hive reads whatever "
              "data files lie below a directory");
}

}  // namespace nunatak
