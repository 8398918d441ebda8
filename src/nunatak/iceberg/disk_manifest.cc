#include "nunatak/iceberg/disk_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {
namespace {

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr size_t kFixedSections = 3;

std::vector<int64_t> ReadNumbers(size_t count, int64_t least, std::string_view what,
                                 TaskBytesReader* in) {
  const PackedIntegers packed = PackedIntegers::Read(count, in);
  packed.Require(least, kMaxInt64, what);
  std::vector<int64_t> numbers(count);
  packed.CopyTo(numbers.data());
  return numbers;
}

std::optional<std::string> Text(ByteSpan bytes) {
  return bytes.data() ? std::optional(std::string(AsText(bytes))) : std::nullopt;
}

std::optional<int32_t> Small(std::optional<int64_t> number) {
  return number ? std::optional(static_cast<int32_t>(*number)) : std::nullopt;
}

std::optional<int64_t> Count(int64_t count) {
  return count >= 0 ? std::optional(count) : std::nullopt;
}

__extension__ using Unsigned = unsigned __int128;

ValueView TupleValue(ValueView::Kind kind, int64_t number, int64_t upper_half, ByteSpan text) {
  switch (kind) {
    case ValueView::Kind::kNull:
      return {};
    case ValueView::Kind::kInteger:
      return ValueView::Integer(number);
    case ValueView::Kind::kReal:
      return ValueView::Real(std::bit_cast<double>(number));
    case ValueView::Kind::kDecimal:
      return ValueView::Decimal(
          static_cast<Int128>((static_cast<Unsigned>(static_cast<uint64_t>(upper_half)) << 64) |
                              static_cast<uint64_t>(number)));
    case ValueView::Kind::kBytes:
      return ValueView::Bytes(text);
  }
  return {};
}

/// What decoding a manifest checks too.
void CheckTupleValue(const ValueView& value, const Type& type) {
  if (value.is_null() || type.id() == TypeId::kUnknown) return;
  if (value.kind != KindOf(type)) ThrowInvalid("a partition value of another type");
  if (type.id() == TypeId::kUuid && value.bytes.size != 16) ThrowInvalid("a uuid of other length");
}

std::vector<ValueView> ReadTupleColumn(size_t count, const Type& type, TaskBytesReader* in) {
  const PackedIntegers kinds = PackedIntegers::Read(count, in);
  kinds.Require(0, static_cast<int64_t>(ValueView::Kind::kBytes), "value kind");
  const PackedIntegers numbers = PackedIntegers::Read(count, in);
  const PackedIntegers upper_halves = PackedIntegers::Read(count, in);
  const PackedTexts texts = PackedTexts::Read(count, in);
  std::vector<ValueView> values;
  values.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<ValueView::Kind>(kinds[i]);
    if (kind == ValueView::Kind::kBytes && !texts[i].data()) ThrowInvalid("a text is missing");
    values.push_back(TupleValue(kind, numbers[i], upper_halves[i], texts[i]));
    CheckTupleValue(values.back(), type);
  }
  return values;
}

}  // namespace

DiskManifest::DiskManifest(OpenImage open, const ExpectedManifest& expected,
                           const FileRequest& request)
    : open_(std::move(open)) {
  const std::unique_ptr<const ImageBytes> image = open_();
  if (!image) throw Error(ErrorCode::kIo, "there is no image");
  header_ = ReadImageHeader(*image);
  if (header_.key != expected.key) ThrowInvalid("an image of another manifest");
  if (header_.spec_id != expected.spec_id) ThrowInvalid("an image of another spec");
  const auto sections = std::span(header_.sections).first(kFixedSections);
  body_ = ReadSections(*image, sections);
  const auto bytes_of = [&](SectionKind kind) {
    const ImageSection& section = sections[static_cast<size_t>(kind)];
    return body_.bytes.subspan(section.offset - sections.front().offset, section.length);
  };
  ReadBase(bytes_of(SectionKind::kBase), expected);
  ReadPaths(bytes_of(SectionKind::kPaths));
  ReadRest(bytes_of(SectionKind::kRest));
  LoadMetrics(*image, request);
  constexpr size_t kBytesPerEntry =
      sizeof(FileContent) + sizeof(std::string_view) + 3 * sizeof(int64_t) + sizeof(uint32_t);
  memory_bytes_ = static_cast<int64_t>(image->size() + size() * kBytesPerEntry);
}

