#include "nunatak/delta/checkpoint_file.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

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

/// A checkpoint is read whole, in few batches.
constexpr DecodeOptions kOptions{.batch_size = 65536,
                                 .window_bytes = std::numeric_limits<int64_t>::max()};

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

}  // namespace

class CheckpointFile::Impl {
 public:
  Impl(FileIO& io, const Context& context, std::string location, int64_t size)
      : io_(io),
        location_(std::move(location)),
        opened_(OpenParquet(io, context, location_, size > 0 ? size : SizeOf(io, location_),
                            kOptions)) {}

  FileField* Find(const ColumnPath& path) const { return FindField(opened_.file->fields(), path); }

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
    decoder_.emplace(std::move(opened_.file), std::move(opened_.tail), kOptions);
    decoder_->Start(part);
    decoder_->Fill(FetchRanges(io_, context, location_, decoder_->needed()));
  }

  std::shared_ptr<arrow::RecordBatch> Next() {
    while (!decoder_->done()) {
      const int64_t rows = decoder_->Next().count;
      if (rows > 0) return ReadRows(rows);
    }
    return nullptr;
  }

  const std::string& location() const { return location_; }

 private:
  /// The chosen columns of the rows at hand.
  std::shared_ptr<arrow::RecordBatch> ReadRows(int64_t rows) {
    arrow::FieldVector fields;
    arrow::ArrayVector columns;
    for (const FileField& field : decoder_->fields()) {
      if (!field.selected) continue;
      columns.push_back(decoder_->Read(static_cast<int>(columns.size()), RowSelection::All(rows)));
      fields.push_back(arrow::field(field.name, columns.back()->type()));
    }
    return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), rows, std::move(columns));
  }

  FileIO& io_;
  std::string location_;
  OpenedParquet opened_;
  std::optional<SectionDecoder> decoder_;
};

CheckpointFile::CheckpointFile(FileIO& io, const Context& context, std::string location,
                               int64_t size)
    : impl_(std::make_unique<Impl>(io, context, std::move(location), size)) {}
CheckpointFile::~CheckpointFile() = default;
CheckpointFile::CheckpointFile(CheckpointFile&&) noexcept = default;
CheckpointFile& CheckpointFile::operator=(CheckpointFile&&) noexcept = default;

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

std::shared_ptr<arrow::RecordBatch> CheckpointFile::Next() {
  return WithContext(location(), [&] { return impl_->Next(); });
}

const std::string& CheckpointFile::location() const { return impl_->location(); }

}  // namespace nunatak::delta
