#include "nunatak/inspect/tables/metric_maps.h"

#include <arrow/builder.h>

#include <span>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

void AppendItem(const MetricPair& pair, arrow::Int64Builder& counts) {
  counts.UnsafeAppend(pair.count);
}

void AppendItem(const MetricPair& pair, arrow::BinaryBuilder& bounds) {
  CheckOk(bounds.Append(AsText(pair.bound)));
}

/// Makes room for the bytes of all files, by those of a run.
void ReserveBytes(const FileRun&, std::span<const MetricPair>, arrow::Int64Builder&) {}

void ReserveBytes(const FileRun& run, std::span<const MetricPair> pairs,
                  arrow::BinaryBuilder& bounds) {
  size_t bytes = 0;
  for (const MetricPair& pair : pairs) bytes += pair.bound.size();
  CheckOk(bounds.ReserveData(run.ForAll(bytes)));
}

template <typename ItemBuilder>
void AppendMaps(MetricMap map, FileRun& run, arrow::MapBuilder& maps) {
  auto& keys = static_cast<arrow::Int32Builder&>(*maps.key_builder());
  auto& items = static_cast<ItemBuilder&>(*maps.item_builder());
  const FileRun::Metrics& metrics = run.Of(map);
  const std::span<const MetricPair> all = metrics.pairs();
  const bool is_first = maps.length() == 0;
  const int64_t room = is_first ? run.ForAll(all.size()) : static_cast<int64_t>(all.size());
  CheckOk(keys.Reserve(room));
  CheckOk(items.Reserve(room));
  if (is_first) ReserveBytes(run, all, items);
  for (size_t i = 0; i < run.files().size(); ++i) {
    if (!metrics.has(i)) {
      CheckOk(maps.AppendNull());
      continue;
    }
    CheckOk(maps.Append());
    for (const MetricPair& pair : metrics.pairs(i)) {
      keys.UnsafeAppend(pair.field_id);
      AppendItem(pair, items);
    }
  }
}

template <typename ItemBuilder>
FileColumnPtr MakeMapColumn(const Type& type, MetricMap map) {
  return MakeBuiltColumn(type, [map](FileRun& run, arrow::ArrayBuilder& builder) {
    AppendMaps<ItemBuilder>(map, run, static_cast<arrow::MapBuilder&>(builder));
  });
}

}  // namespace

FileColumnPtr MakeMetricMapColumn(const Type& type, MetricMap map) {
  return type.value().type.id() == TypeId::kBinary ? MakeMapColumn<arrow::BinaryBuilder>(type, map)
                                                   : MakeMapColumn<arrow::Int64Builder>(type, map);
}

}  // namespace nunatak
