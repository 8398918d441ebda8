#include "nunatak/avro/record_cursor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "avro/test_support.h"

namespace nunatak::avro {
namespace {

using nunatak::testing::AvroBytes;

std::string RecordOf(const std::string& fields) {
  return R"({"type":"record","name":"r","fields":[)" + fields + "]}";
}

std::string OneField(const std::string& type) {
  return RecordOf(R"({"name":"f","type":)" + type + "}");
}

/// One record of one field, decoded into slot 0.
class OneValue {
 public:
  OneValue(const std::string& type, const std::string& bytes, WantedKind kind = WantedKind::kAny)
      : bytes_(bytes),
        plan_(CompilePlan(OneField(type), {{.names = {"f"}, .kind = kind, .slot = 0}})),
        cursor_(*plan_, BlockOf(bytes_)) {
    cursor_.Next();
    EXPECT_FALSE(cursor_.Next());
  }
  const Slot* operator->() const { return &cursor_.slot(0); }

 private:
  std::string bytes_;
  std::shared_ptr<const DecodePlan> plan_;
  RecordCursor cursor_;
};

std::string DecodeError(const std::string& type, const std::string& bytes,
                        WantedKind kind = WantedKind::kAny) {
  return MessageOf([&] { OneValue value(type, bytes, kind); });
}

/// Decodes one record of one field that is not wanted.
std::string SkipError(const std::string& type, const std::string& bytes) {
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(OneField(type), {});
  RecordCursor cursor(*plan, BlockOf(bytes));
  return MessageOf([&] {
    while (cursor.Next()) {
    }
  });
}

/// Decodes `count` records of one field that is not wanted, which must use up all bytes.
void Skip(const std::string& type, const std::string& bytes, int64_t count = 1) {
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(OneField(type), {});
  RecordCursor cursor(*plan, BlockOf(bytes, count));
  for (; count > 0; --count) EXPECT_TRUE(cursor.Next()) << type;
  EXPECT_FALSE(cursor.Next()) << type;
}

// The table of the Avro specification, "Binary Encoding", and the ends of the range.
TEST(AvroRecordCursor, DecodesLongs) {
  const std::pair<std::string_view, int64_t> cases[] = {
      {"\x01", -1},
      {"\x02", 1},
      {"\x03", -2},
      {"\x04", 2},
      {"\x7f", -64},
      {"\x80\x01", 64},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", std::numeric_limits<int64_t>::min()},
      {"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", std::numeric_limits<int64_t>::max()},
      {"\x82\x80\x80\x80\x80\x80\x80\x80\x80", 1},
  };
  for (const auto& [bytes, value] : cases) {
    // The last one has more bytes than it needs, which is legal; a zero byte ends it.
    const std::string padded = std::string(bytes) + (bytes.size() == 9 ? std::string(1, '\0') : "");
    EXPECT_EQ(OneValue(R"("long")", padded)->integer(), value);
  }
  EXPECT_EQ(OneValue(R"("long")", std::string(1, '\0'))->integer(), 0);
}

TEST(AvroRecordCursor, RefusesNumbersThatDoNotFit) {
  const std::string eleven(11, '\x80');
  const std::string too_big = std::string(9, '\xff') + "\x02";
  for (const std::string& bytes : {eleven, too_big}) {
    EXPECT_EQ(
        DecodeError(R"("long")", bytes),
        "avro block at byte 100, record 0: byte 0 (field 'f'): a number of more than 64 bits");
    EXPECT_CONTAINS(SkipError(R"("long")", bytes), "a number of more than 64 bits");
  }
  EXPECT_CONTAINS(DecodeError(R"("long")", "\x80"), "a number that ends beyond the data");

  for (const int64_t value : {INT64_C(2147483647), INT64_C(-2147483648)}) {
    EXPECT_EQ(OneValue(R"("int")", AvroBytes().Long(value).bytes())->integer(), value);
  }
  for (const int64_t value : {INT64_C(2147483648), INT64_C(-2147483649), INT64_MIN}) {
    EXPECT_CONTAINS(DecodeError(R"("int")", AvroBytes().Long(value).bytes()),
                    "which is not a 32-bit integer");
  }
}

TEST(AvroRecordCursor, DecodesPrimitives) {
  using namespace std::string_literals;
  EXPECT_EQ(OneValue(R"("boolean")", "\x01"s)->kind(), SlotKind::kBoolean);
  EXPECT_TRUE(OneValue(R"("boolean")", "\x01"s)->boolean());
  EXPECT_FALSE(OneValue(R"("boolean")", "\0"s)->boolean());
  // IEEE 754, little-endian: 1.5, −∞, the smallest subnormal.
  EXPECT_EQ(OneValue(R"("float")", "\0\0\xc0\x3f"s)->real(), 1.5);
  EXPECT_EQ(OneValue(R"("double")", "\0\0\0\0\0\0\xf0\xff"s)->real(),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(OneValue(R"("double")", "\1\0\0\0\0\0\0\0"s)->real(),
            std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::isnan(OneValue(R"("float")", "\0\0\xc0\x7f"s)->real()));
  // The specification's example of a string.
  EXPECT_EQ(OneValue(R"("string")", "\x06\x66\x6f\x6f"s)->text(), "foo");
  EXPECT_EQ(OneValue(R"("string")", "\0"s)->text(), "");
  EXPECT_EQ(OneValue(R"("bytes")", "\x04\0\xff"s)->text(), "\0\xff"s);
  EXPECT_EQ(OneValue(R"({"type":"fixed","name":"x","size":3})", "abc"s)->text(), "abc");
  EXPECT_EQ(OneValue(R"({"type":"enum","name":"x","symbols":["A","B"]})", "\x02"s)->text(), "B");
  EXPECT_TRUE(OneValue(R"("null")", "")->is_null());
}

TEST(AvroRecordCursor, PromotesToReal) {
  EXPECT_EQ(OneValue(R"("int")", AvroBytes().Int(-7).bytes(), WantedKind::kReal)->real(), -7.0);
  EXPECT_EQ(OneValue(R"("long")", AvroBytes().Long(1LL << 40).bytes(), WantedKind::kReal)->real(),
            1099511627776.0);
  EXPECT_EQ(OneValue(R"("float")", AvroBytes().Float(0.1f).bytes(), WantedKind::kReal)->real(),
            static_cast<double>(0.1f));
}

TEST(AvroRecordCursor, RefusesUndecodableValues) {
  const std::string e = R"({"type":"enum","name":"x","symbols":["A","B"]})";
  EXPECT_CONTAINS(DecodeError(R"("boolean")", "\x02"), "the byte 2, which is not a boolean");
  EXPECT_CONTAINS(DecodeError(e, AvroBytes().Long(2).bytes()), "symbol 2 of an enum of 2");
  EXPECT_CONTAINS(DecodeError(e, AvroBytes().Long(-1).bytes()), "symbol -1 of an enum of 2");
  for (const std::string_view type : {R"("string")", R"("bytes")"}) {
    const std::string t(type);
    EXPECT_CONTAINS(DecodeError(t, AvroBytes().Long(-3).bytes()),
                    "byte 1 (field 'f'): the negative");
    EXPECT_CONTAINS(DecodeError(t, AvroBytes().Long(9).Raw("abc").bytes()),
                    "9 bytes, but only 3 are left");
    EXPECT_CONTAINS(DecodeError(t, AvroBytes().Long(INT64_MAX).bytes()), "are left");
    EXPECT_CONTAINS(SkipError(t, AvroBytes().Long(INT64_MAX).bytes()), "are left");
    EXPECT_CONTAINS(SkipError(t, AvroBytes().Long(INT64_MIN).bytes()), "the negative size");
  }
}

TEST(AvroRecordCursor, DecodesUnionsOfAnyOrder) {
  for (const std::string_view type : {R"(["null","long"])", R"(["long","null"])"}) {
    const int null = type.starts_with("[\"null") ? 0 : 1;
    const std::string t(type);
    EXPECT_TRUE(OneValue(t, AvroBytes().Branch(null).bytes())->is_null()) << type;
    EXPECT_EQ(OneValue(t, AvroBytes().Branch(1 - null).Long(42).bytes())->integer(), 42) << type;
    for (const int64_t branch : {INT64_C(-1), INT64_C(2), INT64_MAX, INT64_MIN}) {
      const std::string bytes = AvroBytes().Branch(branch).Long(42).bytes();
      EXPECT_CONTAINS(DecodeError(t, bytes), "byte 0 (field 'f'): branch ");
      EXPECT_CONTAINS(SkipError(t, bytes), "of a union of 2");
    }
  }
  EXPECT_EQ(OneValue(R"(["long"])", AvroBytes().Branch(0).Long(5).bytes())->integer(), 5);
  EXPECT_TRUE(OneValue(R"(["null"])", AvroBytes().Branch(0).bytes())->is_null());
  // The specification's example: null is 00, "a" is 02 02 61.
  EXPECT_EQ(OneValue(R"(["null","string"])", "\x02\x02\x61")->text(), "a");
}

TEST(AvroRecordCursor, ChoosesTheWritersBranch) {
  const std::string type = R"(["string","null","int","double","long"])";
  const auto read = [&](AvroBytes bytes) {
    return OneValue(type, bytes.bytes(), WantedKind::kInteger)->integer();
  };
  EXPECT_EQ(read(AvroBytes().Branch(2).Int(7)), 7);
  EXPECT_EQ(read(AvroBytes().Branch(4).Long(1LL << 40)), 1LL << 40);
  EXPECT_TRUE(OneValue(type, AvroBytes().Branch(1).bytes(), WantedKind::kInteger)->is_null());
  EXPECT_CONTAINS(
      DecodeError(type, AvroBytes().Branch(0).Text("x").bytes(), WantedKind::kInteger),
      "record 0: byte 1 (field 'f'): a value of type 'string', which does not fit here");
  Skip(type, AvroBytes().Branch(0).Text("x").Branch(1).Branch(3).Double(1).bytes(), 3);
}

TEST(AvroRecordCursor, ReachesIntoNestedRecords) {
  const std::string schema = RecordOf(R"(
      {"name":"status","type":"int"},
      {"name":"file","type":["null",{"type":"record","name":"file","fields":[
        {"name":"path","type":"string"},
        {"name":"size","type":"long"},
        {"name":"inner","type":{"type":"record","name":"inner","fields":[
          {"name":"a","type":"string"},{"name":"b","type":["null","int"]}]}}]}]},
      {"name":"last","type":"long"})");
  const std::shared_ptr<const DecodePlan> plan =
      CompilePlan(schema, {{.names = {"last"}, .slot = 0},
                           {.names = {"file"},
                            .kind = WantedKind::kRecord,
                            .children = {{.names = {"path"}, .slot = 3},
                                         {.names = {"inner"},
                                          .kind = WantedKind::kRecord,
                                          .children = {{.names = {"b"}, .slot = 1}}}}}});
  const std::string bytes =
      AvroBytes().Int(1).NotNull().Text("p").Long(9).Text("xyz").NotNull().Int(5).Long(77).bytes() +
      AvroBytes().Int(1).Null().Long(78).bytes();
  RecordCursor cursor(*plan, BlockOf(bytes, 2));
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(cursor.slot(0).integer(), 77);
  EXPECT_EQ(cursor.slot(1).integer(), 5);
  EXPECT_TRUE(cursor.slot(2).is_null());
  EXPECT_EQ(cursor.slot(3).text(), "p");
  // Under a null record all is null, whatever the record before held.
  ASSERT_TRUE(cursor.Next());
  EXPECT_EQ(cursor.slot(0).integer(), 78);
  EXPECT_TRUE(cursor.slot(1).is_null());
  EXPECT_TRUE(cursor.slot(3).is_null());
  EXPECT_FALSE(cursor.Next());
}

TEST(AvroRecordCursor, SkipsEveryType) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("boolean")", AvroBytes().Boolean(true).bytes()},
      {R"("int")", AvroBytes().Int(-70000).bytes()},
      {R"("long")", AvroBytes().Long(INT64_MIN).bytes()},
      {R"("float")", AvroBytes().Float(1).bytes()},
      {R"("double")", AvroBytes().Double(1).bytes()},
      {R"("string")", AvroBytes().Text("abc").bytes()},
      {R"({"type":"fixed","name":"x","size":5})", "abcde"},
      {R"({"type":"enum","name":"x","symbols":["A","B"]})", AvroBytes().Long(1).bytes()},
      {R"({"type":"map","values":"double"})",
       AvroBytes().Items({AvroBytes().Text("k").Double(2).bytes()}).bytes()},
      {R"({"type":"array","items":{"type":"map","values":"string"}})",
       AvroBytes()
           .Items({AvroBytes().Items({AvroBytes().Text("k").Text("v").bytes()}).bytes(),
                   AvroBytes().Items({}).bytes()})
           .bytes()},
      {R"({"type":"array","items":["null","string"]})",
       AvroBytes()
           .Items({AvroBytes().Null().bytes(), AvroBytes().NotNull().Text("s").bytes()})
           .bytes()},
      {R"(["null",{"type":"record","name":"x","fields":[
          {"name":"a","type":"string"},{"name":"b","type":["null","long"]}]}])",
       AvroBytes().NotNull().Text("s").NotNull().Long(5).bytes()},
      {R"(["null",{"type":"record","name":"x","fields":[{"name":"b","type":["null","long"]}]}])",
       AvroBytes().NotNull().NotNull().Long(5).bytes()},
      {R"(["null",{"type":"record","name":"x","fields":[]}])", AvroBytes().NotNull().bytes()},
  };
  for (const auto& [type, bytes] : cases) Skip(type, bytes + bytes, 2);
}

