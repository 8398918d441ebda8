#include "nunatak/avro/array_cursor.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;

/// One record whose only field is a list or a map, in slot 0, and a cursor over its items.
class OneList {
 public:
  OneList(const std::string& type, const std::string& bytes, Wanted wanted)
      : bytes_(bytes),
        plan_(Compile(type, std::move(wanted))),
        records_(*plan_),
        items_(plan_->items(0)) {
    records_.Reset(BlockOf(bytes_));
    EXPECT_TRUE(records_.Next());
    EXPECT_FALSE(records_.Next());
    items_.Reset(records_.slot(0));
  }
  ArrayCursor* operator->() { return &items_; }
  const Slot& list() const { return records_.slot(0); }

 private:
  static std::shared_ptr<const DecodePlan> Compile(const std::string& type, Wanted wanted) {
    wanted.names = {"f"};
    wanted.slot = 0;
    return CompilePlan(
        R"({"type":"record","name":"r","fields":[{"name":"f","type":)" + type + "}]}", {wanted});
  }

  std::string bytes_;
  std::shared_ptr<const DecodePlan> plan_;
  RecordCursor records_;
  ArrayCursor items_;
};

const Wanted kLongs{.kind = WantedKind::kList,
                    .children = {{.kind = WantedKind::kInteger, .slot = 0}}};
const Wanted kBounds{.kind = WantedKind::kMap,
                     .children = {{.field_id = 126, .kind = WantedKind::kInteger, .slot = 0},
                                  {.field_id = 127, .kind = WantedKind::kBytes, .slot = 1}}};

std::vector<int64_t> Integers(OneList& list) {
  std::vector<int64_t> values;
  while (list->Next()) values.push_back(list->slot(0).integer());
  EXPECT_FALSE(list->Next());
  return values;
}

std::string WalkError(const std::string& type, const std::string& bytes, const Wanted& wanted,
                      ErrorCode code = ErrorCode::kInvalid) {
  OneList list(type, bytes, wanted);
  return MessageOf(
      [&] {
        while (list->Next()) {
        }
      },
      code);
}

const std::string kLongArray = R"({"type":"array","items":"long"})";

// The specification's example: [3, 27] is 04 06 36 00.
TEST(AvroArrayCursor, WalksLists) {
  OneList list(kLongArray, std::string("\x04\x06\x36\x00", 4), kLongs);
  EXPECT_EQ(Integers(list), (std::vector<int64_t>{3, 27}));
}

TEST(AvroArrayCursor, TellsEmptyFromNull) {
  const std::string type = R"(["null",{"type":"array","items":"long"}])";
  OneList empty(type, AvroBytes().NotNull().Items({}).bytes(), kLongs);
  EXPECT_FALSE(empty.list().is_null());
  EXPECT_FALSE(empty->Next());
  OneList null(type, AvroBytes().Null().bytes(), kLongs);
  EXPECT_TRUE(null.list().is_null());
  EXPECT_FALSE(null->Next());
}

TEST(AvroArrayCursor, HasNoItemsForAnAbsentField) {
  ArrayCursor items(nullptr);
  EXPECT_FALSE(items.Next());
  items.Reset(Slot());
  EXPECT_FALSE(items.Next());
}

TEST(AvroArrayCursor, WalksBlocksOfBothForms) {
  const std::string one = AvroBytes().Long(1).bytes();
  const std::string two = AvroBytes().Long(2).bytes();
  OneList list(
      kLongArray,
      AvroBytes().SizedBlock({one, two}).Long(1).Raw(two).SizedBlock({one}).Long(0).bytes(),
      kLongs);
  EXPECT_EQ(Integers(list), (std::vector<int64_t>{1, 2, 2, 1}));
}

TEST(AvroArrayCursor, WalksNullableElements) {
  OneList list(R"({"type":"array","items":["null","long"]})",
               AvroBytes()
                   .Items({AvroBytes().NotNull().Long(7).bytes(), AvroBytes().Null().bytes()})
                   .bytes(),
               kLongs);
  ASSERT_TRUE(list->Next());
  EXPECT_EQ(list->slot(0).integer(), 7);
  ASSERT_TRUE(list->Next());
  EXPECT_TRUE(list->slot(0).is_null());
  EXPECT_FALSE(list->Next());
}

