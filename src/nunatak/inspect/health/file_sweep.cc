#include "nunatak/inspect/health/file_sweep.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "nunatak/base/hash.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/plan/group_planner.h"
#include "nunatak/plan/partition_key.h"

namespace nunatak {

namespace {

constexpr int64_t kSmallManifestFiles = 10;
constexpr int64_t kSmallManifestBytes = int64_t{1} << 20;
constexpr int64_t kBigManifestBytes = int64_t{50} << 20;

/// The bucket of a file by its size.
size_t SizeBucket(int64_t bytes) {
  return bytes < 2 ? 0 : static_cast<size_t>(std::bit_width(static_cast<uint64_t>(bytes))) - 1;
}

/// The bucket of a data file by its number of delete files.
size_t DeleteBucket(size_t deletes) {
  if (deletes < 2) return deletes;
  if (deletes < 5) return 2;
  return deletes < 10 ? 3 : 4;
}

/// The struct of a spec's tuples; a field whose source column no schema has any more is unknown.
Type TupleType(const SnapshotSource& source, const PartitionSpec& spec) {
  std::vector<Field> fields;
  for (const PartitionField& field : spec.fields) {
    const Field* column =
        field.source_ids.size() == 1 ? source.FindField(field.source_id()) : nullptr;
    const bool is_known = column && field.transform.id() != TransformId::kUnknown &&
                          field.transform.CanTransform(column->type);
    fields.push_back({.id = field.field_id,
                      .name = field.name,
                      .type = is_known ? field.transform.ResultType(column->type) : Type()});
  }
  return Type::Struct(std::move(fields));
}

/// What a manifest of data files comes to.
struct DataGroup {
  DataFileFigures data;
  DeleteFigures deletes;
  ColumnSampler columns;
  std::unordered_set<const DeleteFile*> applied;
  /// Deletion vectors that the entries of files record: nobody else keeps them.
  std::vector<std::shared_ptr<const DeleteFile>> own;
};

class Sweep {
 public:
  Sweep(std::shared_ptr<const SnapshotSource> source, const Context& context,
        const SweepOptions& options, TableFigures* figures)
      : source_(std::move(source)),
        context_(context),
        options_(options),
        figures_(*figures),
        planner_(source_, std::make_shared<const BoundFilter>(), /*column_metrics=*/true),
        layout_(ColumnsOf(options), source_->schema()),
        columns_(options.columns, layout_) {}

  void Run() {
    MeasureManifests();
    const std::vector<size_t> delete_groups = planner_.ChooseGroups(/*deletes=*/true);
    const std::vector<size_t> data_groups = planner_.ChooseGroups(/*deletes=*/false);
    SweepDeletes(delete_groups);
    planner_.ReadDeletes(context_, delete_groups);
    SweepData(data_groups);
    FinishDeletes();
    figures_.sampled_files = columns_.files();
    figures_.columns = columns_.Finish(figures_.data.files);
  }

 private:
  static std::vector<BoundFilter::Column> ColumnsOf(const SweepOptions& options) {
    std::vector<BoundFilter::Column> columns;
    for (const SampledColumn& column : options.columns) columns.push_back(column.column);
    return columns;
  }

  void MeasureManifests() {
    ManifestFigures& manifests = figures_.manifests;
    int64_t data_files = 0;
    for (const FileGroup& group : source_->groups()) {
      ++(group.deletes ? manifests.delete_manifests : manifests.data_manifests);
      AddClaimed(group.length, &manifests.bytes);
      manifests.max_bytes = std::max(manifests.max_bytes, group.length);
      manifests.max_files = std::max(manifests.max_files, group.live_files.value_or(0));
      if (group.length > kBigManifestBytes) ++manifests.big;
      const bool few = group.live_files.value_or(0) < kSmallManifestFiles;
      if (few && group.length < kSmallManifestBytes) ++manifests.small;
      if (!group.deletes) AddClaimed(group.live_files.value_or(0), &data_files);
    }
    // A sample of one file in as many.
    const int64_t most = std::max<int64_t>(options_.max_sampled_files, 1);
    stride_ = data_files > most ? static_cast<uint64_t>((data_files - 1) / most + 1) : 1;
  }

