#include "nunatak/delta/action_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nunatak::delta {

namespace {

struct Line {
  size_t number;
  std::string_view text;
};

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!IsBlank(text.substr(0, end))) lines.push_back({number, text.substr(0, end)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The first key of a line as all writers write it; empty where that does not meet the eye.
std::string_view FirstKey(std::string_view line) {
  if (!line.starts_with("{\"")) return "";
  const size_t end = line.find_first_of("\"\\", 2);
  if (end == std::string_view::npos || line[end] != '"') return "";
  return line.substr(2, end - 2);
}

}  // namespace

void ForEachAction(std::string_view text, LineOrder order, const WantsAction& wants,
                   const std::function<void(std::string_view name, Json value)>& body) {
  std::vector<Line> lines = LinesOf(text);
  if (order == LineOrder::kBackward) std::reverse(lines.begin(), lines.end());
  for (const Line& line : lines) {
    const std::string_view first = FirstKey(line.text);
    if (!first.empty() && !wants(first)) continue;
    WithContext(fmt::format("line {}", line.number), [&] {
      const JsonDocument document = JsonDocument::Parse(line.text);
      document.root().Object().ForEach([&](std::string_view name, Json value) {
        if (value.IsNull() || !wants(name)) return;
        body(name, value);
      });
    });
  }
}

}  // namespace nunatak::delta
