#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Where the parser keeps a value. The parser's own types stay out of this header: their layout
/// depends on macros that every includer would have to define alike.
struct JsonPlace {
  const void* document;
  size_t index;
};

/// A view of one value in a `JsonDocument`; cheap to copy, valid as long as the document. The typed
/// getters throw `ErrorCode::kInvalid`, saying what was expected; callers that know the place add
/// it with `WithContext`, and `JsonObject`'s getters add the field's name themselves.
class NUNATAK_EXPORT Json {
 public:
  explicit Json(JsonPlace place) : place_(place) {}

  bool IsNull() const;
  bool IsObject() const;
  bool IsArray() const;
  bool IsString() const;
  bool IsBool() const;
  /// An integer in the range of int64, written without fraction or exponent.
  bool IsInt64() const;
  bool IsNumber() const;

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

 private:
  JsonPlace place_;
};

/// An object. `Find` treats an absent field and an explicit null alike, as the specification's
/// optional fields want; the typed getters throw when a required field is absent or null.
class NUNATAK_EXPORT JsonObject {
 public:
  explicit JsonObject(JsonPlace place) : place_(place) {}

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
    Visit(std::ref(body));
  }
  size_t size() const;

 private:
  void Visit(const std::function<void(std::string_view, Json)>& body) const;

  JsonPlace place_;
};

class NUNATAK_EXPORT JsonArray {
 public:
  explicit JsonArray(JsonPlace place) : place_(place) {}

  size_t size() const;
  /// Calls `body(Json)` for each element, in order; an error gets "name[i]" put before it.
  template <typename Body>
  void ForEach(Body&& body, std::string_view name = "") const {
    Visit(std::ref(body), name);
  }

 private:
  void Visit(const std::function<void(Json)>& body, std::string_view name) const;

  JsonPlace place_;
};

template <typename Body>
void JsonObject::ForEachIn(std::string_view key, Body&& body) const {
  if (const std::optional<Json> value = Find(key)) {
    WithContext(key, [&] { return value->Array(); }).ForEach(body, key);
  }
}

/// What becomes of integers beyond 64 bits: doubles, so that fields that nobody asks for may hold
/// them, or an error, where rounding one would change what the text says.
enum class LongIntegers : uint8_t { kDoubles, kRefused };

/// Parsed JSON text. Everything is validated: syntax, UTF-8, nesting (at most 256 levels), and that
/// the text holds exactly one value. Movable; views stay valid across a move.
class NUNATAK_EXPORT JsonDocument {
 public:
  /// Throws `ErrorCode::kInvalid` when `text` is not JSON, or has a number beyond the range of
  /// doubles; callers add the file's name.
  static JsonDocument Parse(std::string_view text,
                            LongIntegers long_integers = LongIntegers::kDoubles);

  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  Json root() const;

 private:
  struct Parser;
  explicit JsonDocument(std::unique_ptr<Parser> parser);

  std::unique_ptr<Parser> parser_;
};

}  // namespace nunatak
