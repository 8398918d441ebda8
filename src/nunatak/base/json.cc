#include "nunatak/base/json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace nunatak {

namespace {

/// Deep enough for any schema, and shallow enough for recursive readers.
constexpr size_t kMaxDepth = 256;

[[noreturn]] void ThrowExpected(std::string_view what, simdjson::dom::element got) {
  std::string text = simdjson::minify(got);
  if (text.size() > 40) text = text.substr(0, ValidUtf8Prefix(text.substr(0, 37)).size()) + "...";
  ThrowInvalid(fmt::format("expected {}, got {}", what, text));
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

int64_t GetInt64(const Json& value) { return value.Int64(); }
int32_t GetInt32(const Json& value) { return value.Int32(); }
bool GetBool(const Json& value) { return value.Bool(); }
std::string GetString(const Json& value) { return std::string(value.String()); }

}  // namespace

int64_t Json::Int64() const {
  if (!element_.is_int64()) ThrowExpected("a 64-bit integer", element_);
  return int64_t{element_};
}

int32_t Json::Int32() const {
  const int64_t value = Int64();
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    ThrowExpected("a 32-bit integer", element_);
  }
  return static_cast<int32_t>(value);
}

double Json::Double() const {
  if (!element_.is_number()) ThrowExpected("a number", element_);
  return double{element_};
}

bool Json::Bool() const {
  if (!element_.is_bool()) ThrowExpected("true or false", element_);
  return bool{element_};
}

std::string_view Json::String() const {
  if (!element_.is_string()) ThrowExpected("a string", element_);
  return std::string_view{element_};
}

JsonObject Json::Object() const {
  if (!element_.is_object()) ThrowExpected("an object", element_);
  return JsonObject(simdjson::dom::object{element_});
}

JsonArray Json::Array() const {
  if (!element_.is_array()) ThrowExpected("an array", element_);
  return JsonArray(simdjson::dom::array{element_});
}

std::string Json::ToText() const { return simdjson::minify(element_); }

std::optional<Json> JsonObject::Find(std::string_view key) const {
  simdjson::dom::element value;
  if (object_.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return Json(value);
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

JsonDocument JsonDocument::Parse(std::string_view text) {
  // An empty text may have no address at all, which simdjson would hand to memcpy.
  if (text.empty()) ThrowInvalid("not valid JSON at byte 0: the text is empty");
  auto parser = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element root;
  simdjson::error_code code = parser->allocate(text.size(), kMaxDepth);
  if (code == simdjson::SUCCESS) code = parser->parse(text.data(), text.size()).get(root);
  if (code != simdjson::SUCCESS) {
    ThrowInvalid(
        fmt::format("not valid JSON{}: {}", SyntaxErrorPlace(text), simdjson::error_message(code)));
  }
  return JsonDocument(std::move(parser), Json(root));
}

}  // namespace nunatak
