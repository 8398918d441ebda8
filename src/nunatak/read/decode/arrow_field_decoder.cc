#include "nunatak/read/decode/arrow_field_decoder.h"

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/select_rows.h"

namespace nunatak {

namespace {

class ArrowFieldDecoder final : public FieldDecoder {
 public:
  ArrowFieldDecoder(parquet::arrow::FileReader& reader, int group, std::vector<int> leaves,
                    std::string name, int depth)
      : name_(std::move(name)),
        depth_(depth),
        batches_(ValueOrThrow(reader.GetRecordBatchReader({group}, leaves))) {}

  std::shared_ptr<arrow::ArrayData> Read(const RowSelection& rows) override {
    return WithContext(name_, [&] {
      return GuardArrow([&] {
        while (skipped_ > 0) skipped_ -= TakePiece(skipped_)->length();
        return SelectRows(Take(rows.total()), rows)->data();
      });
    });
  }

  void Skip(int64_t rows) override { skipped_ += rows; }

 private:
  std::shared_ptr<arrow::Array> Take(int64_t rows) {
    arrow::ArrayVector pieces;
    while (rows > 0) {
      pieces.push_back(TakePiece(rows));
      rows -= pieces.back()->length();
    }
    return pieces.size() == 1 ? pieces[0] : ValueOrThrow(arrow::Concatenate(pieces));
  }

  /// The next rows, at least one and at most `rows`.
  std::shared_ptr<arrow::Array> TakePiece(int64_t rows) {
    if (batch_ == nullptr || batch_->num_rows() == 0) NextBatch();
    const int64_t piece = std::min(rows, batch_->num_rows());
    std::shared_ptr<arrow::Array> column = batch_->column(0)->Slice(0, piece);
    for (int i = 0; i < depth_; ++i) {
      column = ValueOrThrow(static_cast<const arrow::StructArray&>(*column).GetFlattenedField(0));
    }
    batch_ = batch_->Slice(piece);
    return column;
  }

  void NextBatch() {
    do {
      CheckOk(batches_->ReadNext(&batch_));
      if (batch_ == nullptr) ThrowInvalid("a column has fewer values than rows");
    } while (batch_->num_rows() == 0);
  }

  std::string name_;
  int depth_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  int64_t skipped_ = 0;
};

}  // namespace

std::unique_ptr<FieldDecoder> MakeArrowFieldDecoder(parquet::arrow::FileReader& reader, int group,
                                                    std::vector<int> leaves, std::string name,
                                                    int depth) {
  return std::make_unique<ArrowFieldDecoder>(reader, group, std::move(leaves), std::move(name),
                                             depth);
}

}  // namespace nunatak