// The specification's example of a recursive type.
TEST(AvroRecordCursor, SkipsRecursiveTypes) {
  const std::string list = R"({"type":"record","name":"LongList","fields":[
      {"name":"value","type":"long"},{"name":"next","type":["null","LongList"]}]})";
  const auto encode = [](int length) {
    AvroBytes bytes;
    for (int i = 0; i < length; ++i) bytes.Long(i).Branch(i + 1 < length ? 1 : 0);
    return bytes.bytes();
  };
  Skip(list, encode(1) + encode(300), 2);
  EXPECT_CONTAINS(SkipError(list, encode(100000)), "values nested deeper than 500 levels");

  const std::string tree = R"({"type":"record","name":"Tree","fields":[
      {"name":"children","type":{"type":"array","items":"Tree"}}]})";
  Skip(tree,
       AvroBytes().Items({AvroBytes().Items({}).bytes(), AvroBytes().Items({}).bytes()}).bytes());
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "\x02";
  EXPECT_CONTAINS(SkipError(tree, deep + std::string(5000, '\0')), "nested deeper than 500");

  // It has no end, since each value holds two more.
  const std::string endless = R"({"type":"record","name":"E","fields":[
      {"name":"a","type":"E"},{"name":"b","type":"E"}]})";
  EXPECT_CONTAINS(SkipError(endless, "x"), "nested deeper than 500");
}

