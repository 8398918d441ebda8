#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/decode/section_stats.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/read/scan_options.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Gives the newest of a table's other schemas that has a field; nullopt when none has. May be
/// called by several threads at once.
using PastSchema = std::function<std::optional<Schema>(int32_t field_id)>;

/// The first of `schemas`, which are ordered from the newest, that has a field.
NUNATAK_EXPORT PastSchema FirstSchemaOf(std::vector<Schema> schemas);

/// Told of each section (row group, stripe) in the part of a file that a task covers, in order, and
/// whether its statistics let it hold a row that passes. May be called by several threads at once.
using SectionObserver = std::function<void(const SectionStats& section, bool kept)>;

/// Told of the pages of each section that was kept and records something of its pages. May be
/// called by several threads at once.
using PageObserver = std::function<void(const PageCounts& pages)>;

/// What the files of a scan are read as: the same for all of them.
struct ReadRequest {
  /// The schema that the scan was planned with: residuals are bound to it. It may have metadata
  /// columns (`WithMetadataColumns`).
  Schema schema;
  /// What comes out: `schema` or a selection of it (`SelectFields`).
  Schema projection;
  /// Of the table property `schema.name-mapping.default`. Without one, the fields of an Avro or ORC
  /// file without field ids are taken to be those of the same names in `schema`, and the top-level
  /// columns of a Parquet file to have the ids 1, 2, 3 … in the order of the file, as the reference
  /// implementation does.
  std::optional<NameMapping> name_mapping = std::nullopt;
  /// Whether field ids that files carry count for nothing, as in formats whose columns go by name:
  /// `name_mapping` alone says which column is which.
  bool ignore_file_ids = false;
  /// Whether rows that deletes remove come out too, as they do when `_deleted` comes out or is
  /// tested by a task's residual. It must be set where the scan's filter names `_deleted`
  /// (`NamesField`): a residual has no terms that were decided before.
  bool with_deleted = false;
  /// Equality deletes may compare by a field that `schema` has no more. Null when there is none.
  PastSchema past_schema = nullptr;
  SectionObserver on_section = nullptr;
  PageObserver on_pages = nullptr;
  ScanOptions options = {};
};

}  // namespace nunatak
