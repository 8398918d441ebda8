#include "nunatak/inspect/verify/verify_layout.h"

#include <algorithm>
#include <memory>

#include "nunatak/read/open_decoder.h"

namespace nunatak {

namespace {

void CheckFields(const TableFacts& facts, const std::vector<FileField>& fields,
                 FileReport* report) {
  for (const FileField& field : fields) {
    if (field.id && !facts.FindField(*field.id)) {
      report->Add(Check::kFieldId, field.name, {fmt::format("{}", *field.id), "a known field id"},
                  fmt::format("the file's column {} has field id {}, which no schema of the table "
                              "has",
                              field.name, *field.id));
    }
    CheckFields(facts, field.children, report);
  }
}

void CheckSplitOffsets(const DataFile& file, const std::vector<int64_t>& starts,
                       FileReport* report) {
  for (size_t i = 0; i < file.split_offsets->size(); ++i) {
    const int64_t offset = (*file.split_offsets)[i];
    if (std::find(starts.begin(), starts.end(), offset) != starts.end()) continue;
    report->Add(Check::kRowGroups, fmt::format("split_offsets[{}]", i),
                {fmt::format("{}", offset), fmt::format("one of {}", fmt::join(starts, ", "))},
                fmt::format("no row group or stripe begins at split offset {}", offset));
  }
}

}  // namespace

void CheckLayout(const ContentScope& scope, const DataFile& file, FileReport* report) {
  const std::unique_ptr<FileDecoder> decoder =
      OpenDecoder(*scope.table.io, scope.context, file, DecodeOptions());
  CheckFields(scope.facts, decoder->fields(), report);
  const std::vector<int64_t> starts = decoder->section_starts();
  if (file.split_offsets && !starts.empty()) CheckSplitOffsets(file, starts, report);
}

}  // namespace nunatak
