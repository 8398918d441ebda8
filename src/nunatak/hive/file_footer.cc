#include "nunatak/hive/file_footer.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/file_columns.h"
#include "nunatak/read/decode/orc_file.h"
#include "nunatak/read/decode/orc_tail.h"
#include "nunatak/read/decode/parquet_file.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/fetch_tail.h"
#include "nunatak/read/open_avro.h"
#include "nunatak/read/section_filter.h"
#include "nunatak/table/single_value.h"

namespace nunatak::hive {

namespace {

/// Most footers are shorter; a longer one takes a second request.
constexpr int64_t kPrefetch = 64 << 10;

FileFormat FormatOf(FileIO& io, const Context& context, const FileInfo& file) {
  const std::string_view name = file.location;
  if (name.ends_with(".parquet")) return FileFormat::kParquet;
  if (name.ends_with(".orc")) return FileFormat::kOrc;
  if (name.ends_with(".avro")) return FileFormat::kAvro;
  const Buffer head = FetchRange(io, context, file.location, {0, std::min<int64_t>(file.size, 4)});
  const std::string_view magic = AsText(head.bytes);
  if (magic == "PAR1") return FileFormat::kParquet;
  if (magic.starts_with("ORC")) return FileFormat::kOrc;
  if (magic == "Obj\x01") return FileFormat::kAvro;
  ThrowInvalid(fmt::format("{}: neither a Parquet, an ORC nor an Avro file", file.location),
               "files whose names begin with _ or . are passed over");
}

/// The bounds of a leaf over all sections of a file.
LeafBounds BoundsOf(const SectionedFile& file, int leaf, const Type& type) {
  const auto widen = [&](const std::optional<std::string>& bound, bool is_lower, bool is_first,
                         std::optional<std::string>* widest) {
    if (is_first || !bound || !*widest) {
      *widest = is_first ? bound : std::nullopt;
      return;
    }
    ValueView value;
    ValueView known;
    if (!DecodeSingleValue(type, AsBytes(*bound), &value) ||
        !DecodeSingleValue(type, AsBytes(**widest), &known) || value.is_nan() || known.is_nan()) {
      widest->reset();
    } else if (is_lower == (CompareValues(value, known) < 0)) {
      *widest = bound;
    }
  };
  LeafBounds bounds{.nulls = 0};
  bool is_first = true;
  for (size_t i = 0; i < file.sections().size(); ++i) {
    if (file.sections()[i].rows == 0) continue;
    const LeafStats stats = file.StatsOf(i, leaf);
    // Where all is null there are no bounds, and none to widen by.
    const bool all_null = stats.null_count == file.sections()[i].rows;
    if (!all_null) {
      widen(stats.lower_bound, true, is_first, &bounds.lower);
      widen(stats.upper_bound, false, is_first, &bounds.upper);
      is_first = false;
    }
    if (stats.null_count < 0) bounds.nulls.reset();
    if (bounds.nulls) *bounds.nulls += stats.null_count;
  }
  return bounds;
}

void AddLeaves(const SectionedFile& file, const std::vector<FileField>& columns,
               std::span<const Field> fields, std::vector<LeafBounds>* leaves) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const Type& type = fields[i].type;
    if (type.is_struct()) {
      AddLeaves(file, columns[i].children, type.fields(), leaves);
    } else if (!type.is_nested()) {
      const bool known = type.is_comparable() && BoundsHold(*columns[i].type, type);
      leaves->push_back(known ? BoundsOf(file, columns[i].leaf, type) : LeafBounds());
    }
  }
}

FileFooter FooterOf(FileFormat format, SectionedFile& file) {
  FileFooter footer{.format = format, .rows = 0};
  std::vector<Field> fields = FieldsOf(file.fields(), format);
  AddLeaves(file, file.fields(), fields, &footer.leaves);
  footer.columns = std::make_shared<const std::vector<Field>>(std::move(fields));
  for (const FileSection& section : file.sections()) {
    *footer.rows += section.rows;
    footer.section_starts.push_back(section.start);
  }
  return footer;
}

}  // namespace

FileFooter ReadFooter(FileIO& io, const Context& context, const FileInfo& file) {
  const FileFormat format = FormatOf(io, context, file);
  const auto tail = [&](TailSize tail_size) {
    return FetchTail(io, context, file.location, file.size, tail_size, nullptr, kPrefetch);
  };
  switch (format) {
    case FileFormat::kParquet: {
      const FileTail end = tail(ParquetFooterSize);
      return WithContext(file.location, [&] {
        ParquetFile parquet(file.size, end.bytes, {});
        return FooterOf(format, parquet);
      });
    }
    case FileFormat::kOrc: {
      const FileTail end = tail(OrcTailSize);
      return WithContext(file.location, [&] {
        OrcFile orc(file.size, end.bytes, {});
        return FooterOf(format, orc);
      });
    }
    default: {
      const std::unique_ptr<FileDecoder> avro = OpenAvro(io, context, file.location, file.size, {});
      return WithContext(file.location, [&] {
        return FileFooter{
            .format = format,
            .columns = std::make_shared<const std::vector<Field>>(FieldsOf(avro->fields(), format)),
            .leaves = {},
            .rows = std::nullopt,
            .section_starts = {}};
      });
    }
  }
}

}  // namespace nunatak::hive
