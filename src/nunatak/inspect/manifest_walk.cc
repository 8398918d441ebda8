#include "nunatak/inspect/manifest_walk.h"

#include <memory>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/manifest_source.h"

namespace nunatak {

using iceberg::ManifestFile;

void WalkManifests(const iceberg::Table& table, const TableFacts& facts, const Context& context,
                   std::span<const ManifestFile> files, const ManifestVisitor& visitor) {
  const std::shared_ptr<iceberg::ManifestCache> cache = iceberg::CacheOfOneScan();
  std::vector<Buffer> bytes(files.size());
  const auto fetch = [&](size_t i) {
    bytes[i] = iceberg::ReadReferenced(table, files[i].manifest_path, "manifest", cache.get());
  };
  const bool waits = table.io->waits();
  const auto visit = [&](size_t i) {
    if (!waits) fetch(i);
    const ManifestFile& file = files[i];
    const SpecFacts& spec = *facts.FindSpec(iceberg::SpecOf(*table.metadata, file).spec_id);
    WithContext(file.manifest_path, [&] {
      iceberg::EntryWalk walk(std::move(bytes[i]), file, spec.spec, spec.partition_type, spec.key,
                              *cache);
      visitor.visit(i, walk);
    });
  };
  PipelineWork work{.count = files.size(),
                    .fetch = waits ? std::function<void(size_t)>(fetch) : nullptr,
                    .compute = visit,
                    .bytes = [&](size_t i) { return files[i].manifest_length; }};
  OrderedPipeline pipeline(context, std::move(work));
  while (const std::optional<size_t> i = pipeline.Next()) visitor.take(*i);
}

}  // namespace nunatak