std::string PairArray(const std::string& fields) {
  return R"({"type":"array","logicalType":"map","items":{"type":"record","name":"p","fields":[)" +
         fields + "]}}";
}

TEST(AvroArrayCursor, WalksMapsAsArrays) {
  const std::string bytes = AvroBytes().TextMap({{1, "a"}, {-5, ""}}).bytes();
  const std::string types[] = {
      PairArray(R"({"name":"key","type":"int","field-id":126},
                   {"name":"value","type":"bytes","field-id":127})"),
      PairArray(R"({"name":"key","type":"int"},{"name":"value","type":"string"})"),
      PairArray(R"({"name":"k","type":"long"},{"name":"v","type":"bytes"})"),
  };
  for (const std::string& type : types) {
    OneList map(type, bytes, kBounds);
    ASSERT_TRUE(map->Next());
    EXPECT_EQ(map->slot(0).integer(), 1);
    EXPECT_EQ(map->slot(1).text(), "a");
    ASSERT_TRUE(map->Next());
    EXPECT_EQ(map->slot(0).integer(), -5);
    EXPECT_EQ(map->slot(1).text(), "");
    EXPECT_FALSE(map->Next());
  }
}

TEST(AvroArrayCursor, FindsEveryPairOfAKey) {
  const std::string long_text(300, 'x');
  const std::string bytes =
      AvroBytes().TextMap({{1, "a"}, {-500, long_text}, {7, ""}, {1, "b"}}).bytes();
  // Pairs that are passed over undecoded, and items that are not.
  for (const char* value : {R"("bytes")", R"(["bytes","null"])"}) {
    const bool is_union = value[0] == '[';
    const std::string type = PairArray(
        std::string(R"({"name":"key","type":"int"},{"name":"value","type":)") + value + "}");
    const std::string union_bytes =
        AvroBytes()
            .Items({AvroBytes().Int(1).Long(0).Text("a").bytes(),
                    AvroBytes().Int(-500).Long(0).Text(long_text).bytes(),
                    AvroBytes().Int(7).Long(0).Text("").bytes(),
                    AvroBytes().Int(1).Long(0).Text("b").bytes()})
            .bytes();
    const auto values_of = [&](int32_t key) {
      OneList map(type, is_union ? union_bytes : bytes, kBounds);
      std::vector<std::string> values;
      while (map->NextWithKey(key)) {
        EXPECT_EQ(map->slot(0).integer(), key);
        values.emplace_back(map->slot(1).text());
      }
      EXPECT_FALSE(map->Next());
      return values;
    };
    EXPECT_EQ(values_of(1), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(values_of(-500), std::vector<std::string>{long_text});
    EXPECT_EQ(values_of(7), std::vector<std::string>{""});
    EXPECT_EQ(values_of(2), std::vector<std::string>{});
  }
}

// Keys and values of every length, in one block and in several, the key here and there and more
// than once: what is passed over must not change what is found.
TEST(AvroArrayCursor, FindsInRandomMapsWhatWalkingFinds) {
  std::mt19937_64 random(20261130);
  const Wanted longs{.kind = WantedKind::kMap,
                     .children = {{.field_id = 126, .kind = WantedKind::kInteger, .slot = 0},
                                  {.field_id = 127, .kind = WantedKind::kInteger, .slot = 1}}};
  const int32_t keys[] = {0, 1, -1, 3, 63, 64, -64, -65, 8191, 2147483647, -2147483647 - 1};
  size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const bool texts = round % 2 == 0;
    std::vector<std::pair<int32_t, std::string>> pairs(random() % 24);
    std::vector<std::string> items;
    for (auto& [key, value] : pairs) {
      key = keys[random() % (random() % 2 == 0 ? 4 : std::size(keys))];
      const auto number = static_cast<int64_t>(random() >> (random() % 64));
      value = texts ? std::string(random() % (random() % 4 == 0 ? 90 : 9), 'v')
                    : std::to_string(random() % 2 == 0 ? number : -number);
      AvroBytes item;
      item.Int(key);
      items.push_back(texts ? item.Text(value).bytes() : item.Long(std::stoll(value)).bytes());
    }
    AvroBytes bytes;
    const size_t first = items.empty() ? 0 : random() % items.size();
    if (first > 0) bytes.SizedBlock({items.begin(), items.begin() + static_cast<ptrdiff_t>(first)});
    bytes.Items({items.begin() + static_cast<ptrdiff_t>(first), items.end()});
    const std::string type = PairArray(std::string(R"({"name":"key","type":"int","field-id":126},
                                 {"name":"value","field-id":127,"type":)") +
                                       (texts ? R"("bytes"})" : R"("long"})"));
    for (const int32_t key : keys) {
      std::vector<std::string> expected;
      for (const auto& [other, value] : pairs) {
        if (other == key) expected.push_back(value);
      }
      OneList map(type, bytes.bytes(), texts ? kBounds : longs);
      std::vector<std::string> got;
      while (map->NextWithKey(key)) {
        got.emplace_back(texts ? std::string(map->slot(1).text())
                               : std::to_string(map->slot(1).integer()));
      }
      ASSERT_EQ(got, expected) << "round " << round << ", key " << key;
      found += got.size();
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(AvroArrayCursor, FollowsIdsWhenTheValueComesFirst) {
  OneList map(PairArray(R"({"name":"value","type":"bytes","field-id":127},
                           {"name":"key","type":"int","field-id":126})"),
              AvroBytes().Items({AvroBytes().Text("a").Int(1).bytes()}).bytes(), kBounds);
  ASSERT_TRUE(map->Next());
  EXPECT_EQ(map->slot(0).integer(), 1);
  EXPECT_EQ(map->slot(1).text(), "a");
}

TEST(AvroArrayCursor, WalksAvroMaps) {
  const Wanted wanted{.kind = WantedKind::kMap,
                      .children = {{.names = {"key"}, .kind = WantedKind::kBytes, .slot = 0},
                                   {.names = {"value"}, .slot = 1}}};
  OneList map(R"({"type":"map","values":["null","double"]})",
              AvroBytes()
                  .SizedBlock({AvroBytes().Text("x").NotNull().Double(1.5).bytes()})
                  .Items({AvroBytes().Text("y").Null().bytes()})
                  .bytes(),
              wanted);
  ASSERT_TRUE(map->Next());
  EXPECT_EQ(map->slot(0).text(), "x");
  EXPECT_EQ(map->slot(1).real(), 1.5);
  ASSERT_TRUE(map->Next());
  EXPECT_EQ(map->slot(0).text(), "y");
  EXPECT_TRUE(map->slot(1).is_null());
  EXPECT_FALSE(map->Next());
}

TEST(AvroArrayCursor, RefusesKeysThatDoNotFit) {
  EXPECT_CONTAINS(MessageOf([] {
                    OneList(R"({"type":"map","values":"bytes"})", std::string(1, '\0'), kBounds);
                  }),
                  "field '' (id 126) should be an integer, but its type is 'string'");
}

// The partition summaries of a manifest list.
TEST(AvroArrayCursor, WalksListsOfRecords) {
  const Wanted wanted{
      .kind = WantedKind::kList,
      .children = {{.kind = WantedKind::kRecord,
                    .children = {{.field_id = 509, .kind = WantedKind::kBoolean, .slot = 0},
                                 {.field_id = 510, .kind = WantedKind::kBytes, .slot = 1},
                                 {.field_id = 518, .kind = WantedKind::kBoolean, .slot = 2}}}}};
  const std::string type = R"({"type":"array","element-id":508,"items":{
      "type":"record","name":"r508","fields":[
        {"name":"contains_null","type":"boolean","field-id":509},
        {"name":"lower_bound","type":["null","bytes"],"field-id":510},
        {"name":"upper_bound","type":["null","bytes"],"field-id":511}]}})";
  OneList list(
      type,
      AvroBytes()
          .Items({AvroBytes().Boolean(true).NotNull().Text("a").NotNull().Text("z").bytes(),
                  AvroBytes().Boolean(false).Null().Null().bytes()})
          .bytes(),
      wanted);
  ASSERT_TRUE(list->Next());
  EXPECT_TRUE(list->slot(0).boolean());
  EXPECT_EQ(list->slot(1).text(), "a");
  EXPECT_TRUE(list->slot(2).is_null());
  ASSERT_TRUE(list->Next());
  EXPECT_FALSE(list->slot(0).boolean());
  EXPECT_TRUE(list->slot(1).is_null());
  EXPECT_FALSE(list->Next());
}

TEST(AvroArrayCursor, WalksListsOfLists) {
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(
      R"({"type":"record","name":"r","fields":[{"name":"f","type":{"type":"array","items":
         {"type":"array","items":"long"}}}]})",
      {{.names = {"f"},
        .kind = WantedKind::kList,
        .slot = 0,
        .children = {{.kind = WantedKind::kList, .slot = 0, .children = {{.slot = 0}}}}}});
  const std::string bytes =
      AvroBytes()
          .Items({AvroBytes()
                      .Items({AvroBytes().Long(1).bytes(), AvroBytes().Long(2).bytes()})
                      .bytes(),
                  AvroBytes().Items({}).bytes(),
                  AvroBytes().SizedBlock({AvroBytes().Long(3).bytes()}).Long(0).bytes()})
          .bytes();
  RecordCursor records(*plan, BlockOf(bytes));
  ASSERT_TRUE(records.Next());
  ArrayCursor outer(plan->items(0));
  ArrayCursor inner(plan->items(0)->items(0));
  std::vector<std::vector<int64_t>> lists;
  outer.Reset(records.slot(0));
  while (outer.Next()) {
    lists.emplace_back();
    inner.Reset(outer.slot(0));
    while (inner.Next()) lists.back().push_back(inner.slot(0).integer());
  }
  EXPECT_EQ(lists, (std::vector<std::vector<int64_t>>{{1, 2}, {}, {3}}));
}

