#include "nunatak/base/json.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace nunatak {
namespace {

/// The message of the `kInvalid` error that `body` throws.
std::string Refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.message();
  }
  return "nothing was thrown";
}

bool Parses(std::string_view text) {
  try {
    JsonDocument::Parse(text);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return false;
  }
}

TEST(JsonDocument, ParsesOneValueOfAnyKind) {
  EXPECT_TRUE(JsonDocument::Parse("null").root().IsNull());
  EXPECT_TRUE(JsonDocument::Parse(" {} ").root().IsObject());
  EXPECT_TRUE(JsonDocument::Parse("[]").root().IsArray());
  EXPECT_TRUE(JsonDocument::Parse("\"\"").root().IsString());
  EXPECT_TRUE(JsonDocument::Parse("false").root().IsBool());
  EXPECT_TRUE(JsonDocument::Parse("-1").root().IsInt64());
  EXPECT_TRUE(JsonDocument::Parse("1.5").root().IsNumber());
  EXPECT_FALSE(JsonDocument::Parse("1.5").root().IsInt64());
}

TEST(JsonDocument, RefusesWhatIsNotOneJsonValue) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "{'a':1}", "1 2", "{}{}", "nul", "01",
                           "\"open", "[1] x", "NaN", "\"\x01\"", "\"\\q\"", "\"\\uD800\""}) {
    EXPECT_FALSE(Parses(text)) << text;
  }
}

TEST(JsonDocument, RefusesTextThatIsNotUtf8) {
  EXPECT_TRUE(Parses("\"\xC3\xA9\""));
  EXPECT_FALSE(Parses("\"\xC3\""));
  EXPECT_FALSE(Parses("\"\xED\xA0\x80\""));
}

TEST(JsonDocument, RefusesNumbersBeyondTheRangeOfDoubles) {
  for (std::string_view text : {"1e999", R"({"a": -1e999})", R"({"a": 1e999)"}) {
    EXPECT_TRUE(Refusal([&] { JsonDocument::Parse(text); }).starts_with("not valid JSON")) << text;
  }
}

TEST(JsonDocument, RefusesNestingBeyond256Levels) {
  const auto nested = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(Parses(nested(200)));
  EXPECT_FALSE(Parses(nested(257)));
  EXPECT_FALSE(Parses(nested(1000000)));
}

TEST(JsonDocument, MayBeMovedUnderItsViews) {
  JsonDocument document = JsonDocument::Parse(R"({"a": "text"})");
  const std::string_view text = document.root().Object().At("a").String();
  const JsonDocument moved = std::move(document);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(moved.root().Object().String("a"), "text");
}

int64_t Int64Of(std::string_view text) { return JsonDocument::Parse(text).root().Int64(); }
int32_t Int32Of(std::string_view text) { return JsonDocument::Parse(text).root().Int32(); }

