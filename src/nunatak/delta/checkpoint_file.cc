#include "nunatak/delta/checkpoint_file.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/section_decoder.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/open_parquet.h"

namespace nunatak::delta {

namespace {

/// A checkpoint is fetched whole: it takes few requests.
DecodeOptions OptionsOf(int64_t batch_rows) {
  return {.batch_size = batch_rows,
          .window_bytes = std::numeric_limits<int64_t>::max(),
          .split_structs = true};
}

FileField* FindField(std::vector<FileField>& fields, const ColumnPath& path) {
  std::vector<FileField>* siblings = &fields;
  FileField* found = nullptr;
  for (const std::string& name : path) {
    const auto at = std::find_if(siblings->begin(), siblings->end(),
                                 [&](const FileField& field) { return field.name == name; });
    if (at == siblings->end()) return nullptr;
    found = &*at;
    siblings = &found->children;
  }
  return found;
}

void AppendSelectedLeaves(const std::vector<FileField>& fields, std::vector<int>* leaves) {
  for (const FileField& field : fields) {
    if (field.is_leaf() && field.selected) leaves->push_back(field.leaf);
    AppendSelectedLeaves(field.children, leaves);
  }
}

/// The parts of actions that are decoded, in the order in which they are numbered.
void AppendDecoded(const std::vector<FileField>& fields, std::vector<const FileField*>* decoded) {
  for (const FileField& field : fields) {
    if (!field.selected) continue;
    if (field.type->id() == arrow::Type::STRUCT) {
      AppendDecoded(field.children, decoded);
    } else {
      decoded->push_back(&field);
    }
  }
}

}  // namespace

class CheckpointFile::Impl {
 public:
  Impl(FileIO& io, const Context& context, std::string location, int64_t size, int64_t batch_rows)
      : io_(io),
        location_(std::move(location)),
        options_(OptionsOf(batch_rows)),
        opened_(OpenParquet(io, context, location_, size > 0 ? size : SizeOf(io, location_),
                            options_)) {}

  FileField* Find(const ColumnPath& path) const { return FindField(opened_.file->fields(), path); }

  std::optional<int64_t> ValuesOf(const ColumnPath& path) const {
    const FileField* field = Find(path);
    if (field == nullptr) return 0;
    const std::optional<int64_t> nulls = field->is_leaf() ? NullsOf(field->leaf) : std::nullopt;
    if (!nulls) return std::nullopt;
    int64_t rows = 0;
    for (const FileSection& section : opened_.file->sections()) rows += section.rows;
    return rows - *nulls;
  }

  /// Nulls of a leaf over the file; nullopt when they are not recorded.
  std::optional<int64_t> NullsOf(int leaf) const {
    int64_t nulls = 0;
    for (size_t i = 0; i < opened_.file->sections().size(); ++i) {
      const int64_t count = opened_.file->StatsOf(i, leaf).null_count;
      if (count < 0) return std::nullopt;
      nulls += count;
    }
    return nulls;
  }

  void Fetch(const Context& context, bool any_value) {
    std::vector<int> leaves;
    AppendSelectedLeaves(opened_.file->fields(), &leaves);
    FilePart part;
    if (any_value) {
      part.filter.may_match = [leaves = std::move(leaves)](const SectionStats& section) {
        return std::any_of(leaves.begin(), leaves.end(),
                           [&](int leaf) { return section.Of(leaf).null_count != section.rows(); });
      };
    }
    decoder_.emplace(std::move(opened_.file), std::move(opened_.tail), options_);
    decoder_->Start(part);
    decoder_->Fill(FetchRanges(io_, context, location_, decoder_->needed()));
    AppendDecoded(decoder_->fields(), &decoded_);
  }

  int64_t Next() {
    while (!decoder_->done()) {
      if (const int64_t rows = decoder_->Next().count; rows > 0) return rows;
    }
    return 0;
  }

  CheckpointColumn Read(const ColumnPath& path, const RowSelection& rows) {
    const FileField* field = FindField(decoder_->fields(), path);
    const auto at = std::find(decoded_.begin(), decoded_.end(), field);
    if (field == nullptr || at == decoded_.end()) return {};
    return {decoder_->Read(static_cast<int>(at - decoded_.begin()), rows),
            fmt::format("{}", fmt::join(path, "."))};
  }

  const std::string& location() const { return location_; }

 private:
  FileIO& io_;
  std::string location_;
  DecodeOptions options_;
  OpenedParquet opened_;
  std::optional<SectionDecoder> decoder_;
  std::vector<const FileField*> decoded_;
};

CheckpointFile::CheckpointFile(FileIO& io, const Context& context, std::string location,
                               int64_t size, int64_t batch_rows)
    : impl_(std::make_unique<Impl>(io, context, std::move(location), size, batch_rows)) {}
CheckpointFile::~CheckpointFile() = default;
CheckpointFile::CheckpointFile(CheckpointFile&&) noexcept = default;
CheckpointFile& CheckpointFile::operator=(CheckpointFile&&) noexcept = default;

bool CheckpointFile::Has(const ColumnPath& path) const { return impl_->Find(path) != nullptr; }

bool CheckpointFile::Select(const ColumnPath& path) {
  FileField* field = impl_->Find(path);
  return field != nullptr && SelectLeaves(*field, /*all=*/true);
}

bool CheckpointFile::HasValuesWherever(const ColumnPath& first, const ColumnPath& second) const {
  const FileField* a = impl_->Find(first);
  const FileField* b = impl_->Find(second);
  if (a == nullptr || b == nullptr || !a->is_leaf() || !b->is_leaf()) return false;
  const std::optional<int64_t> nulls = impl_->NullsOf(a->leaf);
  return nulls && nulls == impl_->NullsOf(b->leaf);
}

void CheckpointFile::Fetch(const Context& context, bool any_value) {
  WithContext(location(), [&] { impl_->Fetch(context, any_value); });
}

std::optional<int64_t> CheckpointFile::ValuesOf(const ColumnPath& path) const {
  return WithContext(location(), [&] { return impl_->ValuesOf(path); });
}

int64_t CheckpointFile::Next() {
  return WithContext(location(), [&] { return impl_->Next(); });
}

CheckpointColumn CheckpointFile::Read(const ColumnPath& path, const RowSelection& rows) {
  return WithContext(location(), [&] { return impl_->Read(path, rows); });
}

const std::string& CheckpointFile::location() const { return impl_->location(); }

}  // namespace nunatak::delta
