#include "nunatak/read/decode/avro_column.h"

#include <arrow/array/data.h>
#include <arrow/buffer_builder.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/avro/decoder.h"
#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/avro_schema.h"

namespace nunatak {

namespace {

using ArrayDataPtr = std::shared_ptr<arrow::ArrayData>;
using avro::Node;

/// Which of the values of a nested array are not null.
class Validity {
 public:
  void Append(bool valid) { CheckOk(bits_.Append(valid)); }
  int64_t length() const { return bits_.length(); }

  /// The array of all values since the last call; `buffers` are those after the validity bitmap.
  ArrayDataPtr Finish(std::shared_ptr<arrow::DataType> type,
                      std::vector<std::shared_ptr<arrow::Buffer>> buffers,
                      std::vector<ArrayDataPtr> children) {
    const int64_t length = bits_.length();
    const int64_t nulls = bits_.false_count();
    std::shared_ptr<arrow::Buffer> bits = ValueOrThrow(bits_.Finish());
    buffers.insert(buffers.begin(), nulls > 0 ? std::move(bits) : nullptr);
    return arrow::ArrayData::Make(std::move(type), length, std::move(buffers), std::move(children),
                                  nulls);
  }

 private:
  arrow::TypedBufferBuilder<bool> bits_;
};

/// Records; the fields that are not selected are passed over.
class StructColumn final : public AvroColumn {
 public:
  explicit StructColumn(const AvroBuild& build) : build_(build) {}

  void AddField(const FileField& field, std::unique_ptr<AvroColumn> column) {
    steps_.push_back({.name = field.name, .column = column.get()});
    columns_.push_back(std::move(column));
  }
  void AddSkip(uint32_t program) { steps_.push_back({.program = program}); }

  void Read(AvroInput& in) override {
    const Step* step = steps_.data();
    try {
      for (const Step* end = step + steps_.size(); step != end; ++step) {
        if (step->column != nullptr) {
          step->column->Read(in);
        } else {
          in.Skip(build_.programs, step->program);
        }
      }
    } catch (Error& error) {
      // Skipping names the field itself.
      if (step->column != nullptr) error.AddContext(step->name);
      throw;
    }
    validity_.Append(true);
  }

  void AppendNull() override {
    for (const auto& column : columns_) column->AppendNull();
    validity_.Append(false);
  }

  ArrayDataPtr Finish() override {
    std::vector<ArrayDataPtr> children;
    arrow::FieldVector fields;
    for (const Step& step : steps_) {
      if (step.column == nullptr) continue;
      children.push_back(step.column->Finish());
      fields.push_back(arrow::field(step.name, children.back()->type));
    }
    return validity_.Finish(arrow::struct_(std::move(fields)), {}, std::move(children));
  }

 private:
  struct Step {
    std::string name;
    /// Null for what is skipped.
    AvroColumn* column = nullptr;
    uint32_t program = 0;
  };

  const AvroBuild& build_;
  std::vector<Step> steps_;
  std::vector<std::unique_ptr<AvroColumn>> columns_;
  Validity validity_;
};

/// Arrays and maps: blocks of items.
class ItemsColumn final : public AvroColumn {
 public:
  /// The items of a map are structs of key and value.
  ItemsColumn(std::unique_ptr<AvroColumn> items, bool is_map)
      : items_(std::move(items)), is_map_(is_map) {}

  void Read(AvroInput& in) override {
    AppendOffset();
    int64_t without_bytes = 0;
    while (int64_t count = in.ItemCount()) {
      for (; count > 0; --count) {
        const int64_t before = in.position();
        items_->Read(in);
        if (in.position() == before && ++without_bytes > avro::kMaxZeroSizeItems) {
          in.Fail(fmt::format("more than {} items that take no bytes", avro::kMaxZeroSizeItems));
        }
        ++length_;
      }
    }
    validity_.Append(true);
  }

  void AppendNull() override {
    AppendOffset();
    validity_.Append(false);
  }

  ArrayDataPtr Finish() override {
    AppendOffset();
    std::shared_ptr<arrow::Buffer> offsets = ValueOrThrow(offsets_.Finish());
    length_ = 0;
    ArrayDataPtr items = items_->Finish();
    return validity_.Finish(TypeOf(items->type), {std::move(offsets)}, {items});
  }

 private:
  void AppendOffset() {
    if (length_ > std::numeric_limits<int32_t>::max()) {
      ThrowUnsupported("the lists of one batch have more than 2^31 elements",
                       "read in smaller batches");
    }
    CheckOk(offsets_.Append(static_cast<int32_t>(length_)));
  }

  std::shared_ptr<arrow::DataType> TypeOf(const std::shared_ptr<arrow::DataType>& item) const {
    const bool is_whole_map = is_map_ && item->num_fields() == 2;
    if (!is_whole_map) return arrow::list(item);
    return std::make_shared<arrow::MapType>(item->field(0)->WithNullable(false), item->field(1));
  }

