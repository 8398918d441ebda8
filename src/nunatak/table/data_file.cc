#include "nunatak/table/data_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"

namespace nunatak {

namespace {

/// Indexed by the enums.
constexpr std::array<std::string_view, 3> kContents = {"data", "position-deletes",
                                                       "equality-deletes"};
constexpr std::array<std::string_view, 4> kFormats = {"AVRO", "ORC", "PARQUET", "PUFFIN"};

}  // namespace

std::string_view ToString(FileContent content) { return kContents[static_cast<size_t>(content)]; }

std::string_view ToString(FileFormat format) { return kFormats[static_cast<size_t>(format)]; }

FileFormat ParseFileFormat(std::string_view text) {
  if (text == "PARQUET") return FileFormat::kParquet;  // nearly always
  for (size_t i = 0; i < kFormats.size(); ++i) {
    if (EqualsIgnoreCase(kFormats[i], text)) return static_cast<FileFormat>(i);
  }
  ThrowUnsupported(fmt::format("file format '{}' is not known", text),
                   fmt::format("known are {}", fmt::join(kFormats, ", ")));
}

const ColumnMetrics* DataFile::FindMetrics(int32_t field_id) const {
  const auto it = std::lower_bound(
      metrics.begin(), metrics.end(), field_id,
      [](const ColumnMetrics& column, int32_t id) { return column.field_id < id; });
  return it != metrics.end() && it->field_id == field_id ? &*it : nullptr;
}

}  // namespace nunatak
