#include "nunatak/cli/cache_options.h"

#include <cstdlib>
#include <string_view>

namespace nunatak::cli {

namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 30;

/// As the XDG Base Directory Specification has it: paths that are not absolute are ignored.
std::string AbsolutePath(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

std::string DefaultDirectory() {
  if (const std::string cache = AbsolutePath("XDG_CACHE_HOME"); !cache.empty()) {
    return cache + "/nunatak";
  }
  const std::string home = AbsolutePath("HOME");
  return home.empty() ? "" : home + "/.cache/nunatak";
}

}  // namespace

void AddCacheDirectory(CLI::App* verb, std::optional<std::string>* directory) {
  verb->add_option("--cache-dir", *directory,
                   "Where decoded manifests are kept (default: nunatak in $XDG_CACHE_HOME or in "
                   "~/.cache)")
      ->type_name("DIR");
}

void CacheOptions::AddTo(CLI::App* verb) {
  AddCacheDirectory(verb, &directory);
  verb->add_flag("--no-cache", off, "Neither use nor keep decoded manifests")
      ->excludes("--cache-dir");
}

std::string CacheOptions::Directory() const {
  if (off) return "";
  return directory ? *directory : DefaultDirectory();
}

std::shared_ptr<iceberg::ManifestCache> CacheOptions::Cache() const {
  const std::string where = Directory();
  if (where.empty()) return nullptr;
  return std::make_shared<iceberg::ManifestCache>(
      iceberg::ManifestCacheOptions{.max_file_bytes = 0,
                                    .max_column_bytes = 0,
                                    .disk_directory = where,
                                    .max_disk_bytes = kMaxBytes});
}

}  // namespace nunatak::cli
