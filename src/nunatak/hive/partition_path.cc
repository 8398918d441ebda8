#include "nunatak/hive/partition_path.h"

#include "nunatak/base/bytes.h"

namespace nunatak::hive {

namespace {

constexpr std::string_view kNull = "__HIVE_DEFAULT_PARTITION__";

std::string Unescape(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::optional<std::string> byte =
        text[i] == '%' && i + 2 < text.size() ? ParseHex(text.substr(i + 1, 2)) : std::nullopt;
    decoded += byte ? (*byte)[0] : text[i];
    if (byte) i += 2;
  }
  return ValidUtf8Prefix(decoded).size() == decoded.size() ? decoded : std::string(text);
}

}  // namespace

std::optional<PartitionPart> ParsePartitionPart(std::string_view directory_name) {
  const size_t equals = directory_name.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const std::string_view value = directory_name.substr(equals + 1);
  PartitionPart part{Unescape(directory_name.substr(0, equals)), std::nullopt};
  if (value != kNull) part.value = Unescape(value);
  return part;
}

bool IsHidden(std::string_view name) {
  return name.starts_with('.') || name.ends_with("._COPYING_") ||
         (name.starts_with('_') && name.find('=') == std::string_view::npos);
}

bool IsDataFileName(std::string_view name) {
  return name.ends_with(".parquet") || name.ends_with(".orc") || name.ends_with(".avro");
}

bool IsSummaryFile(std::string_view name) {
  return name == "_metadata" || name == "_common_metadata";
}

}  // namespace nunatak::hive
