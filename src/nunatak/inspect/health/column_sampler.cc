#include "nunatak/inspect/health/column_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace nunatak {

namespace {

constexpr size_t kMaxColumns = 100;
constexpr std::string_view kDefaultMode = "truncate(16)";

void AddLeaves(std::span<const Field> fields, std::vector<const Field*>* leaves) {
  for (const Field& field : fields) {
    if (field.type.is_struct()) {
      AddLeaves(field.type.fields(), leaves);
    } else if (field.type.is_comparable()) {
      leaves->push_back(&field);
    }
  }
}

std::string_view ModeText(const iceberg::TableMetadata& metadata, const std::string& column) {
  const auto own = metadata.FindProperty(fmt::format("write.metadata.metrics.column.{}", column));
  if (own) return *own;
  return metadata.FindProperty("write.metadata.metrics.default").value_or(kDefaultMode);
}

bool LeadsSortOrder(const SortOrder& order, int32_t field_id) {
  return !order.fields.empty() && order.fields.front().source_ids.size() == 1 &&
         order.fields.front().source_ids.front() == field_id &&
         order.fields.front().transform.PreservesOrder();
}

std::set<int32_t> IdentitySpecs(const iceberg::TableMetadata& metadata, int32_t field_id) {
  std::set<int32_t> specs;
  for (const PartitionSpec& spec : metadata.partition_specs) {
    for (const PartitionField& field : spec.fields) {
      const bool is_identity = field.transform.id() == TransformId::kIdentity;
      if (is_identity && field.source_ids == std::vector{field_id}) specs.insert(spec.spec_id);
    }
  }
  return specs;
}

bool IsInEverySchema(const iceberg::TableMetadata& metadata, int32_t field_id) {
  for (const Schema& schema : metadata.schemas) {
    if (!schema.FindField(field_id)) return false;
  }
  return true;
}

/// The first `count` characters of UTF-8; all of a text that has fewer.
std::string_view FirstCharacters(std::string_view text, int64_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && count-- == 0) break;
  }
  return text.substr(0, end);
}

/// Whether bounds that were cut to `kept` characters (bytes) say the same but for the last one,
/// which writers raise in the upper bound: what lies between them differs in what was cut off.
bool SayTheSame(const Type& type, const ColumnStats& stats, int64_t kept) {
  if (kept < 1) return false;
  const auto first = [&](const ValueView& bound, int64_t count) {
    return type.id() == TypeId::kString ? FirstCharacters(bound.text(), count)
                                        : bound.text().substr(0, static_cast<size_t>(count));
  };
  const std::string_view lower = first(stats.lower, kept);
  const std::string_view upper = first(stats.upper, kept);
  // Shorter ones were not cut.
  return lower != first(stats.lower, kept - 1) && upper != first(stats.upper, kept - 1) &&
         lower != upper && first(stats.lower, kept - 1) == first(stats.upper, kept - 1);
}

bool IsText(const Type& type) {
  return type.id() == TypeId::kString || type.id() == TypeId::kBinary;
}

}  // namespace

MetricsMode MetricsMode::Parse(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower == "none" || lower == "counts") return {.bounds = false};
  if (lower == "full") return {.truncated_to = std::nullopt};
  constexpr std::string_view kTruncate = "truncate(";
  int64_t kept = 0;
  if (lower.starts_with(kTruncate) && lower.ends_with(')')) {
    const char* end = lower.data() + lower.size() - 1;
    const auto [at, code] = std::from_chars(lower.data() + kTruncate.size(), end, kept);
    if (code == std::errc() && at == end && kept > 0) return {.truncated_to = kept};
  }
  return {};
}

std::vector<SampledColumn> ColumnsToSample(const Schema& schema) {
  std::vector<const Field*> leaves;
  AddLeaves(schema.fields(), &leaves);
  if (leaves.size() > kMaxColumns) leaves.resize(kMaxColumns);
  std::vector<SampledColumn> columns;
  for (const Field* field : leaves) {
    columns.push_back({.column = {.field_id = field->id,
                                  .type = field->type,
                                  .name = schema.NameOf(field->id),
                                  .nullable = schema.IsNullable(field->id)},
                       .mode = {.truncated_to = std::nullopt},
                       .is_original = false});
  }
  return columns;
}