TEST(AvroRecordCursor, SkipsItemsOfNegativeCounts) {
  const std::string longs = R"({"type":"array","items":"long"})";
  const std::string two = AvroBytes().Long(1000).bytes();
  Skip(longs, AvroBytes().SizedBlock({two, two}).Items({two}).bytes());
  Skip(longs, AvroBytes().SizedBlock({two}).Long(1).Long(5).Long(0).bytes());
  EXPECT_CONTAINS(SkipError(longs, AvroBytes().Long(-1).Long(-1).bytes()), "the negative size -1");
  EXPECT_CONTAINS(SkipError(longs, AvroBytes().Long(-1).Long(50).Long(1).bytes()), "are left");
  EXPECT_CONTAINS(SkipError(longs, AvroBytes().Long(INT64_MIN).Long(0).bytes()), "out of range");
}

// A false count must neither take time nor memory.
TEST(AvroRecordCursor, BoundsItemCounts) {
  const std::string huge = AvroBytes().Long(1LL << 60).Long(0).bytes();
  for (const std::string_view item :
       {R"("long")", R"("string")", R"("boolean")", R"(["null","int"])"}) {
    const std::string array = R"({"type":"array","items":)" + std::string(item) + "}";
    EXPECT_CONTAINS(SkipError(array, huge), "1152921504606846976 items, more than the bytes left");
  }
  // Items of no size need no loop to be passed over.
  Skip(R"({"type":"array","items":"null"})", huge);
  Skip(R"({"type":"array","items":{"type":"record","name":"x","fields":[]}})", huge);
  Skip(R"({"type":"array","items":{"type":"fixed","name":"x","size":0}})", huge);
}