  void SweepDeletes(const std::vector<size_t>& groups) {
    std::vector<DeleteFigures> made(groups.size());
    const auto pipeline = planner_.Read(
        context_, groups, [&](size_t i, const std::shared_ptr<const FileBatch>& batch) {
          std::vector<uint32_t> positions(batch->size());
          for (uint32_t k = 0; k < positions.size(); ++k) positions[k] = k;
          std::vector<DataFile> files;
          batch->AppendFiles(positions, /*column_metrics=*/false, &files);
          for (const DataFile& file : files) AddDelete(file, &made[i]);
        });
    DeleteFigures& deletes = figures_.deletes;
    while (const std::optional<size_t> i = pipeline->Next()) {
      const DeleteFigures& group = made[*i];
      deletes.position_files += group.position_files;
      AddClaimed(group.position_records, &deletes.position_records);
      deletes.vectors += group.vectors;
      AddClaimed(group.vector_records, &deletes.vector_records);
      deletes.equality_files += group.equality_files;
      AddClaimed(group.equality_records, &deletes.equality_records);
    }
  }

  static void AddDelete(const DataFile& file, DeleteFigures* deletes) {
    const auto add = [&file](int64_t* files, int64_t* records) {
      ++*files;
      AddClaimed(file.record_count, records);
    };
    if (file.is_equality_delete()) return add(&deletes->equality_files, &deletes->equality_records);
    if (file.is_deletion_vector()) return add(&deletes->vectors, &deletes->vector_records);
    add(&deletes->position_files, &deletes->position_records);
  }

  void SweepData(const std::vector<size_t>& groups) {
    std::vector<std::optional<DataGroup>> made(groups.size());
    const auto pipeline = planner_.Read(
        context_, groups, [&](size_t i, const std::shared_ptr<const FileBatch>& batch) {
          made[i] = MakeGroup(*batch);
        });
    while (const std::optional<size_t> i = pipeline->Next()) {
      Take(*std::exchange(made[*i], std::nullopt));
    }
  }

  DataGroup MakeGroup(const FileBatch& batch) const {
    DataGroup group{.data = {},
                    .deletes = {},
                    .columns = ColumnSampler(options_.columns, layout_),
                    .applied = {}};
    MeasureFiles(batch, &group.data);
    MeasureDeletes(batch, &group);
    std::vector<uint32_t> positions;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      const bool chosen = stride_ == 1 || HashBytes(AsBytes(batch.file_paths[i])) % stride_ == 0;
      if (chosen) positions.push_back(i);
    }
    std::vector<DataFile> files;
    files.reserve(positions.size());
    batch.AppendFiles(positions, /*column_metrics=*/true, &files);
    for (const DataFile& file : files) group.columns.Add(file);
    return group;
  }

