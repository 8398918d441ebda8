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
  using AppendRun = std::function<void(FileRun&, arrow::ArrayBuilder&)>;

  BuiltColumn(const Type& type, AppendRun append)
      : builder_(ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(type)))), append_(std::move(append)) {}

  void Reserve(int64_t files) override { CheckOk(builder_->Reserve(files)); }
  void Append(FileRun& run) override { append_(run, *builder_); }
  std::shared_ptr<arrow::Array> Finish() override { return ValueOrThrow(builder_->Finish()); }

 private:
  std::unique_ptr<arrow::ArrayBuilder> builder_;
  AppendRun append_;
};

class StructColumn final : public FileColumn {
 public:
  StructColumn(const Type& type, std::vector<FileColumnPtr> fields)
      : type_(ArrowTypeOf(type)), fields_(std::move(fields)) {}

  void Reserve(int64_t files) override {
    for (const FileColumnPtr& field : fields_) field->Reserve(files);
  }
  void Append(FileRun& run) override {
    for (const FileColumnPtr& field : fields_) field->Append(run);
    count_ += static_cast<int64_t>(run.files().size());
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

FileColumnPtr MakeBuiltColumn(const Type& type, BuiltColumn::AppendRun append) {
  return std::make_unique<BuiltColumn>(type, std::move(append));
}

FileColumnPtr MakeStructColumn(const Type& type, std::vector<FileColumnPtr> fields) {
  return std::make_unique<StructColumn>(type, std::move(fields));
}

}  // namespace nunatak
