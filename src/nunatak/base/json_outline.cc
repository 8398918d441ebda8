#include "nunatak/base/json_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

/// Marks the bytes that open, close or quote.
constexpr std::array<bool, 256> MarkStructure() {
  std::array<bool, 256> marks{};
  for (const char c : {'"', '{', '}', '[', ']'}) marks[static_cast<uint8_t>(c)] = true;
  return marks;
}
constexpr std::array<bool, 256> kIsStructure = MarkStructure();

size_t SkipSpace(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// One past the closing quote of the string that begins at `at`, or nowhere.
size_t SkipString(std::string_view text, size_t at) {
  for (size_t quote = text.find('"', at + 1); quote != kNowhere;
       quote = text.find('"', quote + 1)) {
    size_t backslashes = 0;
    while (text[quote - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
  }
  return kNowhere;
}

/// One past the last byte of the object or array that begins at `at`, or nowhere. Whether what lies
/// between is well formed is not looked at.
size_t SkipNested(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (!kIsStructure[static_cast<uint8_t>(c)]) {
      ++at;
    } else if (c == '"') {
      at = SkipString(text, at);
    } else {
      ++at;
      if (c == '{' || c == '[') {
        ++depth;
      } else if (--depth == 0) {
        return at;
      }
    }
  }
  return kNowhere;
}

size_t SkipValue(std::string_view text, size_t at) {
  if (at >= text.size()) return kNowhere;
  if (text[at] == '"') return SkipString(text, at);
  if (text[at] == '{' || text[at] == '[') return SkipNested(text, at);
  return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
}

/// The elements of an array, or nullopt when it is not well formed.
std::optional<std::vector<std::string_view>> SplitArray(std::string_view array) {
  std::vector<std::string_view> elements;
  size_t at = SkipSpace(array, 1);
  if (at + 1 == array.size() && array[at] == ']') return elements;
  while (true) {
    const size_t end = SkipValue(array, at);
    if (end == kNowhere || end == at) return std::nullopt;
    elements.push_back(array.substr(at, end - at));
    at = SkipSpace(array, end);
    if (at >= array.size()) return std::nullopt;
    if (array[at] == ']' && at + 1 == array.size()) return elements;
    if (array[at] != ',') return std::nullopt;
    at = SkipSpace(array, at + 1);
  }
}

/// The error of text that is not JSON, with its place in the whole.
[[noreturn]] void ThrowNotJson(std::string_view text) {
  JsonDocument::Parse(text).root().Object();
  ThrowInvalid("not valid JSON");
}

}  // namespace

/// Cuts the lists out of an object's text.
class JsonOutline::Splitter {
 public:
  Splitter(std::string_view text, std::span<const std::string_view> lists)
      : text_(text), wanted_(lists.begin(), lists.end()) {}

  /// Whether the text is an object, as far as this looks: what `rest` keeps is yet to be parsed.
  bool Split() {
    size_t at = SkipSpace(text_, 0);
    if (at == text_.size() || text_[at] != '{') return false;
    do {
      at = SkipSpace(text_, at + 1);
      if (at < text_.size() && text_[at] == '}') break;
      at = SplitField(at);
    } while (at < text_.size() && text_[at] == ',');
    if (at >= text_.size() || text_[at] != '}') return false;
    rest_ += text_.substr(kept_);
    return true;
  }

  /// The text with empty lists.
  const std::string& rest() const { return rest_; }
  std::vector<List> TakeLists() { return std::move(lists_); }

 private:
  /// Returns what follows the field that begins at `at`, or nowhere.
  size_t SplitField(size_t at) {
    if (at >= text_.size() || text_[at] != '"') return kNowhere;
    const size_t key_end = SkipString(text_, at);
    if (key_end == kNowhere) return kNowhere;
    const size_t colon = SkipSpace(text_, key_end);
    if (colon >= text_.size() || text_[colon] != ':') return kNowhere;
    const size_t value = SkipSpace(text_, colon + 1);
    const size_t end = SkipValue(text_, value);
    if (end == kNowhere) return kNowhere;
    const std::string key(JsonDocument::Parse(text_.substr(at, key_end - at)).root().String());
    // Of fields of one name the first counts.
    if (wanted_.erase(key) == 1 && text_[value] == '[') {
      auto elements = SplitArray(text_.substr(value, end - value));
      if (!elements) return kNowhere;
      lists_.push_back({key, *std::move(elements)});
      rest_ += text_.substr(kept_, value - kept_);
      rest_ += "[]";
      kept_ = end;
    }
    return SkipSpace(text_, end);
  }

  std::string_view text_;
  std::set<std::string, std::less<>> wanted_;
  std::string rest_;
  /// Where the text begins that is not yet in `rest_`.
  size_t kept_ = 0;
  std::vector<List> lists_;
};

JsonOutline::JsonOutline(std::string_view text, JsonDocument root, std::vector<List> lists)
    : text_(text), root_(std::move(root)), lists_(std::move(lists)) {}

JsonOutline JsonOutline::Parse(std::string_view text, std::span<const std::string_view> lists) {
  Splitter splitter(text, lists);
  try {
    if (splitter.Split()) {
      return JsonOutline(text, JsonDocument::Parse(splitter.rest()), splitter.TakeLists());
    }
  } catch (const Error&) {
    // The place in a part of the text would mislead.
  }
  ThrowNotJson(text);
}

void JsonOutline::ForEachIn(std::string_view key, const Body& body) const {
  const auto list = std::find_if(lists_.begin(), lists_.end(),
                                 [&](const List& other) { return other.key == key; });
  if (list == lists_.end()) {
    // Absent, null, or not an array.
    root().ForEachIn(key, [](Json) {});
    return;
  }
  for (size_t i = 0; i < list->elements.size(); ++i) {
    std::optional<JsonDocument> element;
    try {
      element = JsonDocument::Parse(list->elements[i]);
    } catch (const Error&) {
      ThrowNotJson(text_);
    }
    WithContext(fmt::format("{}[{}]", key, i), [&] { body(element->root(), list->elements[i]); });
  }
}

}  // namespace nunatak