void DiskManifest::ReadBase(ByteSpan bytes, const ExpectedManifest& expected) {
  TaskBytesReader in(bytes);
  const size_t count = header_.entries;
  const PackedIntegers contents = PackedIntegers::Read(count, &in);
  if (expected.content == ManifestContent::kData) {
    contents.Require(0, 0, "content");
  } else {
    contents.Require(1, 2, "content");
  }
  contents_.resize(count);
  contents.CopyTo(contents_.data());
  record_counts_ = ReadNumbers(count, 0, "record count", &in);
  file_sizes_ = ReadNumbers(count, 0, "file size", &in);
  sequence_numbers_ = ReadNumbers(count, std::numeric_limits<int64_t>::min(), "", &in);
  const PackedIntegers tuple_numbers = PackedIntegers::Read(count, &in);
  const PackedIntegers tuple_count = PackedIntegers::Read(1, &in);
  // Each tuple is one of some entry.
  tuple_count.Require(0, static_cast<int64_t>(count), "tuple count");
  tuple_count_ = static_cast<size_t>(tuple_count[0]);
  tuple_numbers.Require(0, tuple_count[0] - 1, "tuple number");
  tuple_numbers_.resize(count);
  tuple_numbers.CopyTo(tuple_numbers_.data());
  for (const Field& field : expected.partition_type.fields()) {
    tuples_.push_back(ReadTupleColumn(tuple_count_, field.type, &in));
  }
  in.ExpectEnd("the base");
}

void DiskManifest::ReadPaths(ByteSpan bytes) {
  TaskBytesReader in(bytes);
  const PackedTexts paths = PackedTexts::Read(size(), &in);
  in.ExpectEnd("the paths");
  file_paths_.reserve(size());
  for (size_t i = 0; i < size(); ++i) {
    if (!paths[i].data()) ThrowInvalid("a path is missing");
    file_paths_.push_back(AsText(paths[i]));
  }
}

void DiskManifest::ReadRest(ByteSpan bytes) {
  TaskBytesReader in(bytes);
  formats_ = PackedIntegers::Read(size(), &in);
  formats_.Require(0, static_cast<int64_t>(FileFormat::kPuffin), "file format");
  metric_maps_ = PackedIntegers::Read(size(), &in);
  metric_maps_.Require(0, 0b111111, "metric maps");
  added_ = PackedIntegers::Read(size(), &in);
  added_.Require(0, 1, "added");
  for (OptionalIntegers* column : {&file_sequence_numbers_, &snapshot_ids_, &first_row_ids_,
                                   &sort_order_ids_, &content_offsets_, &content_sizes_}) {
    *column = OptionalIntegers::Read(size(), &in);
  }
  sort_order_ids_.values().Require(0, kMaxInt32, "sort order");
  key_metadata_ = PackedTexts::Read(size(), &in);
  referenced_data_files_ = PackedTexts::Read(size(), &in);
  split_offsets_ = PackedLists::Read(size(), &in);
  split_offsets_.values().Require(0, kMaxInt64, "split offset");
  equality_ids_ = PackedLists::Read(size(), &in);
  equality_ids_.values().Require(0, kMaxInt32, "equality id");
  in.ExpectEnd("the rest");
}

DiskManifest::FieldMetrics DiskManifest::ReadMetrics(SectionBytes section) const {
  FieldMetrics metrics;
  metrics.section = std::move(section);
  TaskBytesReader in(metrics.section.bytes);
  for (PackedIntegers* counts : {&metrics.column_sizes, &metrics.value_counts,
                                 &metrics.null_value_counts, &metrics.nan_value_counts}) {
    *counts =
        PackedIntegers::Read(size(), &in, counts == &metrics.column_sizes ? kLeastSizeWidth : 0);
    counts->Require(-1, kMaxInt64, "count");
  }
  metrics.lower_bounds = PackedTexts::Read(size(), &in);
  metrics.upper_bounds = PackedTexts::Read(size(), &in);
  in.ExpectEnd("the metrics");
  return metrics;
}

std::vector<int32_t> DiskManifest::MissingMetrics(const FileRequest& request) const {
  std::vector<int32_t> missing;
  const auto add = [&](int32_t id) {
    if (!metrics_.contains(id)) missing.push_back(id);
  };
  if (request.column_metrics) {
    for (const ImageSection& section : std::span(header_.sections).subspan(kFixedSections)) {
      add(section.field_id);
    }
  } else {
    for (const int32_t id : request.metric_ids) {
      if (header_.FindMetrics(id)) add(id);
    }
  }
  return missing;
}

void DiskManifest::LoadMetrics(const ImageBytes& image, const FileRequest& request) const {
  for (const int32_t id : MissingMetrics(request)) {
    metrics_.emplace(id, ReadMetrics(ReadSection(image, *header_.FindMetrics(id))));
  }
}

bool DiskManifest::LoadLater(const FileRequest& request) const {
  if (MissingMetrics(request).empty()) return true;
  try {
    const std::unique_ptr<const ImageBytes> image = open_();
    if (!image || ReadImageHeader(*image) != header_) return false;
    LoadMetrics(*image, request);
    return true;
  } catch (const Error&) {
    return false;
  }
}

MetricColumn DiskManifest::SweepColumn(int32_t field_id) const {
  MetricColumn column;
  column.lower_bounds.resize(size());
  column.upper_bounds.resize(size());
  for (auto* counts : {&column.value_counts, &column.null_value_counts, &column.nan_value_counts}) {
    counts->resize(size(), -1);
  }
  const auto at = metrics_.find(field_id);
  if (at == metrics_.end()) return column;
  const FieldMetrics& metrics = at->second;
  for (size_t i = 0; i < size(); ++i) {
    column.lower_bounds[i] = metrics.lower_bounds[i];
    column.upper_bounds[i] = metrics.upper_bounds[i];
  }
  metrics.value_counts.CopyTo(column.value_counts.data());
  metrics.null_value_counts.CopyTo(column.null_value_counts.data());
  metrics.nan_value_counts.CopyTo(column.nan_value_counts.data());
  return column;
}

