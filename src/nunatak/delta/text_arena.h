#pragma once

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <string_view>

namespace nunatak::delta {

/// Texts kept side by side for as long as the arena. Movable; views stay valid across a move.
class TextArena {
 public:
  /// A copy of `text`; never null data, also for an empty text.
  std::string_view Keep(std::string_view text) {
    auto* to = static_cast<char*>(resource_->allocate(text.size() + 1, 1));
    std::copy(text.begin(), text.end(), to);
    bytes_ += text.size() + 1;
    return {to, text.size()};
  }
  size_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> resource_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  size_t bytes_ = 0;
};

}  // namespace nunatak::delta