TEST(AvroArrayCursor, CanBeResetInTheMiddle) {
  OneList list(
      kLongArray,
      AvroBytes().Items({AvroBytes().Long(1).bytes(), AvroBytes().Long(2).bytes()}).bytes(),
      kLongs);
  ASSERT_TRUE(list->Next());
  list->Reset(list.list());
  EXPECT_EQ(Integers(list), (std::vector<int64_t>{1, 2}));
}

TEST(AvroArrayCursor, ChecksTheSizesOfBlocks) {
  // Passing over the list goes by its size; walking it must come to the same end.
  const std::string longer = AvroBytes().Long(-1).Long(2).Long(1).Long(2).Long(0).bytes();
  EXPECT_CONTAINS(WalkError(kLongArray, longer, kLongs),
                  "byte 3: a block of items should end at byte 4");
  const std::string shorter = AvroBytes().Long(-2).Long(1).Long(1).Long(0).bytes();
  EXPECT_CONTAINS(WalkError(kLongArray, shorter, kLongs), "byte 3: a number that ends beyond");
}

TEST(AvroArrayCursor, RefusesUndecodableItems) {
  const std::string type = R"({"type":"array","items":"int"})";
  const std::string bytes = AvroBytes().Long(2).Int(5).Long(1LL << 32).Long(0).bytes();
  EXPECT_CONTAINS(WalkError(type, bytes, kLongs), "byte 2: the value 4294967296");
  const std::string pairs = PairArray(
      R"({"name":"key","type":"int","field-id":126},{"name":"value","type":"bytes","field-id":127})");
  const std::string pair = AvroBytes().Long(1).Long(1LL << 40).Text("").Long(0).bytes();
  EXPECT_CONTAINS(WalkError(pairs, pair, kBounds), "byte 1 (field 'key'): the value 1099511627776");
}

TEST(AvroArrayCursor, BoundsItemsThatTakeNoBytes) {
  const std::string type = R"({"type":"array","items":"null"})";
  OneList few(type, AvroBytes().Long(1000).Long(24).Long(0).bytes(), kLongs);
  int count = 0;
  while (few->Next()) ++count;
  EXPECT_EQ(count, 1024);
  for (const int64_t claimed : {INT64_C(25), INT64_C(1) << 60, INT64_MAX}) {
    EXPECT_CONTAINS(WalkError(type, AvroBytes().Long(1000).Long(claimed).Long(0).bytes(), kLongs,
                              ErrorCode::kUnsupported),
                    "more than 1024 items that take no bytes");
  }
}

}  // namespace
}  // namespace nunatak::avro
