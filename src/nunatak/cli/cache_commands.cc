#include <fmt/format.h>

#include <memory>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/cli/cache_options.h"
#include "nunatak/cli/commands.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/iceberg/disk_cache.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak::cli {

namespace {

using iceberg::DiskManifestCache;
using iceberg::DiskUsage;

struct CacheCommandOptions {
  CacheOptions cache;
  OutputFormat format = OutputFormat::kTable;

  std::string RequiredDirectory() const {
    std::string directory = cache.Directory();
    if (directory.empty()) {
      ThrowUsage("there is no cache directory: neither XDG_CACHE_HOME nor HOME is set",
                 "--cache-dir says where it is");
    }
    return directory;
  }
};

void Print(OutputFormat format, const std::string& directory, const DiskUsage& usage,
           const std::string& text) {
  PrintObject(format,
              {{"directory", directory}, {"manifests", usage.files}, {"bytes", usage.bytes}}, text);
}

void Show(const CacheCommandOptions& options) {
  const std::string directory = options.RequiredDirectory();
  const DiskUsage usage = DiskManifestCache::Usage(directory);
  Print(
      options.format, directory, usage,
      fmt::format("{}: {} decoded manifests, {}\n", directory, usage.files, SizeText(usage.bytes)));
}

void Clear(const CacheCommandOptions& options) {
  const std::string directory = options.RequiredDirectory();
  const DiskUsage removed = DiskManifestCache::Clear(directory);
  Print(options.format, directory, removed,
        fmt::format("{}: removed {} decoded manifests, {}\n", directory, removed.files,
                    SizeText(removed.bytes)));
}

void AddVerb(CLI::App* cache, const AddCommand& add, const char* name, const char* description,
             void (*run)(const CacheCommandOptions&)) {
  auto options = std::make_shared<CacheCommandOptions>();
  CLI::App* verb = cache->add_subcommand(name, description);
  AddCacheDirectory(verb, &options->cache.directory);
  AddFormat(verb, &options->format);
  add(verb, [options, run] { run(*options); });
}

}  // namespace

void AddCacheCommands(CLI::App* app, const AddCommand& add) {
  CLI::App* cache =
      app->add_subcommand("cache", "What is kept of decoded manifests between commands");
  cache->require_subcommand(1);
  cache->footer("Examples:\n  nunatak cache show\n  nunatak cache clear");
  AddVerb(cache, add, "show", "Where the cache is, and how large", Show);
  AddVerb(cache, add, "clear", "Remove all that nunatak keeps in it", Clear);
}

}  // namespace nunatak::cli
