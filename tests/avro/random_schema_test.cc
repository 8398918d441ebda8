// Random schemas and records, encoded by the test's builder and read back by plans that want a
// random part of the fields: what the cursor yields must be what was put in.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "avro/test_support.h"
#include "nunatak/avro/array_cursor.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

/// A type of a random schema. Beside the JSON it keeps what is needed to make values and to want
/// them.
struct ModelType {
  enum class Kind {
    kBoolean,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kText,
    kFixed,
    kEnum,
    kRecord,
    kList,
    kMap
  };
  Kind kind = Kind::kLong;
  /// The branch of null in a union; −1: no union.
  int null_branch = -1;
  int size = 0;
  /// Fields of a record; the element of a list; the value of a map (whose key is a string).
  std::vector<ModelType> children;
  bool is_wanted = false;
  std::string json;
};

/// A value of a type: one of the scalars, or what it holds.
struct ModelValue {
  bool is_null = false;
  int64_t integer = 0;
  double real = 0;
  std::string text = {};
  std::vector<ModelValue> children = {};
};

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint64_t>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }
  /// Of any magnitude, with the ends of the range among them.
  int64_t Integer(int bits) {
    const int64_t value = static_cast<int64_t>(engine_()) >> (64 - bits);
    return OneIn(8) ? (value < 0 ? INT64_MIN : INT64_MAX) >> (64 - bits) : value >> Below(bits);
  }
  std::string Text(int size) {
    std::string text;
    for (int i = 0; i < size; ++i) text += static_cast<char>(Below(256));
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  ModelType Root() {
    ModelType root = RecordType(0);
    root.null_branch = -1;
    return root;
  }

  ModelValue Value(const ModelType& type) {
    ModelValue value;
    if (type.null_branch >= 0 && random_.OneIn(3)) return {.is_null = true};
    switch (type.kind) {
      case ModelType::Kind::kBoolean:
        value.integer = random_.Below(2);
        break;
      case ModelType::Kind::kInt:
        value.integer = random_.Integer(32);
        break;
      case ModelType::Kind::kLong:
        value.integer = random_.Integer(64);
        break;
      case ModelType::Kind::kFloat:
        value.real = static_cast<float>(random_.Integer(20)) / 8;
        break;
      case ModelType::Kind::kDouble:
        value.real = static_cast<double>(random_.Integer(50)) / 1024;
        break;
      case ModelType::Kind::kText:
        value.text = random_.Text(random_.OneIn(10) ? 200 : random_.Below(9));
        break;
      case ModelType::Kind::kFixed:
        value.text = random_.Text(type.size);
        break;
      case ModelType::Kind::kEnum:
        value.integer = random_.Below(type.size);
        value.text = "S" + std::to_string(value.integer);
        break;
      case ModelType::Kind::kRecord:
        for (const ModelType& field : type.children) value.children.push_back(Value(field));
        break;
      case ModelType::Kind::kList:
      case ModelType::Kind::kMap:
        for (int i = random_.Below(5); i > 0; --i) {
          value.children.push_back(Value(type.children[0]));
        }
        break;
    }
    return value;
  }

  std::string Encode(const ModelType& type, const ModelValue& value) {
    AvroBytes bytes;
    if (type.null_branch >= 0) {
      bytes.Branch(value.is_null ? type.null_branch : 1 - type.null_branch);
      if (value.is_null) return bytes.bytes();
    }
    switch (type.kind) {
      case ModelType::Kind::kBoolean:
        return bytes.Boolean(value.integer != 0).bytes();
      case ModelType::Kind::kInt:
      case ModelType::Kind::kLong:
      case ModelType::Kind::kEnum:
        return bytes.Long(value.integer).bytes();
      case ModelType::Kind::kFloat:
        return bytes.Float(static_cast<float>(value.real)).bytes();
      case ModelType::Kind::kDouble:
        return bytes.Double(value.real).bytes();
      case ModelType::Kind::kText:
        return bytes.Text(value.text).bytes();
      case ModelType::Kind::kFixed:
        return bytes.Raw(value.text).bytes();
      case ModelType::Kind::kRecord:
        for (size_t i = 0; i < type.children.size(); ++i) {
          bytes.Raw(Encode(type.children[i], value.children[i]));
        }
        return bytes.bytes();
      case ModelType::Kind::kList:
      case ModelType::Kind::kMap:
        return bytes.Raw(EncodeItems(type, value)).bytes();
    }
    return "";
  }

  Random& random() { return random_; }

  /// The key of a map's entry.
  static std::string KeyOf(size_t i) { return std::string(i, 'k'); }

 private:
  /// In one or several blocks, of both forms.
  std::string EncodeItems(const ModelType& type, const ModelValue& value) {
    AvroBytes bytes;
    std::vector<std::string> block;
    const auto flush = [&] {
      if (block.empty()) return;
      if (random_.OneIn(2)) {
        bytes.SizedBlock(block);
      } else {
        bytes.Long(static_cast<int64_t>(block.size()));
        for (const std::string& item : block) bytes.Raw(item);
      }
      block.clear();
    };
    for (size_t i = 0; i < value.children.size(); ++i) {
      AvroBytes item;
      if (type.kind == ModelType::Kind::kMap) item.Text(KeyOf(i));
      block.push_back(item.Raw(Encode(type.children[0], value.children[i])).bytes());
      if (random_.OneIn(3)) flush();
    }
    flush();
    return bytes.Long(0).bytes();
  }

  ModelType Type(int depth) {
    using Kind = ModelType::Kind;
    // Nothing but scalars below the third level.
    const int kind = random_.Below(depth < 3 ? 11 : 8);
    ModelType type;
    type.kind = static_cast<Kind>(kind);
    const std::string name = "\"name\":\"n" + std::to_string(++names_) + "\"";
    switch (type.kind) {
      case Kind::kBoolean:
        type.json = "\"boolean\"";
        break;
      case Kind::kInt:
        type.json = R"({"type":{"type":"int"}})";
        break;
      case Kind::kLong:
        type.json = R"({"type":"long","logicalType":"foo"})";
        break;
      case Kind::kFloat:
        type.json = "\"float\"";
        break;
      case Kind::kDouble:
        type.json = "\"double\"";
        break;
      case Kind::kText:
        type.json = random_.OneIn(2) ? "\"string\"" : "\"bytes\"";
        break;
      case Kind::kFixed:
        type.size = random_.Below(20);
        type.json = R"({"type":"fixed",)" + name + R"(,"size":)" + std::to_string(type.size) + "}";
        break;
      case Kind::kEnum:
        type.size = 1 + random_.Below(5);
        type.json = R"({"type":"enum",)" + name + R"(,"symbols":[)";
        for (int i = 0; i < type.size; ++i) {
          type.json += (i ? ",\"S" : "\"S") + std::to_string(i) + "\"";
        }
        type.json += "]}";
        break;
      case Kind::kRecord:
        type = RecordType(depth + 1);
        break;
      case Kind::kList:
      case Kind::kMap:
        type.children.push_back(Type(depth + 1));
        type.json = std::string(R"({"type":")") + (type.kind == Kind::kList ? "array" : "map") +
                    (type.kind == Kind::kList ? R"(","items":)" : R"(","values":)") +
                    type.children[0].json + "}";
        break;
    }
    if (random_.OneIn(3)) {
      type.null_branch = random_.Below(2);
      type.json =
          type.null_branch == 0 ? "[\"null\"," + type.json + "]" : "[" + type.json + ",\"null\"]";
    }
    type.is_wanted = random_.OneIn(2);
    return type;
  }

  ModelType RecordType(int depth) {
    ModelType type;
    type.kind = ModelType::Kind::kRecord;
    type.json = R"({"type":"record","name":"n)" + std::to_string(++names_) + R"(","fields":[)";
    const int fields = 1 + random_.Below(6);
    for (int i = 0; i < fields; ++i) {
      type.children.push_back(Type(depth));
      type.json += (i ? ",{" : "{") + std::string(R"("name":"f)") + std::to_string(i) +
                   R"(","type":)" + type.children.back().json + "}";
    }
    type.json += "]}";
    return type;
  }

  Random random_;
  int names_ = 0;
};

