#include "nunatak/read/deleted_keys.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/plan/partition_key.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/select_fields.h"

namespace nunatak {

namespace {

/// So many bytes a table of keys may have however small the budget is.
constexpr int64_t kSmallestLimit = 64 << 10;

std::vector<int32_t> IdSetOf(const DataFile& file) {
  if (!file.equality_ids || file.equality_ids->empty()) {
    ThrowInvalid(fmt::format("equality delete file without equality_ids: {}", file.file_path));
  }
  std::vector<int32_t> ids = *file.equality_ids;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Files without a column that was dropped have no value for it, required or not.
Field MakeOptional(Field field) {
  field.required = false;
  if (field.type.is_struct()) {
    std::vector<Field> children;
    for (const Field& child : field.type.fields()) children.push_back(MakeOptional(child));
    field.type = Type::Struct(std::move(children));
  }
  return field;
}

EqualityField FieldIn(const Schema& schema, int32_t id, bool dropped) {
  const Type& type = schema.FindField(id)->type;
  if (schema.IsRepeated(id) || !(type.is_comparable() || type.id() == TypeId::kUnknown)) {
    ThrowUnsupported(fmt::format("equality deletes compare by {}, of type {}", schema.NameOf(id),
                                 type.ToString()));
  }
  Field column = PruneToField(schema, id);
  if (dropped) column = MakeOptional(std::move(column));
  return {Schema(0, {std::move(column)}), id};
}

EqualityField FindEqualityField(const ReadRequest& request, int32_t id) {
  if (request.schema.FindField(id) != nullptr) {
    return FieldIn(request.schema, id, /*dropped=*/false);
  }
  if (request.past_schema) {
    const std::optional<Schema> schema = request.past_schema(id);
    if (schema) return FieldIn(*schema, id, /*dropped=*/true);
  }
  ThrowInvalid(fmt::format("equality deletes compare by the field id {}, which no schema has", id));
}

std::vector<EqualityField> FieldsOf(const ReadRequest& request, std::span<const int32_t> ids) {
  std::vector<EqualityField> fields;
  for (const int32_t id : ids) fields.push_back(FindEqualityField(request, id));
  return fields;
}

std::string ScopeName(std::span<const int32_t> ids, const DataFile& file) {
  std::string name = fmt::format("{};", fmt::join(ids, ","));
  AppendPartitionKey(file.partition_spec_id, file.partition.span(), &name);
  return name;
}

}  // namespace

DeletedKeys::DeletedKeys(std::shared_ptr<FileIO> io, Context context, ReadRequest request)
    : io_(std::move(io)), context_(std::move(context)), request_(std::move(request)) {}

std::vector<KeyDeletes> DeletedKeys::For(const FileScanTask& task) {
  Needs needs = NeedsOf(task);
  // Every promise is kept: reading stops by itself when it is asked to.
  Context context = context_;
  context.stop = {};
  ParallelFor(context, static_cast<int64_t>(needs.loads.size()), [&](int64_t i) {
    Load& load = needs.loads[static_cast<size_t>(i)];
    try {
      Read(load, task.spec);
      load.promise.set_value();
    } catch (...) {
      load.promise.set_exception(std::current_exception());
    }
  });
  // What others load is waited for when one's own is done: nobody waits in a circle.
  for (const std::shared_future<void>& loaded : needs.loaded) loaded.get();
  return std::move(needs.deletes);
}

DeletedKeys::Needs DeletedKeys::NeedsOf(const FileScanTask& task) {
  Needs needs;
  std::lock_guard lock(mutex_);
  const std::vector<Place> places = PlacesOf(task, &needs.deletes);
  for (const Place& place : places) {
    std::shared_future<void>& loaded = place.member->loaded;
    if (!loaded.valid()) {
      Load& load = needs.loads.emplace_back(Load{place.scope->keys, place.member, {}});
      loaded = load.promise.get_future().share();
    }
    needs.loaded.push_back(loaded);
  }
  return needs;
}

/// Also notes what the task has, scope by scope: none of these is given up meanwhile.
std::vector<DeletedKeys::Place> DeletedKeys::PlacesOf(const FileScanTask& task,
                                                      std::vector<KeyDeletes>* deletes) {
  std::vector<Place> places;
  for (const DeleteFilePtr& file : task.deletes) {
    if (!file->file.is_equality_delete()) continue;
    const Place& place = places.emplace_back(PlaceOf(file));
    const std::shared_ptr<KeyScope>& keys = place.scope->keys;
    auto at = std::find_if(deletes->begin(), deletes->end(),
                           [&](const KeyDeletes& other) { return other.scope == keys; });
    if (at == deletes->end()) {
      at = deletes->insert(at, {keys, {}});
      scopes_.splice(scopes_.end(), scopes_, place.scope);
    }
    const uint32_t number = place.member->number;
    if (at->files.size() <= number) at->files.resize(place.scope->members.size());
    at->files[number] = true;
  }
  return places;
}

DeletedKeys::Place DeletedKeys::PlaceOf(const DeleteFilePtr& file) {
  const auto known = places_.find(file);
  if (known != places_.end()) return known->second;
  const Scopes::iterator scope = ScopeOf(file->file);
  const auto number = static_cast<uint32_t>(scope->members.size());
  const auto [member, is_new] =
      scope->members.try_emplace(file->file.file_path, Member{file, number, {}});
  scope->known_by.push_back(file);
  return places_.emplace(file, Place{scope, &member->second}).first->second;
}

DeletedKeys::Scopes::iterator DeletedKeys::ScopeOf(const DataFile& file) {
  const std::vector<int32_t> ids = IdSetOf(file);
  std::string name = ScopeName(ids, file);
  const auto known = scopes_by_name_.find(name);
  if (known != scopes_by_name_.end()) return known->second;
  auto keys = WithContext(file.file_path,
                          [&] { return std::make_shared<KeyScope>(FieldsOf(request_, ids)); });
  GiveUpIdleScopes();
  const auto scope = scopes_.insert(scopes_.end(), Scope{name, std::move(keys), {}, {}});
  return scopes_by_name_.emplace(std::move(name), scope).first->second;
}

void DeletedKeys::GiveUpIdleScopes() {
  const int64_t budget = context_.memory_budget / 4;
  for (auto scope = scopes_.begin(); scope != scopes_.end() && bytes_ > budget;) {
    if (scope->keys.use_count() > 1) {
      ++scope;
      continue;
    }
    bytes_ -= scope->keys->memory_bytes();
    for (const DeleteFilePtr& file : scope->known_by) places_.erase(file);
    scopes_by_name_.erase(scope->name);
    scope = scopes_.erase(scope);
  }
}

void DeletedKeys::CheckMemory(const KeyScope& keys, const DataFile& file) const {
  const int64_t most = std::max(context_.memory_budget / 2, kSmallestLimit);
  if (keys.memory_bytes() <= most) return;
  ThrowUnsupported(
      fmt::format("{}: the equality deletes of its partition that compare by the same columns take "
                  "more than {} bytes of memory",
                  file.file_path, most),
      "they may take half of what a scan may hold: --memory, Context::memory_budget");
}

void DeletedKeys::Read(const Load& load, const std::shared_ptr<const PartitionSpec>& spec) {
  const DataFile& file = load.member->file->file;
  ReadColumns columns({});
  const EqualityKeyColumns key(load.keys->fields(), &columns);
  ReadRequest request = request_;
  request.schema = Schema(0, {columns.added().begin(), columns.added().end()});
  request.projection = request.schema;
  FileScanTask task;
  task.data_file = std::make_shared<DataFile>(file);
  if (spec != nullptr && spec->spec_id == file.partition_spec_id) task.spec = spec;
  DataFileStream rows(*io_, context_, file.file_path, OpenTask(*io_, context_, request, task, {}));
  std::vector<int64_t> all;
  while (const std::shared_ptr<arrow::RecordBatch> batch = rows.Next()) {
    const std::vector<std::shared_ptr<arrow::Array>> arrays = batch->columns();
    all.resize(static_cast<size_t>(batch->num_rows()));
    std::iota(all.begin(), all.end(), 0);
    bytes_ += load.keys->Add(EqualityKeyEncoder(key, arrays).Encode(all), load.member->number);
    CheckMemory(*load.keys, file);
  }
}

}  // namespace nunatak
