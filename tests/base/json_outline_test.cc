#include "nunatak/base/json_outline.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

constexpr std::string_view kLists[] = {"a", "b"};

/// What visiting the lists and the rest gives, or the error's message, in one line.
std::string Outlined(const std::string& text) {
  try {
    const JsonOutline outline = JsonOutline::Parse(text, kLists);
    std::string out = "taken ";
    for (std::string_view key : kLists) {
      out += std::string(key) + ":";
      outline.ForEachIn(key, [&](Json element, std::string_view element_text) {
        EXPECT_EQ(JsonDocument::Parse(element_text).root().ToText(), element.ToText());
        out += element.ToText() + ";";
      });
    }
    outline.root().ForEach([&](std::string_view name, Json value) {
      if (name != "a" && name != "b") out += std::string(name) + "=" + value.ToText() + ";";
    });
    return out;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.message();
  }
}

/// The same from a tree of the whole.
std::string Parsed(const std::string& text) {
  try {
    const JsonDocument document = JsonDocument::Parse(text);
    const JsonObject object = document.root().Object();
    std::string out = "taken ";
    for (std::string_view key : kLists) {
      out += std::string(key) + ":";
      object.ForEachIn(key, [&](Json element) { out += element.ToText() + ";"; });
    }
    object.ForEach([&](std::string_view name, Json value) {
      if (name != "a" && name != "b") out += std::string(name) + "=" + value.ToText() + ";";
    });
    return out;
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(JsonOutline, VisitsTheElementsOfItsLists) {
  EXPECT_EQ(Outlined(R"({"a": [1, "x]", {"y": [2]}, [], null], "c": [3], "b": []})"),
            R"(taken a:1;"x]";{"y":[2]};[];null;b:c=[3];)");
}

TEST(JsonOutline, TakesWhatATreeOfTheWholeTakes) {
  const char* texts[] = {
      R"({})", R"( { "a" : [ ] } )", R"({"a": null, "b": [1]})", R"({"b": [1,2]})",
      // Of two fields of one name the first counts.
      R"({"a": [1], "a": [2]})", R"({"a": null, "a": [2]})", R"({"a": [1], "a": 2})",
      // A name may be escaped, and text may look like structure.
      R"({"\u0061": [1], "a": [2]})", R"({"x\"a": [1], "a": ["\\", "\\\"", "\"]", "}{"]})",
      R"({"x": "\\", "a": [[[]], {"a": [1]}]})",
      // What is no array.
      R"({"a": 1})", R"({"a": {"b": [1]}})", R"({"a": "[1]"})",
      // What is no object, and what is not JSON.
      R"([])", R"(null)", "", " ", R"({)", R"({"a")", R"({"a":)", R"({"a":[)", R"({"a":[1)",
      R"({"a":[1})", R"({"a":[1]]})", R"({"a":[1]}})", R"({"a":[1]} x)", R"({"a":[1],})",
      R"({"a":[1,]})", R"({"a":[,1]})", R"({"a":[1 2]})", R"({"a":[1,,2]})", R"({"a":[{]}]})",
      R"({"a":[1] "b":[]})", R"({,"a":[1]})", R"({a:[1]})", R"({"a":["x})", R"({"a":[tru]})",
      R"({"a":[01]})", R"({"a":[1e999]})", R"({"c":nul,"a":[1]})", "{\"a\":[\"\xff\"]}",
      "{\"a\":[\"\x01\"]}", R"({"\x": 1})",
      // An integer beyond 64 bits.
      R"({"a":[123456789012345678901234567890], "c": 123456789012345678901234567890})"};
  for (const char* text : texts) EXPECT_EQ(Outlined(text), Parsed(text)) << text;
}

TEST(JsonOutline, TakesWhatATreeTakesOfDamagedText) {
  const std::string whole =
      R"({"v":2,"a":[{"id":-1,"s":{"k":"v\"\\","n":null}},{"id":2.5}],"c":[true,[]],"b":["x",[1]]})";
  std::mt19937 random(1);
  const auto pick = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  const std::string_view alphabet = "{}[]\",:\\ ax1-.e";
  size_t taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole;
    for (size_t edits = 1 + pick(2); edits > 0; --edits) {
      const size_t at = pick(text.size());
      switch (pick(3)) {
        case 0:
          text[at] = alphabet[pick(alphabet.size())];
          break;
        case 1:
          text.erase(at, 1 + pick(4));
          break;
        case 2:
          text.insert(at, 1, alphabet[pick(alphabet.size())]);
          break;
      }
    }
    const std::string outlined = Outlined(text);
    const std::string parsed = Parsed(text);
    // Of two faults, the whole tree finds the one in the syntax first.
    const bool is_taken = parsed.starts_with("taken ");
    ASSERT_EQ(outlined.starts_with("taken "), is_taken) << text;
    if (!is_taken) continue;
    ASSERT_EQ(outlined, parsed) << text;
    ++taken;
  }
  EXPECT_GT(taken, 1000u);
}

TEST(JsonOutline, AnErrorHasThePlaceOfItsElement) {
  const std::string text = R"({"a": [1, "x"]})";
  const JsonOutline outline = JsonOutline::Parse(text, kLists);
  try {
    outline.ForEachIn("a", [](Json element, std::string_view) { element.Int64(); });
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a[1]: expected a 64-bit integer, got \"x\"");
  }
}

}  // namespace
}  // namespace nunatak
