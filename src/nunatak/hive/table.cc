#include "nunatak/hive/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/directory_listing.h"
#include "nunatak/hive/file_footer.h"
#include "nunatak/hive/in_parallel.h"
#include "nunatak/hive/load_files.h"
#include "nunatak/hive/merge_fields.h"
#include "nunatak/hive/partitioning.h"
#include "nunatak/read/name_mapping.h"

namespace nunatak::hive {

namespace {

constexpr int32_t kFirstPartitionFieldId = 1000;

/// Reads footers, and merges the columns of their files as they come.
class FooterReader {
 public:
  FooterReader(Table* table, const Context& context) : table_(table), context_(context) {}

  /// The footers of the files, null for empty ones.
  std::vector<std::optional<FileFooter>> Read(std::span<const FileInfo> files) {
    std::vector<std::optional<FileFooter>> footers(files.size());
    InParallel(
        *table_->io, context_, files.size(),
        [&](size_t i) {
          if (files[i].size > 0) footers[i] = ReadFooter(*table_->io, context_, files[i]);
        },
        [&](size_t i) {
          if (footers[i]) Take(files[i], &*footers[i]);
        });
    return footers;
  }

  std::vector<Field> TakeFields() { return std::move(fields_); }

 private:
  void Take(const FileInfo& file, FileFooter* footer) {
    ++*table_->footer_reads;
    if (last_ && *last_ == *footer->columns) {
      footer->columns = last_;
      return;
    }
    WithContext(file.location, [&] { MergeFields(*footer->columns, &fields_); });
    last_ = footer->columns;
  }

  Table* table_;
  const Context& context_;
  std::vector<Field> fields_;
  /// Of the file before, to be shared by all like it.
  std::shared_ptr<const std::vector<Field>> last_;
};

/// The columns of the table: those of the files, the partition's in place of a file's of the same
/// name, else behind them.
std::vector<Field> WithPartitionColumns(std::vector<Field> fields,
                                        const std::vector<PartitionColumn>& partitioning) {
  for (const PartitionColumn& column : partitioning) {
    auto at = std::find_if(fields.begin(), fields.end(),
                           [&](const Field& field) { return field.name == column.name; });
    if (at == fields.end()) at = fields.insert(at, Field{.name = column.name});
    at->type = column.type;
  }
  return fields;
}

void SetSchema(std::vector<Field> fields, const std::vector<PartitionColumn>& partitioning,
               Table* table) {
  table->schema = Schema(0, WithFreshIds(WithPartitionColumns(std::move(fields), partitioning)));
  table->file_columns.assign(table->schema.fields().begin(), table->schema.fields().end());
  int32_t field_id = kFirstPartitionFieldId;
  for (const PartitionColumn& column : partitioning) {
    const int32_t source_id = table->schema.FindField(column.name)->id;
    table->spec.fields.push_back({.source_ids = {source_id},
                                  .field_id = field_id++,
                                  .name = column.name,
                                  .transform = TransformId::kIdentity});
    std::erase_if(table->file_columns, [&](const Field& field) { return field.id == source_id; });
  }
  table->partition_type = table->spec.PartitionType(table->schema);
}

/// Every file of the listing, in order; summary files last.
std::vector<FileInfo> FilesOf(const DirectoryListing& listing) {
  std::vector<FileInfo> files;
  for (const ListedDirectory& directory : listing.directories) {
    files.insert(files.end(), directory.files.begin(), directory.files.end());
  }
  files.insert(files.end(), listing.summaries.begin(), listing.summaries.end());
  return files;
}

std::vector<FileInfo> FirstWithSchema(const std::vector<FileInfo>& files) {
  const auto first =
      std::find_if(files.begin(), files.end(), [](const FileInfo& file) { return file.size > 0; });
  return first == files.end() ? std::vector<FileInfo>() : std::vector<FileInfo>{*first};
}

std::string WithoutTrailingSlashes(std::string location) {
  while (location.size() > 1 && location.ends_with('/')) location.pop_back();
  return location;
}

}  // namespace

Table OpenTable(std::shared_ptr<FileIO> io, const Context& context, std::string_view location,
                const TableOptions& options) {
  Table table{.io = std::move(io),
              .location = WithoutTrailingSlashes(CanonicalLocation(location)),
              .footer_reads = std::make_shared<std::atomic<int64_t>>(0),
              .footer_slots =
                  std::make_shared<std::counting_semaphore<>>(std::max(context.io_concurrency, 1))};
  DirectoryListing listing = ListDirectories(*table.io, context, table.location);
  if (listing.directories.empty()) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("no data file in {} or below it", table.location));
  }
  table.list_calls = listing.list_calls;
  const std::vector<PartitionColumn> partitioning =
      PartitionColumnsOf(listing.directories, options.partition_types);
  const std::vector<FileInfo> files = FilesOf(listing);
  FooterReader reader(&table, context);
  const std::vector<std::optional<FileFooter>> footers =
      reader.Read(options.merge_schemas ? files : FirstWithSchema(files));
  SetSchema(reader.TakeFields(), partitioning, &table);
  table.summary_files = std::move(listing.summaries);
  auto directories = std::make_shared<std::vector<Directory>>();
  size_t next = 0;
  for (ListedDirectory& listed : listing.directories) {
    Directory& directory = directories->emplace_back();
    directory.partition = PartitionOf(listed, partitioning);
    directory.files = std::move(listed.files);
    if (!options.merge_schemas) continue;
    directory.data_files =
        MakeDataFiles(table, directory, std::span(footers).subspan(next, directory.files.size()));
    next += directory.files.size();
  }
  table.directories = std::move(directories);
  return table;
}

ReadRequest ReadRequestOf(const Table& table, Schema schema) {
  ReadRequest request{.schema = std::move(schema), .projection = table.schema};
  request.name_mapping = NameMapping::Of(Schema(0, table.file_columns));
  request.ignore_file_ids = true;
  return request;
}

}  // namespace nunatak::hive
