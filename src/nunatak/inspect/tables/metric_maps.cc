#include "nunatak/inspect/tables/metric_maps.h"

#include <arrow/builder.h>

#include <vector>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

void AppendItem(const MetricPair& pair, arrow::Int64Builder& counts) {
  counts.UnsafeAppend(pair.count);
}

void AppendItem(const MetricPair& pair, arrow::BinaryBuilder& bounds) {
  CheckOk(bounds.Append(AsText(pair.bound)));
}

template <typename ItemBuilder>
FileColumnPtr MakeMapColumn(const Type& type, MetricMap map, const FileRecords& files) {
  const auto append = [map, &files, pairs = std::vector<MetricPair>()](
                          std::span<const uint32_t> some, arrow::ArrayBuilder& builder) mutable {
    auto& maps = static_cast<arrow::MapBuilder&>(builder);
    auto& keys = static_cast<arrow::Int32Builder&>(*maps.key_builder());
    auto& items = static_cast<ItemBuilder&>(*maps.item_builder());
    files.ForEach(some, [&](size_t file) {
      if (!files.HasMetrics(map, file)) return CheckOk(maps.AppendNull());
      CheckOk(maps.Append());
      files.Metrics(map, file, &pairs);
      CheckOk(keys.Reserve(static_cast<int64_t>(pairs.size())));
      CheckOk(items.Reserve(static_cast<int64_t>(pairs.size())));
      for (const MetricPair& pair : pairs) {
        keys.UnsafeAppend(pair.field_id);
        AppendItem(pair, items);
      }
    });
  };
  return MakeBuiltColumn(type, append);
}

}  // namespace

FileColumnPtr MakeMetricMapColumn(const Type& type, MetricMap map, const FileRecords& files) {
  return type.value().type.id() == TypeId::kBinary
             ? MakeMapColumn<arrow::BinaryBuilder>(type, map, files)
             : MakeMapColumn<arrow::Int64Builder>(type, map, files);
}

}  // namespace nunatak
