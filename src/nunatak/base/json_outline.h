#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"

namespace nunatak {

/// JSON text of an object with a few long lists, whose elements are parsed one by one: there is
/// never a tree of the whole. Takes what `JsonDocument` takes, once all lists were visited, with
/// the same errors. Movable.
class NUNATAK_EXPORT JsonOutline {
 public:
  /// `lists` are the names of fields to leave out of `root()` where they are arrays. The text must
  /// outlive the outline. Throws `ErrorCode::kInvalid` when it is not JSON, or not an object.
  static JsonOutline Parse(std::string_view text, std::span<const std::string_view> lists);

  /// The object; the lists are empty in it.
  JsonObject root() const { return root_.root().Object(); }

  using Body = std::function<void(Json element, std::string_view text)>;
  /// Calls `body` for each element of the list at `key`, in order, with the element, which is valid
  /// for the call, and its text; an error gets "key[i]" put before it. Does nothing when the field
  /// is absent or null.
  void ForEachIn(std::string_view key, const Body& body) const;

 private:
  struct List {
    std::string key;
    std::vector<std::string_view> elements;
  };

  JsonOutline(std::string_view text, JsonDocument root, std::vector<List> lists);

  class Splitter;

  std::string_view text_;
  JsonDocument root_;
  std::vector<List> lists_;
};

}  // namespace nunatak