  void MeasureFiles(const FileBatch& batch, DataFileFigures* data) const {
    std::vector<PartitionFigures> partitions(batch.tuple_count);
    const int64_t small = options_.targets.small_file_bytes();
    for (size_t i = 0; i < batch.size(); ++i) {
      const int64_t bytes = std::max<int64_t>(batch.file_sizes[i], 0);
      ++data->by_size[SizeBucket(bytes)];
      PartitionFigures& partition = partitions[batch.tuple_numbers[i]];
      ++partition.files;
      AddClaimed(bytes, &partition.bytes);
      AddClaimed(batch.record_counts[i], &partition.records);
      if (bytes >= small) continue;
      ++partition.small_files;
      AddClaimed(bytes, &partition.small_bytes);
    }
    data->files_by_spec[batch.partition_spec_id] += static_cast<int64_t>(batch.size());
    const PartitionSpec& spec = source_->spec(batch.partition_spec_id);
    const Type type = TupleType(*source_, spec);
    std::vector<ValueView> tuple_values(batch.tuples.size());
    for (size_t tuple = 0; tuple < partitions.size(); ++tuple) {
      PartitionFigures& partition = partitions[tuple];
      if (partition.files == 0) continue;
      partition.spec_id = batch.partition_spec_id;
      for (size_t f = 0; f < tuple_values.size(); ++f) tuple_values[f] = batch.tuples[f][tuple];
      partition.name = PartitionPath(spec, type, tuple_values);
      data->files += partition.files;
      AddClaimed(partition.bytes, &data->bytes);
      AddClaimed(partition.records, &data->records);
      data->small_files += partition.small_files;
      std::string key;
      AppendPartitionKey(batch, tuple, &key);
      data->partitions[key].Merge(partition);
    }
  }

  void MeasureDeletes(const FileBatch& batch, DataGroup* group) const {
    DeleteFigures& deletes = group->deletes;
    const DeleteLookup lookup(planner_.deletes(), batch, planner_.layout());
    for (size_t i = 0; i < batch.size(); ++i) {
      auto files = lookup.DeletesFor(i);
      if (auto own = batch.OwnDeletes(i)) {
        AddDelete(own->file, &deletes);
        group->own.push_back(own);
        files.push_back(std::move(own));
      }
      for (const auto& file : files) group->applied.insert(file.get());
      deletes.references += static_cast<int64_t>(files.size());
      deletes.max_per_data_file =
          std::max(deletes.max_per_data_file, static_cast<int64_t>(files.size()));
      ++deletes.data_files_by_deletes[DeleteBucket(files.size())];
    }
  }

  void Take(DataGroup group) {
    figures_.data.Merge(std::move(group.data));
    DeleteFigures& deletes = figures_.deletes;
    deletes.references += group.deletes.references;
    deletes.vectors += group.deletes.vectors;
    AddClaimed(group.deletes.vector_records, &deletes.vector_records);
    deletes.max_per_data_file =
        std::max(deletes.max_per_data_file, group.deletes.max_per_data_file);
    for (size_t i = 0; i < kDeleteBuckets; ++i) {
      deletes.data_files_by_deletes[i] += group.deletes.data_files_by_deletes[i];
    }
    columns_.Merge(group.columns);
    applied_.merge(group.applied);
    own_.insert(own_.end(), group.own.begin(), group.own.end());
  }

  void FinishDeletes() {
    DeleteFigures& deletes = figures_.deletes;
    deletes.dangling_files = deletes.files() - static_cast<int64_t>(applied_.size());
    int64_t keys = 0;
    for (const DeleteFile* applied : applied_) {
      const bool is_equality = applied->file.is_equality_delete();
      AddClaimed(applied->file.record_count, is_equality ? &keys : &deletes.deleted_rows);
    }
    int64_t rows = deletes.position_records;
    AddClaimed(deletes.vector_records, &rows);
    deletes.dangling_records = rows - deletes.deleted_rows;
    AddClaimed(deletes.equality_records - keys, &deletes.dangling_records);
  }

  std::shared_ptr<const SnapshotSource> source_;
  const Context& context_;
  const SweepOptions& options_;
  TableFigures& figures_;
  GroupPlanner planner_;
  MetricsLayout layout_;
  ColumnSampler columns_;
  uint64_t stride_ = 1;
  /// The delete files that apply to some data file, which the planner's index or `own_` keeps.
  std::unordered_set<const DeleteFile*> applied_;
  std::vector<std::shared_ptr<const DeleteFile>> own_;
};

}  // namespace

void SweepFiles(std::shared_ptr<const SnapshotSource> source, const Context& context,
                const SweepOptions& options, TableFigures* figures) {
  Sweep(std::move(source), context, options, figures).Run();
}

}  // namespace nunatak
