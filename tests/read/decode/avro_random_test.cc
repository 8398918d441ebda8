// Random schemas, values, projections, codecs, block and window sizes: what is read must be what
// was put in.
#include <fmt/format.h>

#include <random>

#include "read/decode/avro_fixture.h"

namespace nunatak {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;
using Json = nlohmann::ordered_json;

/// A random field: how a file declares it, and what a table makes of it.
struct Model {
  std::string avro_type;
  /// The branch of null; −1 for a required field.
  int null_branch = -1;
  Field field;
  /// Of nested fields, as the file has them; a field of the table's may lack some.
  std::vector<Model> children;
  /// Whether the table has the field.
  bool is_read = true;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : engine_(seed) {}

  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint64_t>(n)); }

  Model Record(int depth) {
    Model model;
    const int count = 1 + Below(5);
    for (int i = 0; i < count; ++i) model.children.push_back(AnyField(depth + 1));
    model.children[static_cast<size_t>(Below(count))].is_read = true;
    std::string fields;
    std::vector<Field> read;
    for (const Model& child : model.children) {
      fields += fmt::format(R"({}{{"name": "{}", "type": {}, "field-id": {}}})",
                            fields.empty() ? "" : ", ", child.field.name, child.avro_type,
                            child.field.id);
      if (child.is_read) read.push_back(child.field);
    }
    model.avro_type =
        fmt::format(R"({{"type": "record", "name": "r{}", "fields": [{}]}})", ++ids_, fields);
    model.field.type = Type::Struct(std::move(read));
    return model;
  }

  /// A random value of `model` in the JSON form of `CellToJson`; its encoding is appended to `out`.
  Json Value(const Model& model, AvroBytes& out) {
    if (model.null_branch >= 0) {
      const bool is_null = Below(4) == 0;
      out.Branch(is_null ? model.null_branch : 1 - model.null_branch);
      if (is_null) return nullptr;
    }
    const int64_t number = static_cast<int64_t>(engine_()) >> Below(64);
    const std::string text(static_cast<size_t>(Below(20)), static_cast<char>('a' + Below(26)));
    switch (model.field.type.id()) {
      case TypeId::kBoolean:
        out.Boolean(number % 2 != 0);
        return number % 2 != 0;
      case TypeId::kInt:
        out.Int(static_cast<int32_t>(number));
        return static_cast<int32_t>(number);
      case TypeId::kLong:
        out.Long(number);
        return number;
      case TypeId::kDouble:
        out.Double(static_cast<double>(number));
        return static_cast<double>(number);
      case TypeId::kString:
        out.Text(text);
        return text;
      case TypeId::kBinary:
        out.Text(text);
        return ToHex(AsBytes(text));
      case TypeId::kStruct:
        return StructValue(model, out);
      default:
        return ItemsValue(model, out);
    }
  }

  Json StructValue(const Model& model, AvroBytes& out) {
    Json object = Json::object();
    for (const Model& child : model.children) {
      Json value = Value(child, out);
      if (child.is_read) object[child.field.name] = std::move(value);
    }
    return object;
  }

 private:
  Model AnyField(int depth) {
    Model model = AnyType(depth);
    model.field.id = ++ids_;
    model.field.name = fmt::format("f{}", ids_);
    model.is_read = Below(3) != 0;
    model.null_branch = Below(3) - 1;
    if (model.null_branch == 0) model.avro_type = fmt::format(R"(["null", {}])", model.avro_type);
    if (model.null_branch == 1) model.avro_type = fmt::format(R"([{}, "null"])", model.avro_type);
    return model;
  }

  Model AnyType(int depth) {
    Model model;
    switch (Below(depth < 4 ? 9 : 6)) {
      case 0:
        return Leaf(R"("boolean")", TypeId::kBoolean);
      case 1:
        return Leaf(R"("int")", TypeId::kInt);
      case 2:
        return Leaf(R"("long")", TypeId::kLong);
      case 3:
        return Leaf(R"("double")", TypeId::kDouble);
      case 4:
        return Leaf(R"("string")", TypeId::kString);
      case 5:
        return Leaf(R"("bytes")", TypeId::kBinary);
      case 6:
        return Record(depth);
      case 7:
        model.children = {AnyField(depth + 1)};
        model.children[0].is_read = true;
        model.avro_type = fmt::format(R"({{"type": "array", "items": {}, "element-id": {}}})",
                                      model.children[0].avro_type, model.children[0].field.id);
        model.field.type = Type::List(Named(model.children[0].field, "element"));
        return model;
      default:
        model.children = {Leaf(R"("string")", TypeId::kString), AnyField(depth + 1)};
        model.children[0].field.id = ++ids_;
        model.children[0].field.required = true;
        model.children[1].is_read = true;
        model.avro_type = fmt::format(
            R"({{"type": "map", "values": {}, "key-id": {}, "value-id": {}}})",
            model.children[1].avro_type, model.children[0].field.id, model.children[1].field.id);
        model.field.type = Type::Map(Named(model.children[0].field, "key"),
                                     Named(model.children[1].field, "value"));
        return model;
    }
  }

  static Model Leaf(std::string avro_type, TypeId type) {
    Model model;
    model.avro_type = std::move(avro_type);
    model.field.type = type;
    return model;
  }

  static Field Named(Field field, const std::string& name) {
    field.name = name;
    return field;
  }

  Json ItemsValue(const Model& model, AvroBytes& out) {
    std::vector<std::string> items;
    Json keys = Json::array();
    Json values = Json::array();
    for (int count = Below(4); count > 0; --count) {
      AvroBytes item;
      if (model.children.size() == 2) keys.push_back(Value(model.children[0], item));
      values.push_back(Value(model.children.back(), item));
      items.push_back(item.bytes());
    }
    if (Below(2) == 0 || items.empty()) {
      out.Items(items);
    } else {
      out.SizedBlock(items).Long(0);
    }
    if (model.children.size() == 1) return values;
    return {{"keys", keys}, {"values", values}};
  }

  std::mt19937_64 engine_;
  int ids_ = 0;
};

using AvroRandomTest = AvroTest;

TEST_F(AvroRandomTest, WhatIsReadIsWhatWasPutIn) {
  const std::string codecs[] = {"null", "deflate", "snappy", "zstandard"};
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    const Model model = random.Record(0);
    AvroFile file{.schema = model.avro_type, .codec = codecs[seed % 4]};
    Json expected = Json::array();
    for (int blocks = random.Below(5); blocks > 0; --blocks) {
      std::vector<std::string>& block = file.blocks.emplace_back();
      for (int rows = random.Below(40); rows > 0; --rows) {
        AvroBytes record;
        expected.push_back(random.StructValue(model, record));
        block.push_back(record.bytes());
      }
    }
    const std::span<const Field> fields = model.field.type.fields();
    ReadRequest request = RequestFor(TableOf({fields.begin(), fields.end()}));
    request.options.batch_size = 1 + random.Below(100);
    const FileScanTask whole = AvroTask(file.Write());
    ASSERT_EQ(Json::parse(Read(request, whole)), expected) << model.avro_type;
    const int64_t size = whole.data_file->file_size_in_bytes;
    std::vector<FileScanTask> halves(2, whole);
    halves[0].length = halves[1].start = 1 + random.Below(static_cast<int>(size) - 1);
    halves[1].length = size - halves[1].start;
    ASSERT_EQ(Json::parse(Read(request, halves)), expected) << halves[1].start;
  }
}

}  // namespace
}  // namespace nunatak
