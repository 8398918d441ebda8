#include "nunatak/inspect/source_files.h"

#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "nunatak/base/ordered_pipeline.h"

namespace nunatak {

SourceFiles::SourceFiles(std::shared_ptr<const SnapshotSource> source)
    : source_(std::move(source)), state_(std::make_shared<State>()) {
  state_->fetched.resize(source_->groups().size());
}

const PartitionSpec& SourceFiles::spec(size_t part) const {
  return source_->spec(source_->groups()[part].partition_spec_id);
}

MergedPartitions SourceFiles::MergedSpecs() const {
  std::map<int32_t, TypedSpec> specs;
  for (size_t part = 0; part < size(); ++part) {
    const PartitionSpec& spec = this->spec(part);
    specs.try_emplace(spec.spec_id, TypedSpec{spec, spec.PartitionType(source_->schema())});
  }
  std::vector<TypedSpec> distinct;
  for (auto& [id, spec] : specs) distinct.push_back(std::move(spec));
  return MergedPartitions(std::move(distinct));
}

std::function<void(size_t part)> SourceFiles::fetch() const {
  if (!source_->fetching_waits()) return nullptr;
  return [source = source_, state = state_](size_t part) {
    state->fetched[part] = source->OpenGroup(part, state->request);
    state->fetched[part]->Fetch();
  };
}

std::vector<DataFile> SourceFiles::Read(size_t part, bool column_metrics) const {
  std::unique_ptr<GroupRead> read = std::move(state_->fetched[part]);
  if (!read) {
    read = source_->OpenGroup(part, state_->request);
    read->Fetch();
  }
  const std::shared_ptr<const FileBatch> batch = read->Decode(Context());
  std::vector<uint32_t> all(batch->size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<DataFile> files;
  batch->AppendFiles(all, column_metrics, &files);
  return files;
}

void ForEachPart(const SourceFiles& files, const Context& context, bool column_metrics,
                 const std::function<void(size_t part, const std::vector<DataFile>& files)>& take) {
  std::vector<std::vector<DataFile>> parts(files.size());
  PipelineWork work{.count = files.size(), .fetch = files.fetch(), .compute = [&](size_t part) {
                      parts[part] = files.Read(part, column_metrics);
                    }};
  OrderedPipeline pipeline(context, std::move(work));
  while (const std::optional<size_t> part = pipeline.Next()) {
    take(*part, std::exchange(parts[*part], {}));
  }
}

}  // namespace nunatak
