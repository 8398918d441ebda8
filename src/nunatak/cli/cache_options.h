#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/iceberg/manifest_cache.h"

namespace nunatak::cli {

/// Where decoded manifests are kept from one command to the next.
struct CacheOptions {
  std::optional<std::string> directory;
  bool off = false;

  /// Declares --cache-dir and --no-cache.
  void AddTo(CLI::App* verb);

  /// The directory that was given, or else "nunatak" in $XDG_CACHE_HOME or in ~/.cache; empty when
  /// there is none to be used.
  std::string Directory() const;
  /// Keeps manifests in the directory and nothing in memory; null without a directory.
  std::shared_ptr<iceberg::ManifestCache> Cache() const;
};

/// --cache-dir alone.
void AddCacheDirectory(CLI::App* verb, std::optional<std::string>* directory);

}  // namespace nunatak::cli