  std::unique_ptr<AvroColumn> items_;
  bool is_map_;
  int64_t length_ = 0;
  arrow::TypedBufferBuilder<int32_t> offsets_;
  Validity validity_;
};

/// A union of one type and null, in either order.
class OptionColumn final : public AvroColumn {
 public:
  OptionColumn(const Node& node, const Node& value, std::unique_ptr<AvroColumn> column)
      : node_(node), value_(value), column_(std::move(column)) {}

  void Read(AvroInput& in) override {
    const int64_t branch = in.Long();
    const auto count = static_cast<int64_t>(node_.branches.size());
    if (branch < 0 || branch >= count) {
      in.Fail(fmt::format("branch {} of a union of {}", branch, count));
    }
    if (node_.branches[static_cast<size_t>(branch)] == &value_) {
      column_->Read(in);
    } else {
      column_->AppendNull();
    }
  }

  void AppendNull() override { column_->AppendNull(); }
  ArrayDataPtr Finish() override { return column_->Finish(); }

 private:
  const Node& node_;
  const Node& value_;
  std::unique_ptr<AvroColumn> column_;
};

/// A union of several types, of which nothing can be read but whether a value is there; it is
/// selected only for the sake of the struct that it is in.
class OpaqueColumn final : public AvroColumn {
 public:
  OpaqueColumn(const AvroBuild& build, uint32_t program) : build_(build), program_(program) {}

  void Read(AvroInput& in) override {
    in.Skip(build_.programs, program_);
    ++length_;
  }
  void AppendNull() override { ++length_; }
  ArrayDataPtr Finish() override {
    return arrow::ArrayData::Make(arrow::null(), std::exchange(length_, 0), {nullptr});
  }

 private:
  const AvroBuild& build_;
  uint32_t program_;
  int64_t length_ = 0;
};

/// The keys of Avro's own maps.
const Node& StringNode() {
  static const Node node = [] {
    Node string;
    string.type = avro::Type::kString;
    return string;
  }();
  return node;
}

/// A field of a record, or a part of a map's entry.
struct Member {
  const Node* node;
  const FileField* field;
  const avro::Field* avro_field = nullptr;
};

std::unique_ptr<AvroColumn> MakeStruct(const std::vector<Member>& members, AvroBuild& build) {
  auto result = std::make_unique<StructColumn>(build);
  for (size_t i = 0; i < members.size();) {
    if (members[i].field->selected) {
      result->AddField(*members[i].field,
                       MakeAvroColumn(*members[i].node, *members[i].field, build));
      ++i;
      continue;
    }
    avro::Program body;
    // A stretch of fields is skipped by one program.
    for (; i < members.size() && !members[i].field->selected; ++i) {
      build.compiler.Append(*members[i].node, members[i].avro_field, body);
    }
    const uint32_t program = avro::NewProgram(build.programs);
    build.programs.bodies[program] = std::move(body);
    result->AddSkip(program);
  }
  return result;
}

std::unique_ptr<AvroColumn> MakeItems(const Node& node, const FileField& field, AvroBuild& build) {
  const std::vector<FileField>& parts = field.children;
  if (node.type == avro::Type::kMap) {
    return std::make_unique<ItemsColumn>(
        MakeStruct({{&StringNode(), &parts[0]}, {node.item, &parts[1]}}, build), /*is_map=*/true);
  }
  if (IsMap(node)) {
    return std::make_unique<ItemsColumn>(MakeAvroRecord(*node.item, parts, build), /*is_map=*/true);
  }
  return std::make_unique<ItemsColumn>(MakeAvroColumn(*node.item, parts[0], build),
                                       /*is_map=*/false);
}

}  // namespace

std::unique_ptr<AvroColumn> MakeAvroRecord(const Node& record, const std::vector<FileField>& fields,
                                           AvroBuild& build) {
  std::vector<Member> members;
  for (size_t i = 0; i < fields.size(); ++i) {
    const avro::Field& field = record.fields[i];
    members.push_back({field.type, &fields[i], &field});
  }
  return MakeStruct(members, build);
}

std::unique_ptr<AvroColumn> MakeAvroColumn(const Node& node, const FileField& field,
                                           AvroBuild& build) {
  const Node* value = ValueTypeOf(node);
  if (value == nullptr) {
    avro::Program body;
    build.compiler.Append(node, nullptr, body);
    const uint32_t program = avro::NewProgram(build.programs);
    build.programs.bodies[program] = std::move(body);
    return std::make_unique<OpaqueColumn>(build, program);
  }
  std::unique_ptr<AvroColumn> column;
  if (value->type == avro::Type::kRecord) {
    column = MakeAvroRecord(*value, field.children, build);
  } else if (value->type == avro::Type::kArray || value->type == avro::Type::kMap) {
    column = MakeItems(*value, field, build);
  } else {
    column = MakeAvroLeaf(*value, field.type, build);
  }
  if (value == &node) return column;
  return std::make_unique<OptionColumn>(node, *value, std::move(column));
}

}  // namespace nunatak
