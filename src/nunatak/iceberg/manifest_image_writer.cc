#include "nunatak/iceberg/manifest_image_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest_fields.h"
#include "nunatak/iceberg/manifest_image.h"
#include "nunatak/iceberg/packed_column.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak::iceberg {
namespace {

/// As many `DataFile`s are made at once.
constexpr size_t kFilesAtOnce = 32;
constexpr int kMaps = 6;

/// The metrics of all fields, one map of the entries after the other.
class MetricsBuilder {
 public:
  explicit MetricsBuilder(const ManifestColumns& columns) : columns_(columns) {
    for (const avro::Slot* row : columns.rows()) {
      for (int map = 0; map < kMaps; ++map) {
        const avro::Slot& items = row[kColumnSizes + map];
        if (!items.is_null()) map_bytes_ += items.bytes().size();
      }
    }
    for (int map = 0; map < kMaps; ++map) AddMap(map);
    FillUp();
  }

  void AddSections(ImageWriter* image) const {
    for (const auto& [id, position] : positions_) {
      image->AddSection(SectionKind::kMetrics, id, pieces_[position]);
    }
  }

 private:
  static bool IsOfCounts(int map) { return kColumnSizes + map < kLowerBounds; }

  void AddMap(int map) {
    if (IsOfCounts(map)) {
      AddMap<int64_t>(map, -1, [](const avro::Slot& value) {
        // As `FileDecoder` has it: negative counts come from faulty writers, and say nothing.
        return value.is_null() || value.integer() < 0 ? -1 : value.integer();
      });
    } else {
      AddMap<ByteSpan>(map, ByteSpan(), [](const avro::Slot& value) {
        return value.is_null() ? ByteSpan() : value.bytes();
      });
    }
  }

  /// Makes a column for each field of a map, and packs it.
  template <typename T, typename Get>
  void AddMap(int map, T none, Get get) {
    std::vector<std::vector<T>> by_field;
    const std::span<const avro::Slot* const> rows = columns_.rows();
    avro::ArrayCursor items(columns_.shape().plan->items(kColumnSizes + map));
    for (size_t row = 0; row < rows.size(); ++row) {
      items.Reset(rows[row][kColumnSizes + map]);
      for (size_t position = 0; items.Next(); ++position) {
        const T value = get(items.slot(kItemValue));
        if (IsSame(value, none)) continue;
        const int64_t id = items.slot(kItemKey).integer();
        // Most entries name the same fields in the same order.
        if (position >= by_field.size() || ids_[position] != id) {
          position = PositionOf(id);
          if (position >= by_field.size()) by_field.resize(position + 1);
        }
        std::vector<T>& column = by_field[position];
        if (column.empty()) column.resize(rows.size(), none);
        column[row] = value;
      }
    }
    for (size_t i = 0; i < by_field.size(); ++i) {
      if (!by_field[i].empty()) Pack(by_field[i], map, &pieces_[i][map]);
    }
  }

  /// Columns of fields that a map does not name.
  void FillUp() {
    const std::vector<int64_t> no_counts(columns_.size(), -1);
    const std::vector<ByteSpan> no_bounds(columns_.size());
    for (Pieces& pieces : pieces_) {
      for (int map = 0; map < kMaps; ++map) {
        if (!pieces[map].empty()) continue;
        if (IsOfCounts(map)) {
          Pack(no_counts, map, &pieces[map]);
        } else {
          Pack(no_bounds, map, &pieces[map]);
        }
      }
    }
  }

  static bool IsSame(int64_t a, int64_t b) { return a == b; }
  static bool IsSame(ByteSpan a, ByteSpan b) { return a.data() == b.data(); }
  static void Pack(const std::vector<int64_t>& column, int map, std::string* out) {
    PackedIntegers::Append(column, out, map == 0 ? kLeastSizeWidth : 0);
  }
  static void Pack(const std::vector<ByteSpan>& column, int /*map*/, std::string* out) {
    PackedTexts::Append(column, out);
  }

  /// The position of a field among the columns.
  size_t PositionOf(int64_t field_id) {
    const auto id =
        static_cast<int32_t>(InRange(field_id, std::numeric_limits<int32_t>::max(), "field id"));
    const auto [at, is_new] = positions_.try_emplace(id, ids_.size());
    if (is_new) {
      ids_.push_back(id);
      pieces_.emplace_back();
      // Columns have a place for every entry: hostile maps could name a field for each.
      if (ids_.size() * columns_.size() > map_bytes_) {
        ThrowUnsupported("the metrics of a manifest are too scattered for columns");
      }
    }
    return at->second;
  }

  using Pieces = std::array<std::string, kMaps>;

  const ManifestColumns& columns_;
  size_t map_bytes_ = 0;
  std::vector<int32_t> ids_;
  std::map<int32_t, size_t> positions_;
  std::vector<Pieces> pieces_;
};

/// All that `DataFile`s hold but for what the other sections have.
class RestBuilder {
 public:
  explicit RestBuilder(const ManifestColumns& columns) : columns_(columns) {
    std::vector<DataFile> files;
    for (size_t begin = 0; begin < columns.size(); begin += kFilesAtOnce) {
      std::vector<uint32_t> positions(std::min(kFilesAtOnce, columns.size() - begin));
      std::iota(positions.begin(), positions.end(), static_cast<uint32_t>(begin));
      files.clear();
      columns.AppendFiles(positions, /*column_metrics=*/false, &files);
      for (size_t k = 0; k < files.size(); ++k) Add(begin + k, files[k]);
    }
  }

