#include "nunatak/iceberg/time_of_text.h"

#include <array>
#include <charconv>
#include <chrono>

#include "nunatak/table/datetime.h"

namespace nunatak::iceberg {

namespace {

constexpr int64_t kMicrosPerMilli = 1000;
constexpr int64_t kMinute = 60'000;
constexpr int64_t kDay = 24 * 60 * kMinute;

struct Unit {
  std::string_view letter;
  std::string_view word;
  int64_t ms;
};
constexpr std::array<Unit, 4> kUnits = {{{"m", "minute", kMinute},
                                         {"h", "hour", 60 * kMinute},
                                         {"d", "day", kDay},
                                         {"w", "week", 7 * kDay}}};

/// Takes a suffix off; false when the text does not end in it.
bool TakeEnd(std::string_view* text, std::string_view end) {
  if (!text->ends_with(end)) return false;
  text->remove_suffix(end.size());
  return true;
}

/// "7d", "7 days": how long that is.
std::optional<int64_t> Duration(std::string_view text) {
  int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || count < 0) return std::nullopt;
  std::string_view unit(stop, static_cast<size_t>(end - stop));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& known : kUnits) {
    std::string_view word = unit;
    if (word.size() > 1) TakeEnd(&word, "s");
    int64_t ms = 0;
    if (unit != known.letter && word != known.word) continue;
    if (__builtin_mul_overflow(count, known.ms, &ms)) return std::nullopt;
    return ms;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> TimeOfText(std::string_view text, int64_t now_ms) {
  const int64_t today = FloorDivide(now_ms, kDay) * kDay;
  if (text == "now") return now_ms;
  if (text == "today") return today;
  if (text == "yesterday") return today - kDay;
  if (const auto time = ParseTimestamp(text, 6)) return FloorDivide(time->value, kMicrosPerMilli);
  TakeEnd(&text, " ago");
  const std::optional<int64_t> duration = Duration(text);
  if (!duration) return std::nullopt;
  return now_ms - *duration;
}

std::optional<int64_t> TimeOfText(std::string_view text) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return TimeOfText(text, std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace nunatak::iceberg
