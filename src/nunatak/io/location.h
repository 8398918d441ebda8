#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// "file:/x", "file:///x" and "file://localhost/x" are "/x", and s3a and s3n are s3; repeated and
/// trailing slashes are dropped from a local path. Blanks and percent sequences are kept as they
/// are.
NUNATAK_EXPORT std::string CanonicalLocation(std::string_view location);

/// Joins a directory and a relative name with one slash.
NUNATAK_EXPORT std::string JoinLocation(std::string_view directory, std::string_view name);

/// The directory of a location, without the last part: "a" for "a/b".
NUNATAK_EXPORT std::string ParentLocation(std::string_view location);

/// Where the files of a table that was copied or moved are now: rules FROM → TO over whole path
/// segments ("/a/b" covers "/a/b" and "/a/b/c", not "/a/bc"), in canonical form. The longest FROM
/// that covers a location wins; a mapped location is not mapped again.
class NUNATAK_EXPORT LocationMap {
 public:
  void Add(std::string_view from, std::string_view to);
  /// The canonical location to open for a recorded one.
  std::string Map(std::string_view location) const;
  bool empty() const { return rules_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> rules_;
};

}  // namespace nunatak