WantedKind KindOf(ModelType::Kind kind) {
  switch (kind) {
    case ModelType::Kind::kBoolean:
      return WantedKind::kBoolean;
    case ModelType::Kind::kInt:
    case ModelType::Kind::kLong:
      return WantedKind::kInteger;
    case ModelType::Kind::kFloat:
    case ModelType::Kind::kDouble:
      return WantedKind::kReal;
    case ModelType::Kind::kRecord:
      return WantedKind::kRecord;
    case ModelType::Kind::kList:
      return WantedKind::kList;
    case ModelType::Kind::kMap:
      return WantedKind::kMap;
    default:
      return WantedKind::kBytes;
  }
}

/// What is wanted of a value. Slots are numbered in the order of the walk, per plan.
Wanted WantedOf(const ModelType& type, const std::string& name, int& next_slot) {
  Wanted wanted{.names = {name}, .kind = KindOf(type.kind)};
  if (wanted.kind != WantedKind::kRecord) wanted.slot = next_slot++;
  int item_slot = 0;
  switch (wanted.kind) {
    case WantedKind::kRecord:
      for (size_t i = 0; i < type.children.size(); ++i) {
        if (!type.children[i].is_wanted) continue;
        wanted.children.push_back(WantedOf(type.children[i], "f" + std::to_string(i), next_slot));
      }
      break;
    case WantedKind::kMap:
      wanted.children.push_back({.kind = WantedKind::kBytes, .slot = item_slot++});
      [[fallthrough]];
    case WantedKind::kList:
      wanted.children.push_back(WantedOf(type.children[0], "item", item_slot));
      break;
    default:
      break;
  }
  return wanted;
}

