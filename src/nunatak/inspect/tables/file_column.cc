#include "nunatak/inspect/tables/file_column.h"

#include <arrow/array.h>
#include <arrow/array/builder_base.h>

#include <utility>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

class BuiltColumn final : public FileColumn {
 public:
  using AppendFiles = std::function<void(std::span<const uint32_t>, arrow::ArrayBuilder&)>;

  BuiltColumn(const Type& type, AppendFiles append)
      : builder_(ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(type)))), append_(std::move(append)) {}

  void Append(std::span<const uint32_t> files) override { append_(files, *builder_); }
  std::shared_ptr<arrow::Array> Finish() override { return ValueOrThrow(builder_->Finish()); }

 private:
  std::unique_ptr<arrow::ArrayBuilder> builder_;
  AppendFiles append_;
};

class StructColumn final : public FileColumn {
 public:
  StructColumn(const Type& type, std::vector<FileColumnPtr> fields)
      : type_(ArrowTypeOf(type)), fields_(std::move(fields)) {}

  void Append(std::span<const uint32_t> files) override {
    for (const FileColumnPtr& field : fields_) field->Append(files);
    count_ += static_cast<int64_t>(files.size());
  }
  std::shared_ptr<arrow::Array> Finish() override {
    arrow::ArrayVector arrays;
    for (const FileColumnPtr& field : fields_) arrays.push_back(field->Finish());
    return std::make_shared<arrow::StructArray>(type_, count_, std::move(arrays));
  }

 private:
  std::shared_ptr<arrow::DataType> type_;
  std::vector<FileColumnPtr> fields_;
  int64_t count_ = 0;
};

}  // namespace

FileColumnPtr MakeBuiltColumn(const Type& type, BuiltColumn::AppendFiles append) {
  return std::make_unique<BuiltColumn>(type, std::move(append));
}

FileColumnPtr MakeStructColumn(const Type& type, std::vector<FileColumnPtr> fields) {
  return std::make_unique<StructColumn>(type, std::move(fields));
}

}  // namespace nunatak
