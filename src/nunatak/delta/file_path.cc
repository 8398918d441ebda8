#include "nunatak/delta/file_path.h"

#include <optional>

#include "nunatak/base/bytes.h"
#include "nunatak/io/location.h"

namespace nunatak::delta {

namespace {

/// "s3:", "file:", "abfss:" …
bool HasScheme(std::string_view path) {
  const size_t colon = path.find(':');
  if (colon == std::string_view::npos || colon < 2) return false;
  const std::string_view scheme = path.substr(0, colon);
  // A file name may hold a colon too, but a scheme is followed by a slash.
  return scheme.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+") ==
             std::string_view::npos &&
         path.substr(colon + 1).starts_with('/');
}

}  // namespace

std::string DecodePath(std::string_view path) {
  std::string decoded;
  decoded.reserve(path.size());
  for (size_t i = 0; i < path.size(); ++i) {
    std::optional<std::string> byte;
    if (path[i] == '%' && path.size() - i > 2) byte = ParseHex(path.substr(i + 1, 2));
    if (byte) {
      decoded += *byte;
      i += 2;
    } else {
      decoded.push_back(path[i]);
    }
  }
  return decoded;
}

std::string ResolvePath(std::string_view root, std::string_view decoded) {
  if (decoded.starts_with('/') || HasScheme(decoded)) return std::string(decoded);
  return JoinLocation(root, decoded);
}

}  // namespace nunatak::delta