TEST(Json, IntegersAreExactAndNeverWrap) {
  EXPECT_EQ(Int64Of("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Int64Of("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Int32Of("2147483647"), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(Int32Of("-2147483648"), std::numeric_limits<int32_t>::min());
  for (const char* text :
       {"9223372036854775808", "18446744073709551615", "1.0", "1e2", "\"1\"", "true", "null"}) {
    EXPECT_EQ(Refusal([&] { Int64Of(text); }),
              "expected a 64-bit integer, got " + JsonDocument::Parse(text).root().ToText());
  }
  for (const char* text : {"2147483648", "-2147483649"}) {
    EXPECT_EQ(Refusal([&] { Int32Of(text); }),
              std::string("expected a 32-bit integer, got ") + text);
  }
}

TEST(Json, IntegersBeyond64BitsAreNotIntegers) {
  EXPECT_EQ(Refusal([] { Int64Of("18446744073709551616"); }),
            "expected a 64-bit integer, got 1.8446744073709552e+19");
  EXPECT_EQ(Refusal([] { Int64Of("-9223372036854775809"); }),
            "expected a 64-bit integer, got -9.223372036854776e+18");
}

TEST(Json, AnUnknownFieldMayHoldAnIntegerBeyond64Bits) {
  const JsonDocument document = JsonDocument::Parse(
      R"({"text": "\"12345678901234567890123\\", "new": [-98765432109876543210, 10000000000000000000000],)"
      R"( "id": 9223372036854775807, "real": 1234567890123456789012.5})");
  const JsonObject object = document.root().Object();
  EXPECT_EQ(object.String("text"), "\"12345678901234567890123\\");
  EXPECT_EQ(object.Int64("id"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(object.At("real").Double(), 1234567890123456789012.5);
  std::vector<double> numbers;
  object.ForEachIn("new", [&](Json number) { numbers.push_back(number.Double()); });
  EXPECT_EQ(numbers, (std::vector<double>{-98765432109876543210.0, 1e22}));
}

TEST(Json, IntegersBeyond64BitsAreRefusedOnDemand) {
  EXPECT_NE(Refusal([] { JsonDocument::Parse("[18446744073709551616]", LongIntegers::kRefused); }),
            "nothing was thrown");
}

TEST(Json, ALongIntegerInDamagedTextIsAnError) {
  for (const char* text :
       {"[18446744073709551616", "[18446744073709551616, \"", "[18446744073709551616 \\",
        "018446744073709551616", "[18446744073709551616,]", "--18446744073709551616"}) {
    EXPECT_FALSE(Parses(text)) << text;
  }
  EXPECT_FALSE(Parses(std::string(400, '9')));
}

TEST(Json, DoublesTakeEveryNumber) {
  const auto double_of = [](std::string_view t) { return JsonDocument::Parse(t).root().Double(); };
  EXPECT_EQ(double_of("1.5"), 1.5);
  EXPECT_EQ(double_of("-3"), -3.0);
  EXPECT_EQ(double_of("18446744073709551615"), 18446744073709551615.0);
  EXPECT_NE(Refusal([&] { double_of("\"NaN\""); }), "nothing was thrown");
}

TEST(Json, StringsAreUnescapedAndMayHoldZeroBytes) {
  const JsonDocument document = JsonDocument::Parse(R"("a\u0000\n\u00e9\ud83c\udfd4")");
  EXPECT_EQ(document.root().String(), std::string_view("a\0\n\xC3\xA9\xF0\x9F\x8F\x94", 9));
}

TEST(Json, AnotherKindIsNamedInTheError) {
  const JsonDocument document = JsonDocument::Parse(R"({"a": [1, "x"]})");
  const Json root = document.root();
  EXPECT_EQ(Refusal([&] { root.Array(); }), R"(expected an array, got {"a":[1,"x"]})");
  EXPECT_EQ(Refusal([&] { root.String(); }), R"(expected a string, got {"a":[1,"x"]})");
  EXPECT_EQ(Refusal([&] { root.Bool(); }), R"(expected true or false, got {"a":[1,"x"]})");
  EXPECT_EQ(Refusal([&] { root.Double(); }), R"(expected a number, got {"a":[1,"x"]})");
  EXPECT_EQ(Refusal([&] { root.Object().At("a").Object(); }), R"(expected an object, got [1,"x"])");
}

TEST(Json, AnErrorQuotesALongValueInPart) {
  const JsonDocument document = JsonDocument::Parse('"' + std::string(35, 'x') + "ééééé\"");
  EXPECT_EQ(Refusal([&] { document.root().Int64(); }),
            "expected a 64-bit integer, got \"" + std::string(35, 'x') + "...");
}

TEST(Json, WritesCompactText) {
  EXPECT_EQ(JsonDocument::Parse("{ \"b\" : [ 1 , 2.5, null ] , \"a\": \"\\n\" }").root().ToText(),
            R"({"b":[1,2.5,null],"a":"\n"})");
}

class JsonObjectTest : public testing::Test {
 protected:
  const JsonDocument document_ = JsonDocument::Parse(
      R"({"id": 5, "big": 3000000000, "on": true, "name": "x", "none": null, "list": [1, "two"]})");
  const JsonObject object_ = document_.root().Object();
};

TEST_F(JsonObjectTest, TypedGettersReadRequiredFields) {
  EXPECT_EQ(object_.Int64("big"), 3000000000);
  EXPECT_EQ(object_.Int32("id"), 5);
  EXPECT_EQ(object_.Bool("on"), true);
  EXPECT_EQ(object_.String("name"), "x");
  EXPECT_EQ(object_.size(), 6u);
}

TEST_F(JsonObjectTest, AnAbsentFieldAndANullAreAlike) {
  for (const char* key : {"none", "absent"}) {
    EXPECT_FALSE(object_.Find(key));
    EXPECT_EQ(object_.FindInt64(key), std::nullopt);
    EXPECT_EQ(object_.FindInt32(key), std::nullopt);
    EXPECT_EQ(object_.FindBool(key), std::nullopt);
    EXPECT_EQ(object_.FindString(key), std::nullopt);
    EXPECT_EQ(Refusal([&] { object_.Int64(key); }),
              "required field '" + std::string(key) + "' is missing");
  }
  EXPECT_EQ(object_.FindInt32("id"), 5);
  EXPECT_EQ(object_.FindString("name"), "x");
}

TEST_F(JsonObjectTest, AFieldOfAnotherKindIsNamedInTheError) {
  EXPECT_EQ(Refusal([&] { object_.Int32("big"); }),
            "big: expected a 32-bit integer, got 3000000000");
  EXPECT_EQ(Refusal([&] { object_.FindInt64("name"); }),
            "name: expected a 64-bit integer, got \"x\"");
}

TEST_F(JsonObjectTest, ForEachVisitsFieldsInTheOrderOfTheText) {
  std::vector<std::string> names;
  object_.ForEach([&](std::string_view name, Json) { names.emplace_back(name); });
  EXPECT_EQ(names, (std::vector<std::string>{"id", "big", "on", "name", "none", "list"}));
}

TEST_F(JsonObjectTest, ForEachInSaysWhichElementFailed) {
  std::vector<int64_t> seen;
  const auto read = [&] { object_.ForEachIn("list", [&](Json e) { seen.push_back(e.Int64()); }); };
  EXPECT_EQ(Refusal(read), "list[1]: expected a 64-bit integer, got \"two\"");
  EXPECT_EQ(seen, (std::vector<int64_t>{1}));
  object_.ForEachIn("none", [](Json) { FAIL() << "null has no elements"; });
  object_.ForEachIn("absent", [](Json) { FAIL() << "absent has no elements"; });
  EXPECT_EQ(Refusal([&] { object_.ForEachIn("id", [](Json) {}); }), "id: expected an array, got 5");
}

}  // namespace
}  // namespace nunatak
