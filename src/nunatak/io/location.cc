#include "nunatak/io/location.h"

#include <array>

namespace nunatak {

namespace {

/// Removes the scheme of a local location; false when the location is not local.
bool StripFileScheme(std::string_view* location) {
  if (!location->starts_with("file:")) return location->find("://") == std::string_view::npos;
  location->remove_prefix(5);
  if (location->starts_with("//localhost/")) {
    location->remove_prefix(11);
  } else if (location->starts_with("//")) {
    location->remove_prefix(2);
  }
  return true;
}

std::string CollapseSlashes(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (char c : path) {
    if (c == '/' && out.ends_with('/')) continue;
    out.push_back(c);
  }
  if (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

/// Whether `prefix` is `location` or a directory above it.
bool Covers(std::string_view prefix, std::string_view location) {
  if (!location.starts_with(prefix)) return false;
  return location.size() == prefix.size() || prefix.ends_with('/') ||
         location[prefix.size()] == '/';
}

}  // namespace

std::string CanonicalLocation(std::string_view location) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kAliases = {
      {{"s3a://", "s3://"}, {"s3n://", "s3://"}}};
  if (StripFileScheme(&location)) return CollapseSlashes(location);
  for (const auto& [alias, scheme] : kAliases) {
    if (location.starts_with(alias)) {
      return std::string(scheme) + std::string(location.substr(alias.size()));
    }
  }
  return std::string(location);
}

std::string JoinLocation(std::string_view directory, std::string_view name) {
  std::string joined(directory);
  if (!joined.empty() && !joined.ends_with('/')) joined.push_back('/');
  joined.append(name);
  return joined;
}

std::string ParentLocation(std::string_view location) {
  while (location.size() > 1 && location.ends_with('/')) location.remove_suffix(1);
  const size_t slash = location.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(location.substr(0, slash));
}

void LocationMap::Add(std::string_view from, std::string_view to) {
  std::string canonical = CanonicalLocation(from);
  while (canonical.size() > 1 && canonical.ends_with('/')) canonical.pop_back();
  std::string target = CanonicalLocation(to);
  while (target.size() > 1 && target.ends_with('/')) target.pop_back();
  rules_.emplace_back(std::move(canonical), std::move(target));
}

std::string LocationMap::Map(std::string_view location) const {
  std::string canonical = CanonicalLocation(location);
  const std::pair<std::string, std::string>* best = nullptr;
  for (const auto& rule : rules_) {
    if (Covers(rule.first, canonical) && (!best || rule.first.size() > best->first.size())) {
      best = &rule;
    }
  }
  if (!best) return canonical;
  std::string_view rest = std::string_view(canonical).substr(best->first.size());
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return rest.empty() ? best->second : JoinLocation(best->second, rest);
}

}  // namespace nunatak