/// Compares decoded slots with a value, and counts the comparisons.
class Comparison {
 public:
  template <typename Cursor>
  void Compare(const ModelType& type, const ModelValue& value, const DecodePlan& plan,
               const Cursor& cursor, int& next_slot) {
    if (type.kind == ModelType::Kind::kRecord) {
      static const ModelValue null{.is_null = true};
      for (size_t i = 0; i < type.children.size(); ++i) {
        if (!type.children[i].is_wanted) continue;
        const ModelValue& child = value.is_null ? null : value.children[i];
        Compare(type.children[i], child, plan, cursor, next_slot);
      }
      return;
    }
    const int number = next_slot++;
    const Slot& slot = cursor.slot(number);
    ASSERT_TRUE(plan.Has(number));
    ASSERT_EQ(slot.is_null(), value.is_null) << type.json;
    ++count;
    if (value.is_null) return;
    switch (KindOf(type.kind)) {
      case WantedKind::kBoolean:
        EXPECT_EQ(slot.boolean(), value.integer != 0);
        break;
      case WantedKind::kInteger:
        EXPECT_EQ(slot.integer(), value.integer);
        break;
      case WantedKind::kReal:
        EXPECT_EQ(slot.real(), value.real);
        break;
      case WantedKind::kBytes:
        EXPECT_EQ(slot.text(), value.text);
        break;
      default:
        CompareItems(type, value, *plan.items(number), slot);
        break;
    }
  }

  int64_t count = 0;

 private:
  void CompareItems(const ModelType& type, const ModelValue& value, const DecodePlan& plan,
                    const Slot& list) {
    ArrayCursor items(&plan);
    items.Reset(list);
    for (size_t i = 0; i < value.children.size(); ++i) {
      ASSERT_TRUE(items.Next());
      int next_slot = 0;
      if (type.kind == ModelType::Kind::kMap) {
        EXPECT_EQ(items.slot(next_slot++).text(), Generator::KeyOf(i));
      }
      Compare(type.children[0], value.children[i], plan, items, next_slot);
    }
    EXPECT_FALSE(items.Next());
  }
};

TEST(AvroRandomSchema, YieldsWhatWasEncoded) {
  Comparison comparison;
  for (uint64_t seed = 1; seed <= 400 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Generator generator(seed);
    const ModelType type = generator.Root();
    std::vector<ModelValue> values;
    AvroFile file{.schema = type.json, .codec = seed % 2 ? "deflate" : "snappy"};
    for (int block = 0; block < 3; ++block) {
      file.blocks.emplace_back();
      for (int i = generator.random().Below(8); i > 0; --i) {
        values.push_back(generator.Value(type));
        file.blocks.back().push_back(generator.Encode(type, values.back()));
      }
    }
    int slots = 0;
    const Wanted root = WantedOf(type, "", slots);
    const std::string bytes = file.Write();
    const Container container(AsBytes(bytes));
    const std::shared_ptr<const DecodePlan> plan =
        CompilePlan(container.schema_json(), root.children);
    ASSERT_EQ(plan->slot_count(), slots);
    RecordCursor cursor(*plan);
    Decompressor decompressor;
    ByteBuffer buffer;
    size_t next_value = 0;
    for (const CompressedBlock& block : container.blocks()) {
      cursor.Reset(container.ReadBlock(block, decompressor, buffer));
      while (cursor.Next()) {
        int next_slot = 0;
        comparison.Compare(type, values.at(next_value++), *plan, cursor, next_slot);
      }
    }
    EXPECT_EQ(next_value, values.size());
  }
  // The schemas are not so small, or so unwanted, that nothing was compared.
  EXPECT_GT(comparison.count, 10000);
}

}  // namespace
}  // namespace nunatak::avro
