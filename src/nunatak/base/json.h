#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"
#include "nunatak/base/export.h"

namespace nunatak {

class JsonObject;
class JsonArray;

/// A view of one value in a `JsonDocument`; cheap to copy, valid as long as the document. The typed
/// getters throw `ErrorCode::kInvalid`, saying what was expected; callers that know the place add
/// it with `WithContext`, and `JsonObject`'s getters add the field's name themselves.
class NUNATAK_EXPORT Json {
 public:
  explicit Json(simdjson::dom::element element) : element_(element) {}

  bool IsNull() const { return element_.is_null(); }
  bool IsObject() const { return element_.is_object(); }
  bool IsArray() const { return element_.is_array(); }
  bool IsString() const { return element_.is_string(); }
  bool IsBool() const { return element_.is_bool(); }
  /// An integer in the range of int64, written without fraction or exponent.
  bool IsInt64() const { return element_.is_int64(); }
  bool IsNumber() const { return element_.is_number(); }

  /// Integers above the range are errors, never wrapped.
  int64_t Int64() const;
  int32_t Int32() const;
  double Double() const;
  bool Bool() const;
  std::string_view String() const;
  JsonObject Object() const;
  JsonArray Array() const;
  /// The value as compact JSON text.
  std::string ToText() const;

  simdjson::dom::element element() const { return element_; }

 private:
  simdjson::dom::element element_;
};

/// An object. `Find` treats an absent field and an explicit null alike, as the specification's
/// optional fields want; the typed getters throw when a required field is absent or null.
class NUNATAK_EXPORT JsonObject {
 public:
  explicit JsonObject(simdjson::dom::object object) : object_(object) {}

  std::optional<Json> Find(std::string_view key) const;
  Json At(std::string_view key) const;

  int64_t Int64(std::string_view key) const;
  int32_t Int32(std::string_view key) const;
  bool Bool(std::string_view key) const;
  std::string String(std::string_view key) const;
  std::optional<int64_t> FindInt64(std::string_view key) const;
  std::optional<int32_t> FindInt32(std::string_view key) const;
  std::optional<bool> FindBool(std::string_view key) const;
  std::optional<std::string> FindString(std::string_view key) const;

  /// Calls `body(Json)` for each element of the array at `key`, in order; an error gets "key[i]"
  /// put before it. Does nothing when the field is absent or null.
  template <typename Body>
  void ForEachIn(std::string_view key, Body&& body) const;
  /// Calls `body(std::string_view name, Json)` for each field, in the order of the text.
  template <typename Body>
  void ForEach(Body&& body) const {
    for (auto field : object_) {
      WithContext(field.key, [&] { body(std::string_view(field.key), Json(field.value)); });
    }
  }
  size_t size() const { return object_.size(); }

 private:
  simdjson::dom::object object_;
};

class NUNATAK_EXPORT JsonArray {
 public:
  explicit JsonArray(simdjson::dom::array array) : array_(array) {}

  size_t size() const { return array_.size(); }
  /// Calls `body(Json)` for each element, in order; an error gets "name[i]" put before it.
  template <typename Body>
  void ForEach(Body&& body, std::string_view name = "") const {
    size_t i = 0;
    for (simdjson::dom::element element : array_) {
      try {
        body(Json(element));
      } catch (Error& error) {
        error.AddContext(fmt::format("{}[{}]", name, i));
        throw;
      }
      ++i;
    }
  }

 private:
  simdjson::dom::array array_;
};

template <typename Body>
void JsonObject::ForEachIn(std::string_view key, Body&& body) const {
  if (const std::optional<Json> value = Find(key)) {
    WithContext(key, [&] { return value->Array(); }).ForEach(body, key);
  }
}

/// Parsed JSON text. Everything is validated: syntax, UTF-8, nesting (at most 256 levels), and that
/// the text holds exactly one value. Movable; views stay valid across a move.
class NUNATAK_EXPORT JsonDocument {
 public:
  /// Throws `ErrorCode::kInvalid` when `text` is not JSON; callers add the file's name.
  static JsonDocument Parse(std::string_view text);

  Json root() const { return root_; }

 private:
  explicit JsonDocument(std::unique_ptr<simdjson::dom::parser> parser, Json root)
      : parser_(std::move(parser)), root_(root) {}

  std::unique_ptr<simdjson::dom::parser> parser_;
  Json root_;
};

}  // namespace nunatak