std::vector<const MetricColumn*> DiskManifest::Columns(std::span<const int32_t> field_ids) const {
  std::vector<const MetricColumn*> columns;
  for (const int32_t id : field_ids) {
    auto at = columns_.find(id);
    if (at == columns_.end()) at = columns_.emplace(id, SweepColumn(id)).first;
    columns.push_back(&at->second);
  }
  return columns;
}

void DiskManifest::FieldMetrics::AppendTo(DataFile* file, int32_t field_id, size_t i) const {
  ColumnMetrics metrics{.field_id = field_id,
                        .column_size = Count(column_sizes[i]),
                        .value_count = Count(value_counts[i]),
                        .null_value_count = Count(null_value_counts[i]),
                        .nan_value_count = Count(nan_value_counts[i]),
                        .lower_bound = Text(lower_bounds[i]),
                        .upper_bound = Text(upper_bounds[i])};
  if (metrics != ColumnMetrics{.field_id = field_id}) file->metrics.push_back(std::move(metrics));
}

PartitionValues DiskManifest::PartitionOf(uint32_t tuple) const {
  std::vector<Value> values;
  for (const auto& column : tuples_) values.push_back(Value::Of(column[tuple]));
  return values;
}

void DiskManifest::AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                               std::vector<DataFile>* files) const {
  std::vector<std::pair<int32_t, const FieldMetrics*>> metrics;
  if (column_metrics) {
    std::lock_guard lock(mutex_);
    if (!LoadLater({.metric_ids = {}, .column_metrics = true})) {
      throw Error(ErrorCode::kIo, "column metrics that were not requested are gone from the cache");
    }
    for (const auto& [id, field] : metrics_) metrics.emplace_back(id, &field);
  }
  std::vector<PartitionValues> partitions(tuple_count_);
  for (const uint32_t i : positions) {
    DataFile& file = files->emplace_back();
    file.content = contents_[i];
    file.file_path = file_paths_[i];
    file.file_format = static_cast<FileFormat>(formats_[i]);
    file.partition_spec_id = header_.spec_id;
    PartitionValues& partition = partitions[tuple_numbers_[i]];
    if (partition.empty()) partition = PartitionOf(tuple_numbers_[i]);
    file.partition = partition;
    file.record_count = record_counts_[i];
    file.file_size_in_bytes = file_sizes_[i];
    file.key_metadata = Text(key_metadata_[i]);
    file.split_offsets = split_offsets_.Get<int64_t>(i);
    file.equality_ids = equality_ids_.Get<int32_t>(i);
    file.sort_order_id = Small(sort_order_ids_[i]);
    file.first_row_id = first_row_ids_[i];
    file.referenced_data_file = Text(referenced_data_files_[i]);
    file.content_offset = content_offsets_[i];
    file.content_size_in_bytes = content_sizes_[i];
    if (!column_metrics) continue;
    file.metric_maps = static_cast<uint8_t>(metric_maps_[i]);
    for (const auto& [id, field] : metrics) field->AppendTo(&file, id, i);
  }
}

/// The files of a `DiskManifest`.
class DiskBatch final : public FileBatch {
 public:
  DiskBatch(const DiskManifest& manifest, std::shared_ptr<const DecodedManifest> owner,
            std::vector<const MetricColumn*> columns)
      : manifest_(manifest), owner_(std::move(owner)) {
    contents = manifest.contents_;
    file_paths = manifest.file_paths_;
    record_counts = manifest.record_counts_;
    file_sizes = manifest.file_sizes_;
    data_sequence_numbers = manifest.sequence_numbers_;
    partition_spec_id = manifest.header_.spec_id;
    tuple_count = manifest.tuple_count_;
    for (const auto& column : manifest.tuples_) tuples.emplace_back(column);
    tuple_numbers = manifest.tuple_numbers_;
    metrics = std::move(columns);
  }

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const override {
    manifest_.AppendFiles(positions, column_metrics, files);
  }
  std::optional<int64_t> FileSequenceNumber(size_t i) const override {
    return manifest_.file_sequence_numbers_[i];
  }
  std::optional<int64_t> SnapshotId(size_t i) const override { return manifest_.snapshot_ids_[i]; }
  bool IsAdded(size_t i) const override { return manifest_.added_[i] != 0; }
  int64_t memory_bytes() const override { return manifest_.memory_bytes(); }

 private:
  const DiskManifest& manifest_;
  std::shared_ptr<const DecodedManifest> owner_;
};

std::shared_ptr<const FileBatch> DiskManifest::Batch(std::shared_ptr<const DecodedManifest> self,
                                                     const FileRequest& request) const {
  std::lock_guard lock(mutex_);
  if (!LoadLater(request)) return nullptr;
  return std::make_shared<DiskBatch>(*this, std::move(self), Columns(request.metric_ids));
}

}  // namespace nunatak::iceberg
