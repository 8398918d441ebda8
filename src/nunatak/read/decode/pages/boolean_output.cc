#include "nunatak/read/decode/pages/boolean_output.h"

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/type.h>

#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/pack_bits.h"
#include "nunatak/read/decode/pages/value_checks.h"

namespace nunatak {

namespace {

class BooleanOutput final : public ValueOutput {
 public:
  void SetDictionary(ByteSpan, int64_t) override { ThrowInvalid("a dictionary of booleans"); }

  void Start(int64_t rows) override {
    rows_ = rows;
    values_.clear();
  }

  void AppendIndices(std::span<const uint32_t> indices) override {
    CheckIndices(indices, 2);
    values_.insert(values_.end(), indices.begin(), indices.end());
  }

  // Which would be whole bytes: bits come as numbers.
  void AppendPlain(int64_t, ByteSpan*) override { ThrowInvalid("booleans of whole bytes"); }
  void SkipPlain(int64_t, ByteSpan*) const override { ThrowInvalid("booleans of whole bytes"); }

  void Spread(std::span<const uint8_t> valid) override {
    size_t value = CountMarks(valid);
    const size_t first = values_.size() - value;
    values_.resize(first + valid.size());
    for (size_t i = valid.size(); i-- > 0;) {
      values_[first + i] = valid[i] != 0 ? values_[first + --value] : uint8_t{0};
    }
  }

  std::shared_ptr<arrow::ArrayData> Finish(std::shared_ptr<arrow::Buffer> validity,
                                           int64_t null_count) override {
    return arrow::ArrayData::Make(arrow::boolean(), rows_, {std::move(validity), PackBits(values_)},
                                  null_count);
  }

 private:
  int64_t rows_ = 0;
  std::vector<uint8_t> values_;
};

}  // namespace

std::unique_ptr<ValueOutput> MakeBooleanOutput() { return std::make_unique<BooleanOutput>(); }

}  // namespace nunatak