TEST(AvroRecordCursor, ChecksTheNumberOfRecords) {
  const std::shared_ptr<const DecodePlan> plan =
      CompilePlan(OneField(R"("long")"), {{.names = {"f"}, .slot = 0}});
  const std::string bytes = AvroBytes().Long(1).Long(2).bytes();
  const auto read = [&](int64_t count) {
    RecordCursor cursor(*plan, BlockOf(bytes, count));
    while (cursor.Next()) {
    }
  };
  EXPECT_NO_THROW(read(2));
  EXPECT_EQ(MessageOf([&] { read(1); }),
            "avro block at byte 100: its 1 records end at byte 1, but it has 2");
  EXPECT_CONTAINS(MessageOf([&] { read(0); }), "its 0 records end at byte 0, but it has 2");
  EXPECT_EQ(MessageOf([&] { read(3); }),
            "avro block at byte 100: 3 records do not fit its 2 bytes");
  EXPECT_CONTAINS(MessageOf([&] { read(INT64_MAX); }), "do not fit");
  EXPECT_CONTAINS(MessageOf([&] { read(-1); }), "do not fit");

  const std::shared_ptr<const DecodePlan> nothing = CompilePlan(RecordOf(""), {});
  RecordCursor cursor(*nothing, BlockOf("", 2));
  EXPECT_TRUE(cursor.Next());
  EXPECT_TRUE(cursor.Next());
  EXPECT_FALSE(cursor.Next());
  EXPECT_CONTAINS(MessageOf([&] { RecordCursor(*nothing, BlockOf("", INT64_MAX)); }), "do not fit");
}

