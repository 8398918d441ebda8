#include "nunatak/base/json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace nunatak {

namespace {

/// Deep enough for any schema, and shallow enough for recursive readers.
constexpr size_t kMaxDepth = 256;

/// The parser's view of a value, and ours of it: two words each.
simdjson::dom::element ElementAt(JsonPlace place) {
  static_assert(sizeof(simdjson::dom::element) == sizeof(JsonPlace));
  return std::bit_cast<simdjson::dom::element>(place);
}

JsonPlace PlaceOf(simdjson::dom::element element) { return std::bit_cast<JsonPlace>(element); }

simdjson::dom::object ObjectAt(JsonPlace place) { return simdjson::dom::object{ElementAt(place)}; }

simdjson::dom::array ArrayAt(JsonPlace place) { return simdjson::dom::array{ElementAt(place)}; }

[[noreturn]] void ThrowExpected(std::string_view what, simdjson::dom::element got) {
  std::string text = simdjson::minify(got);
  if (text.size() > 40) text = text.substr(0, ValidUtf8Prefix(text.substr(0, 37)).size()) + "...";
  ThrowInvalid(fmt::format("expected {}, got {}", what, text));
}

/// The value as a T; doubles take integers too, and nothing else is converted.
template <typename T>
T Get(JsonPlace place, std::string_view what) {
  const simdjson::dom::element element = ElementAt(place);
  T value;
  if (element.get(value) != simdjson::SUCCESS) ThrowExpected(what, element);
  return value;
}

template <typename Get>
auto GetField(const JsonObject& object, std::string_view key, Get get) {
  const Json value = object.At(key);
  return WithContext(key, [&] { return get(value); });
}

template <typename Get>
auto FindField(const JsonObject& object, std::string_view key, Get get)
    -> std::optional<decltype(get(std::declval<Json>()))> {
  const std::optional<Json> value = object.Find(key);
  if (!value) return std::nullopt;
  return WithContext(key, [&] { return get(*value); });
}

/// " at byte N", found by a second parser once the first, which does not say where, has failed;
/// empty when the second one sees nothing wrong (a number beyond the range, too deep nesting).
std::string SyntaxErrorPlace(std::string_view text) {
  try {
    [[maybe_unused]] const auto parsed = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    return fmt::format(" at byte {}", error.byte == 0 ? 0 : error.byte - 1);
  } catch (const nlohmann::json::exception&) {
    // A number beyond the range of doubles, which has no place in this exception.
  }
  return "";
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNumberChar(char c) {
  return IsDigit(c) || std::string_view("+-.eE").find(c) != std::string_view::npos;
}

/// The end of the string, number, word or single character that begins at `at`.
size_t TokenEnd(std::string_view text, size_t at) {
  size_t end = at + 1;
  if (text[at] == '"') {
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (IsDigit(text[at]) || text[at] == '-') {
    while (end < text.size() && IsNumberChar(text[end])) ++end;
  }
  return end;
}

/// The least number of digits, besides a sign, of an integer that 64 bits may not hold.
constexpr size_t kManyDigits = 19;

bool IsLongInteger(std::string_view token) {
  if (token.starts_with('-')) token.remove_prefix(1);
  return token.size() >= kManyDigits && std::all_of(token.begin(), token.end(), IsDigit);
}

/// The text with an exponent put after each long integer that the parser refuses: a double then.
std::string WithLongIntegersAsDoubles(std::string_view text) {
  std::string out;
  simdjson::dom::parser parser;
  for (size_t at = 0; at < text.size();) {
    const std::string_view token = text.substr(at, TokenEnd(text, at) - at);
    out += token;
    if (IsLongInteger(token) && parser.parse(token.data(), token.size()).error()) out += "e0";
    at += token.size();
  }
  return out;
}

int64_t GetInt64(const Json& value) { return value.Int64(); }
int32_t GetInt32(const Json& value) { return value.Int32(); }
bool GetBool(const Json& value) { return value.Bool(); }
std::string GetString(const Json& value) { return std::string(value.String()); }

}  // namespace

bool Json::IsNull() const { return ElementAt(place_).is_null(); }
bool Json::IsObject() const { return ElementAt(place_).is_object(); }
bool Json::IsArray() const { return ElementAt(place_).is_array(); }
bool Json::IsString() const { return ElementAt(place_).is_string(); }
bool Json::IsBool() const { return ElementAt(place_).is_bool(); }
bool Json::IsInt64() const { return ElementAt(place_).is_int64(); }
bool Json::IsNumber() const { return ElementAt(place_).is_number(); }

int64_t Json::Int64() const { return Get<int64_t>(place_, "a 64-bit integer"); }

int32_t Json::Int32() const {
  const int64_t value = Int64();
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    ThrowExpected("a 32-bit integer", ElementAt(place_));
  }
  return static_cast<int32_t>(value);
}

double Json::Double() const { return Get<double>(place_, "a number"); }
bool Json::Bool() const { return Get<bool>(place_, "true or false"); }
std::string_view Json::String() const { return Get<std::string_view>(place_, "a string"); }

JsonObject Json::Object() const {
  Get<simdjson::dom::object>(place_, "an object");
  return JsonObject(place_);
}

JsonArray Json::Array() const {
  Get<simdjson::dom::array>(place_, "an array");
  return JsonArray(place_);
}

std::string Json::ToText() const { return simdjson::minify(ElementAt(place_)); }

std::optional<Json> JsonObject::Find(std::string_view key) const {
  simdjson::dom::element value;
  if (ObjectAt(place_).at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) {
    return std::nullopt;
  }
  return Json(PlaceOf(value));
}

Json JsonObject::At(std::string_view key) const {
  const std::optional<Json> value = Find(key);
  if (!value) ThrowInvalid(fmt::format("required field '{}' is missing", key));
  return *value;
}

int64_t JsonObject::Int64(std::string_view key) const { return GetField(*this, key, GetInt64); }
int32_t JsonObject::Int32(std::string_view key) const { return GetField(*this, key, GetInt32); }
bool JsonObject::Bool(std::string_view key) const { return GetField(*this, key, GetBool); }
std::string JsonObject::String(std::string_view key) const {
  return GetField(*this, key, GetString);
}
std::optional<int64_t> JsonObject::FindInt64(std::string_view key) const {
  return FindField(*this, key, GetInt64);
}
std::optional<int32_t> JsonObject::FindInt32(std::string_view key) const {
  return FindField(*this, key, GetInt32);
}
std::optional<bool> JsonObject::FindBool(std::string_view key) const {
  return FindField(*this, key, GetBool);
}
std::optional<std::string> JsonObject::FindString(std::string_view key) const {
  return FindField(*this, key, GetString);
}

void JsonObject::Visit(const std::function<void(std::string_view, Json)>& body) const {
  for (const auto field : ObjectAt(place_)) {
    WithContext(field.key, [&] { body(field.key, Json(PlaceOf(field.value))); });
  }
}

size_t JsonObject::size() const { return ObjectAt(place_).size(); }

void JsonArray::Visit(const std::function<void(Json)>& body, std::string_view name) const {
  size_t i = 0;
  for (const simdjson::dom::element element : ArrayAt(place_)) {
    try {
      body(Json(PlaceOf(element)));
    } catch (Error& error) {
      error.AddContext(fmt::format("{}[{}]", name, i));
      throw;
    }
    ++i;
  }
}

size_t JsonArray::size() const { return ArrayAt(place_).size(); }

struct JsonDocument::Parser {
  simdjson::error_code Parse(std::string_view text) {
    const simdjson::error_code code = parser.allocate(text.size(), kMaxDepth);
    return code != simdjson::SUCCESS ? code : parser.parse(text.data(), text.size()).get(root);
  }

  simdjson::dom::parser parser;
  simdjson::dom::element root;
};

JsonDocument::JsonDocument(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Json JsonDocument::root() const { return Json(PlaceOf(parser_->root)); }

JsonDocument JsonDocument::Parse(std::string_view text, LongIntegers long_integers) {
  // An empty text may have no address at all, which simdjson would hand to memcpy.
  if (text.empty()) ThrowInvalid("not valid JSON at byte 0: the text is empty");
  auto parser = std::make_unique<Parser>();
  simdjson::error_code code = parser->Parse(text);
  if (code == simdjson::NUMBER_ERROR && long_integers == LongIntegers::kDoubles) {
    code = parser->Parse(WithLongIntegersAsDoubles(text));
  }
  if (code != simdjson::SUCCESS) {
    const bool is_number = code == simdjson::NUMBER_ERROR;
    ThrowInvalid(
        fmt::format("not valid JSON{}: {}", SyntaxErrorPlace(text), simdjson::error_message(code)),
        is_number ? "numbers go up to 64 bits and the range of doubles; others stand as text" : "");
  }
  return JsonDocument(std::move(parser));
}

}  // namespace nunatak