  void AppendTo(std::string* out) const {
    PackedIntegers::Append(formats_, out);
    PackedIntegers::Append(metric_maps_, out);
    PackedIntegers::Append(added_, out);
    for (const auto* column : {&file_sequence_numbers_, &snapshot_ids_, &first_row_ids_,
                               &sort_order_ids_, &content_offsets_, &content_sizes_}) {
      OptionalIntegers::Append(*column, out);
    }
    key_metadata_.AppendTo(out);
    referenced_data_files_.AppendTo(out);
    split_offsets_.AppendTo(out);
    equality_ids_.AppendTo(out);
  }

 private:
  void Add(size_t entry, const DataFile& file) {
    formats_.push_back(static_cast<int64_t>(file.file_format));
    metric_maps_.push_back(columns_.MetricMaps(entry));
    added_.push_back(columns_.IsAdded(entry) ? 1 : 0);
    file_sequence_numbers_.push_back(columns_.FileSequenceNumber(entry));
    snapshot_ids_.push_back(columns_.SnapshotId(entry));
    first_row_ids_.push_back(file.first_row_id);
    sort_order_ids_.push_back(file.sort_order_id);
    content_offsets_.push_back(file.content_offset);
    content_sizes_.push_back(file.content_size_in_bytes);
    AddText(file.key_metadata, &key_metadata_);
    AddText(file.referenced_data_file, &referenced_data_files_);
    split_offsets_.Add(file.split_offsets);
    equality_ids_.Add(file.equality_ids);
  }

  static void AddText(const std::optional<std::string>& text, PackedTexts::Builder* column) {
    if (text) {
      column->Add(*text);
    } else {
      column->AddAbsent();
    }
  }

  const ManifestColumns& columns_;
  std::vector<int64_t> formats_, metric_maps_, added_;
  std::vector<std::optional<int64_t>> file_sequence_numbers_, snapshot_ids_, first_row_ids_,
      sort_order_ids_, content_offsets_, content_sizes_;
  PackedTexts::Builder key_metadata_, referenced_data_files_;
  PackedLists::Builder split_offsets_, equality_ids_;
};

/// The values of one partition field over the distinct tuples.
void AppendTupleColumn(std::span<const ValueView> values, std::string* out) {
  std::vector<int64_t> kinds, numbers, upper_halves;
  PackedTexts::Builder texts;
  for (const ValueView& value : values) {
    kinds.push_back(static_cast<int64_t>(value.kind));
    int64_t number = 0;
    int64_t upper_half = 0;
    std::string_view text;
    switch (value.kind) {
      case ValueView::Kind::kNull:
        break;
      case ValueView::Kind::kInteger:
        number = value.integer;
        break;
      case ValueView::Kind::kReal:
        number = std::bit_cast<int64_t>(value.real);
        break;
      case ValueView::Kind::kDecimal:
        number = static_cast<int64_t>(value.decimal);
        upper_half = static_cast<int64_t>(value.decimal >> 64);
        break;
      case ValueView::Kind::kBytes:
        text = value.text();
        break;
    }
    numbers.push_back(number);
    upper_halves.push_back(upper_half);
    texts.Add(text);
  }
  PackedIntegers::Append(kinds, out);
  PackedIntegers::Append(numbers, out);
  PackedIntegers::Append(upper_halves, out);
  texts.AppendTo(out);
}

template <typename T>
void AppendNumbers(const std::vector<T>& values, std::string* out) {
  std::vector<int64_t> numbers;
  numbers.reserve(values.size());
  for (const T value : values) numbers.push_back(static_cast<int64_t>(value));
  PackedIntegers::Append(numbers, out);
}

std::string Base(const ManifestColumns& columns) {
  std::string base;
  AppendNumbers(columns.contents(), &base);
  PackedIntegers::Append(columns.record_counts(), &base);
  PackedIntegers::Append(columns.file_sizes(), &base);
  PackedIntegers::Append(columns.data_sequence_numbers(), &base);
  AppendNumbers(columns.tuple_numbers(), &base);
  const auto tuple_count = static_cast<int64_t>(columns.tuples().size());
  PackedIntegers::Append({&tuple_count, 1}, &base);
  for (const auto& column : columns.tuples().columns()) AppendTupleColumn(column, &base);
  return base;
}

std::string Paths(const ManifestColumns& columns) {
  std::vector<ByteSpan> paths;
  paths.reserve(columns.size());
  for (const std::string_view path : columns.file_paths()) paths.push_back(AsBytes(path));
  std::string packed;
  PackedTexts::Append(paths, &packed);
  return packed;
}

}  // namespace

std::string WriteManifestImage(std::string_view key, const ManifestColumns& columns) {
  std::array<std::string, 3> fixed = {Base(columns), Paths(columns)};
  RestBuilder(columns).AppendTo(&fixed[2]);
  const MetricsBuilder metrics(columns);
  ImageWriter image(key, columns.size(), columns.spec().spec_id);
  for (size_t i = 0; i < fixed.size(); ++i) {
    image.AddSection(static_cast<SectionKind>(i), 0, std::span(fixed).subspan(i, 1));
  }
  metrics.AddSections(&image);
  return std::move(image).Finish();
}

}  // namespace nunatak::iceberg