TEST(AvroRecordCursor, NamesTheRecordTheByteAndTheField) {
  const std::string schema = RecordOf(
      R"({"name":"a","type":"long"},{"name":"b","type":"string"},{"name":"c","type":"string"})");
  const std::shared_ptr<const DecodePlan> plan = CompilePlan(schema, {{.names = {"b"}, .slot = 0}});
  const std::string bytes = AvroBytes().Long(1).Text("x").Text("y").bytes() +
                            AvroBytes().Long(1).Text("x").Long(-9).bytes();
  RecordCursor cursor(*plan, BlockOf(bytes, 2));
  EXPECT_TRUE(cursor.Next());
  EXPECT_EQ(MessageOf([&] { cursor.Next(); }),
            "avro block at byte 100, record 1: byte 9 (field 'c'): the negative size -9");
}

TEST(AvroRecordCursor, RefusesEveryTruncation) {
  const std::string schema = RecordOf(R"(
      {"name":"a","type":"double"},{"name":"b","type":["null","string"]},
      {"name":"c","type":{"type":"array","items":"long"}},{"name":"d","type":"float"},
      {"name":"e","type":{"type":"fixed","name":"x","size":3}},{"name":"g","type":"boolean"})");
  std::vector<Wanted> all;
  for (const std::string name : {"a", "b", "d", "e", "g"}) {
    all.push_back({.names = {name}, .slot = static_cast<int>(all.size())});
  }
  const std::string bytes = AvroBytes()
                                .Double(1)
                                .NotNull()
                                .Text("text")
                                .Items({AvroBytes().Long(300).bytes()})
                                .Float(2)
                                .Raw("abc")
                                .Boolean(true)
                                .bytes();
  for (const std::vector<Wanted>& wanted : {std::vector<Wanted>(), all}) {
    const std::shared_ptr<const DecodePlan> plan = CompilePlan(schema, wanted);
    for (size_t size = 1; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);
      RecordCursor cursor(*plan, BlockOf(cut));
      EXPECT_THROW(cursor.Next(), Error) << size;
    }
    RecordCursor cursor(*plan, BlockOf(bytes));
    EXPECT_TRUE(cursor.Next());
  }
}

TEST(AvroRecordCursor, DecodesIntoTheCallersSlots) {
  const std::shared_ptr<const DecodePlan> plan =
      CompilePlan(RecordOf(R"({"name":"a","type":"long"},{"name":"b","type":"string"})"),
                  {{.names = {"a"}, .slot = 0}, {.names = {"b"}, .slot = 1}});
  std::string bytes;
  for (int i = 0; i < 5; ++i) {
    bytes += AvroBytes().Long(i * 1000).Text(std::string(static_cast<size_t>(i), 'x')).bytes();
  }
  std::vector<Slot> rows(12);  // one row more than there are: the end is met by trying
  RecordCursor cursor(*plan, BlockOf(bytes, 5));
  size_t row = 0;
  while (cursor.Next(&rows[2 * row])) ++row;
  ASSERT_EQ(row, 5u);
  EXPECT_EQ(rows[6].integer(), 3000);
  EXPECT_EQ(rows[7].text(), "xxx");
  EXPECT_EQ(rows[8].integer(), 4000);
}

}  // namespace
}  // namespace nunatak::avro
