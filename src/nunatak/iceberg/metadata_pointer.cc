#include "nunatak/iceberg/metadata_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/metadata_file_name.h"

namespace nunatak::iceberg {

namespace {

constexpr std::string_view kHintName = "version-hint.text";

struct Candidate {
  std::string_view location;
  std::string_view name;
  std::string_view stem;
  /// Absent when the name has no version.
  std::optional<int64_t> version;

  /// Named by the scheme of file system tables, where a file's version alone makes it the current
  /// one.
  bool is_hadoop() const { return version && stem.find('-') == std::string_view::npos; }
};

std::string_view NameOf(std::string_view location) {
  return location.substr(location.rfind('/') + 1);
}

std::vector<Candidate> FindCandidates(const std::vector<FileInfo>& files) {
  std::vector<Candidate> candidates;
  for (const FileInfo& file : files) {
    const std::string_view name = NameOf(file.location);
    if (file.is_directory || !IsMetadataFileName(name)) continue;
    const std::string_view stem = MetadataFileStem(name);
    candidates.push_back({file.location, name, stem, VersionOfStem(stem)});
  }
  return candidates;
}

/// The one candidate that `matches`, or null; two are an error, since nothing says which one
/// counts.
template <typename Matches>
const Candidate* FindOnly(const std::vector<Candidate>& candidates, Matches matches) {
  const Candidate* found = nullptr;
  for (const Candidate& candidate : candidates) {
    if (!matches(candidate)) continue;
    if (found) {
      ThrowInvalid(fmt::format("two metadata files claim the same version: {} and {}",
                               found->location, candidate.location),
                   "open the metadata file that is right by its own location");
    }
    found = &candidate;
  }
  return found;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// The file of version `number`, or of the last of the versions that directly follow it: a writer
/// commits by creating that file, and updates the hint only afterwards, if it lives to do so.
const Candidate* FollowVersions(const std::vector<Candidate>& candidates, int64_t number) {
  const auto find = [&](int64_t version) {
    return FindOnly(candidates,
                    [&](const Candidate& c) { return c.is_hadoop() && c.version == version; });
  };
  const Candidate* found = find(number);
  if (!found) return FindOnly(candidates, [&](const Candidate& c) { return c.version == number; });
  while (const Candidate* next = find(*found->version + 1)) found = next;
  return found;
}

std::string FollowHint(std::string_view hint, const std::string& hint_location,
                       const std::vector<Candidate>& candidates) {
  const std::optional<int64_t> number = ParseVersionNumber(hint);
  const std::string_view wanted = NameOf(hint);
  const Candidate* found =
      number ? FollowVersions(candidates, *number) : FindOnly(candidates, [&](const Candidate& c) {
        return c.name == wanted || c.stem == wanted;
      });
  if (!found) {
    ThrowInvalid(fmt::format("{}: the metadata file of version '{}' is missing", hint_location,
                             ValidUtf8Prefix(hint.substr(0, 100))),
                 "open a metadata file by its own location");
  }
  return std::string(found->location);
}

std::string FindHighestVersion(const std::vector<Candidate>& candidates) {
  std::optional<int64_t> highest;
  for (const Candidate& candidate : candidates) highest = std::max(highest, candidate.version);
  const Candidate* found =
      FindOnly(candidates, [&](const Candidate& c) { return c.version && c.version == highest; });
  return found ? std::string(found->location) : "";
}

}  // namespace

MetadataPointer FindMetadataPointer(FileIO& io, const std::string& directory,
                                    const std::vector<FileInfo>& files) {
  const std::vector<Candidate> candidates = FindCandidates(files);
  for (const FileInfo& file : files) {
    if (NameOf(file.location) != kHintName) continue;
    const Buffer text = io.ReadAll(file.location);
    const std::string_view hint = Trim(AsText(text.bytes));
    if (!hint.empty()) return {FollowHint(hint, file.location, candidates), false};
  }
  std::string highest = FindHighestVersion(candidates);
  if (highest.empty()) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("no table metadata in {}: no file is named like v1.metadata.json or "
                            "00000-<uuid>.metadata.json",
                            directory),
                "give the location of the metadata file itself");
  }
  return {std::move(highest), true};
}

}  // namespace nunatak::iceberg
