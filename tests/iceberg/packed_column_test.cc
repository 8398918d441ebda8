#include "nunatak/iceberg/packed_column.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "iceberg/errors.h"

namespace nunatak::iceberg {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr size_t kHead = 9;  // The width and the least value.

template <typename Column>
Column ReadBack(const std::string& bytes, size_t count) {
  TaskBytesReader in(AsBytes(bytes));
  Column column = Column::Read(count, &in);
  in.ExpectEnd("a column");
  return column;
}

TEST(PackedIntegers, TakeAsManyBytesAsTheGreatestDistanceNeeds) {
  struct Case {
    std::vector<int64_t> values;
    size_t width;
  };
  const std::vector<Case> cases = {
      {{}, 0},
      {{7}, 0},
      {{-3, -3, -3}, 0},
      {{-1, 254}, 1},
      {{-1, 255}, 2},
      {{1'000'000'000'000, 1'000'000'065'535}, 2},
      {{0, 65536}, 4},
      {{0, 0x1'0000'0000}, 8},
      {{kLeast, kMost, 0}, 8},
      {{kLeast, kLeast + 1}, 1},
      // A byte could hold the distance, but also distances that lead beyond 64 bits.
      {{kMost - 1, kMost}, 8},
      {{kMost, kMost}, 0},
  };
  for (const Case& test : cases) {
    std::string bytes;
    PackedIntegers::Append(test.values, &bytes);
    EXPECT_EQ(bytes.size(), kHead + test.width * test.values.size());
    const auto column = ReadBack<PackedIntegers>(bytes, test.values.size());
    std::vector<int64_t> all(column.size());
    column.CopyTo(all.data());
    EXPECT_EQ(all, test.values);
    for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(column[i], test.values[i]);
  }
}

TEST(PackedIntegers, KnowTheirLimits) {
  for (const std::vector<int64_t>& values :
       {std::vector<int64_t>{-1, 5, 200}, {-1, 5, 60000}, {kLeast, 5}, {kMost, 5, -1}}) {
    std::string bytes;
    PackedIntegers::Append(values, &bytes);
    const auto column = ReadBack<PackedIntegers>(bytes, values.size());
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    column.Require(*least, *most, "");
    if (*least > kLeast) column.Require(*least - 1, *most, "");
    ErrorOf(ErrorCode::kInvalid, [&] { column.Require(*least + 1, *most, ""); });
    ErrorOf(ErrorCode::kInvalid, [&] { column.Require(*least, *most - 1, ""); });
  }
}

TEST(PackedIntegers, RefuseWhatWasNotWritten) {
  const auto read = [](const std::string& bytes, size_t count, int least_width = 0) {
    TaskBytesReader in(AsBytes(bytes));
    PackedIntegers::Read(count, &in, least_width);
  };
  const std::string zero(8, '\0');
  const std::string most("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  read(std::string("\x01", 1) + zero + "ab", 2);
  const std::vector<std::string> wrong = {"",
                                          "\x01",
                                          std::string("\x03", 1) + zero + "abcdef",
                                          std::string("\x10", 1) + zero,
                                          std::string("\x01", 1) + zero + "a",
                                          std::string("\x01", 1) + most + "ab",
                                          std::string("\x08", 1) + zero + "abcdefgh"};
  for (const std::string& bytes : wrong) {
    ErrorOf(ErrorCode::kInvalid, [&] { read(bytes, 2); });
  }
  ErrorOf(ErrorCode::kInvalid, [&] { read(std::string("\x08", 1) + zero, kMost); });
  ErrorOf(ErrorCode::kInvalid, [&] { read(std::string("\x00", 1) + zero, 2, 1); });
}

TEST(OptionalIntegers, AbsentIsNotZero) {
  const std::vector<std::optional<int64_t>> values = {0, std::nullopt, -5, std::nullopt, kMost};
  std::string bytes;
  OptionalIntegers::Append(values, &bytes);
  const auto column = ReadBack<OptionalIntegers>(bytes, values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(column[i], values[i]);
}

TEST(PackedTexts, AbsentIsNotEmpty) {
  const std::vector<std::optional<std::string>> texts = {
      "a", std::nullopt, "", "12345678", "a longer one", std::nullopt, ""};
  std::vector<ByteSpan> spans;
  PackedTexts::Builder builder;
  for (const auto& text : texts) {
    spans.push_back(text ? AsBytes(*text) : ByteSpan());
    if (text) {
      builder.Add(*text);
    } else {
      builder.AddAbsent();
    }
  }
  std::string bytes;
  PackedTexts::Append(spans, &bytes);
  std::string built;
  builder.AppendTo(&built);
  EXPECT_EQ(built, bytes);
  const auto column = ReadBack<PackedTexts>(bytes, texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(column[i].data() != nullptr, texts[i].has_value()) << i;
    EXPECT_EQ(AsText(column[i]), texts[i].value_or("")) << i;
  }
}

TEST(PackedTexts, RefuseRangesThatDoNotAscend) {
  for (const std::vector<int64_t>& ends :
       {std::vector<int64_t>{0, 2, 1}, {1, 2, 3}, {-1, 0, 1}, {0, 1, 4}}) {
    std::string bytes;
    PackedIntegers::Append(std::vector<int64_t>{1, 1}, &bytes);
    PackedIntegers::Append(ends, &bytes);
    bytes += "abc";
    TaskBytesReader in(AsBytes(bytes));
    ErrorOf(ErrorCode::kInvalid, [&] { PackedTexts::Read(2, &in); });
  }
}

TEST(PackedLists, AbsentIsNotEmpty) {
  const std::vector<std::optional<std::vector<int64_t>>> lists = {
      std::vector<int64_t>{4}, std::nullopt, std::vector<int64_t>{},
      std::vector<int64_t>{4, 1000, 7}};
  PackedLists::Builder builder;
  for (const auto& list : lists) builder.Add(list);
  std::string bytes;
  builder.AppendTo(&bytes);
  const auto column = ReadBack<PackedLists>(bytes, lists.size());
  for (size_t i = 0; i < lists.size(); ++i) EXPECT_EQ(column.Get<int64_t>(i), lists[i]);
}

TEST(PackedLists, ManyEqualItemsTakeBytes) {
  PackedLists::Builder builder;
  builder.Add(std::optional(std::vector<int32_t>(1000, 5)));
  std::string bytes;
  builder.AppendTo(&bytes);
  EXPECT_GT(bytes.size(), 1000u);
  EXPECT_EQ(ReadBack<PackedLists>(bytes, 1).Get<int32_t>(0), std::vector<int32_t>(1000, 5));
}

}  // namespace
}  // namespace nunatak::iceberg