std::vector<SampledColumn> ColumnsToSample(const iceberg::TableMetadata& metadata,
                                           const Schema& schema) {
  std::vector<SampledColumn> columns = ColumnsToSample(schema);
  for (SampledColumn& column : columns) {
    const int32_t id = column.column.field_id;
    column.mode = MetricsMode::Parse(ModeText(metadata, column.column.name));
    column.is_original = IsInEverySchema(metadata, id);
    column.identity_specs = IdentitySpecs(metadata, id);
    column.leads_sort_order = LeadsSortOrder(metadata.default_sort_order(), id);
  }
  return columns;
}

void ColumnSampler::Add(const DataFile& file) {
  ++files_;
  for (size_t i = 0; i < columns_->size(); ++i) Add((*columns_)[i], file, &samples_[i]);
}

void ColumnSampler::Add(const SampledColumn& column, const DataFile& file, Sample* sample) const {
  const ColumnStats stats = DataFileStats(*layout_, file).Stats(column.column);
  const bool is_bounded = !stats.lower.is_null() && !stats.upper.is_null() &&
                          CompareValues(stats.lower, stats.upper) <= 0;
  if (!is_bounded) {
    const bool is_newer = !column.is_original && !file.FindMetrics(column.column.field_id);
    const bool is_partition = column.identity_specs.contains(file.partition_spec_id);
    const bool no_values = is_newer || is_partition || file.record_count == 0 ||
                           stats.all_null == Known::kYes || stats.all_nan == Known::kYes;
    ++(no_values ? sample->without_values : sample->missing);
    return;
  }
  sample->ranges.push_back({PlaceOf(stats.lower), PlaceOf(stats.upper)});
  const bool cut = IsText(column.column.type) && column.mode.truncated_to &&
                   SayTheSame(column.column.type, stats, *column.mode.truncated_to);
  if (cut) ++sample->truncated;
}

void ColumnSampler::Merge(const ColumnSampler& other) {
  files_ += other.files_;
  for (size_t i = 0; i < samples_.size(); ++i) {
    Sample& sample = samples_[i];
    const Sample& more = other.samples_[i];
    sample.ranges.insert(sample.ranges.end(), more.ranges.begin(), more.ranges.end());
    sample.without_values += more.without_values;
    sample.missing += more.missing;
    sample.truncated += more.truncated;
  }
}

std::vector<ColumnFigures> ColumnSampler::Finish(int64_t data_files) const {
  std::vector<ColumnFigures> figures;
  // What one file of the sample stands for.
  const double weight =
      files_ == 0 ? 1 : static_cast<double>(data_files) / static_cast<double>(files_);
  for (size_t i = 0; i < samples_.size(); ++i) {
    const SampledColumn& column = (*columns_)[i];
    const Sample& sample = samples_[i];
    const OverlapDepth depth = DepthOf(sample.ranges);
    const auto files = static_cast<double>(sample.ranges.size());
    ColumnFigures& of_column = figures.emplace_back(
        ColumnFigures{.name = column.column.name,
                      .field_id = column.column.field_id,
                      .with_bounds = static_cast<int64_t>(sample.ranges.size()),
                      .without_values = sample.without_values,
                      .missing = sample.missing,
                      .truncated = sample.truncated,
                      .bounds_off = !column.mode.bounds,
                      .leads_sort_order = column.leads_sort_order});
    if (sample.ranges.empty()) continue;
    // The range itself is one, those that lie over it are a sample.
    of_column.depth = {
        .average = 1 + (depth.average - 1) * weight,
        .max = 1 + static_cast<int64_t>(static_cast<double>(depth.max - 1) * weight)};
    of_column.overlap = depth.average / files;
  }
  return figures;
}

}  // namespace nunatak
