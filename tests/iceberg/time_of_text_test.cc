#include "nunatak/iceberg/time_of_text.h"

#include <gtest/gtest.h>

namespace nunatak::iceberg {
namespace {

constexpr int64_t kHour = 3'600'000;
constexpr int64_t kDay = 24 * kHour;
/// 1970-01-11T03:00:00.
constexpr int64_t kNow = 10 * kDay + 3 * kHour;

TEST(TimeOfText, HowLongAgo) {
  const struct {
    std::string_view text;
    int64_t ms;
  } cases[] = {{"now", kNow},
               {"today", 10 * kDay},
               {"yesterday", 9 * kDay},
               {"90m", kNow - 90 * 60'000},
               {"1 minute ago", kNow - 60'000},
               {"36h", kNow - 36 * kHour},
               {"36h ago", kNow - 36 * kHour},
               {"3 hours", kNow - 3 * kHour},
               {"7d ago", kNow - 7 * kDay},
               {"1 day ago", kNow - kDay},
               {"2 weeks ago", kNow - 14 * kDay},
               {"0d", kNow}};
  for (const auto& c : cases) EXPECT_EQ(TimeOfText(c.text, kNow), c.ms) << c.text;
}

TEST(TimeOfText, DatesAndTimesAreThoseOfTheCalendar) {
  EXPECT_EQ(TimeOfText("1970-01-02", kNow), kDay);
  EXPECT_EQ(TimeOfText("1970-01-01T02:00:00+02:00", kNow), 0);
  EXPECT_EQ(TimeOfText("1969-12-31T23:59:59.999999", kNow), -1);
}

TEST(TimeOfText, BeforeTheEpochTodayBeginsEarlier) {
  EXPECT_EQ(TimeOfText("today", -1), -kDay);
  EXPECT_EQ(TimeOfText("yesterday", -1), -2 * kDay);
}

TEST(TimeOfText, AnythingElseIsNoTime) {
  for (const std::string_view text :
       {"", "ago", " ago", "7", "d", "7x", "7 ago", "-1d", "+1d", "7  days", "7 daysago", "7dd",
        "7s", "tomorrow", "Yesterday", "1970-13-01", "9999999999999999999d",
        "999999999999999999w"}) {
    EXPECT_EQ(TimeOfText(text, kNow), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace nunatak::iceberg
