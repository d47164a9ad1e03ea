#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace warpsim {

/// Results of a launch's blocks, which end in any order and are taken in the order of the blocks.
/// Memory grows with the distance from the first missing block to the last one.
template <class T>
class EndedBlocks {
 public:
  /// The first block that has not been taken.
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] bool has_first() const { return !left_.empty() && left_.front().has_value(); }
  /// The number of waiting results.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The number of these before `block`.
  [[nodiscard]] std::size_t size_before(std::uint64_t block) const {
    const auto places = std::min<std::uint64_t>(block - first_, left_.size());
    return static_cast<std::size_t>(
        std::count_if(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(places),
                      [](const auto& what) { return what.has_value(); }));
  }

  void add(std::uint64_t block, T what) {
    const std::uint64_t place = block - first_;
    if (place >= left_.size()) left_.resize(place + 1);
    left_[place] = std::move(what);
    ++size_;
  }
  /// Takes the first block's result; nothing if it has not ended, or has none.
  std::optional<T> take_first() {
    ++first_;
    if (left_.empty()) return std::nullopt;
    std::optional<T> what = std::move(left_.front());
    left_.pop_front();
    if (what.has_value()) --size_;
    return what;
  }
  void clear() { *this = {}; }

 private:
  std::uint64_t first_ = 0;
  std::size_t size_ = 0;
  std::deque<std::optional<T>> left_;  // from block first_ on
};

}  // namespace warpsim
