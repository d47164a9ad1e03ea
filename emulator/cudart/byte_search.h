#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpsim::cudart {

/// Tells whether byte strings are parts of a long one. From the second search on, most strings that
/// are not are refused without searching: a copy may have thousands of rows.
class ByteSearch {
 public:
  ByteSearch() = default;
  explicit ByteSearch(std::vector<std::byte> whole) : whole_(std::move(whole)) {}

  /// Of a string whose beginning is repeated often, only the first 64 places are looked at; fewer
  /// than 16 bytes are a part only if they are all: they may be equal by chance.
  [[nodiscard]] bool contains(std::span<const std::byte> bytes);

 private:
  [[nodiscard]] bool may_contain(std::span<const std::byte> bytes);
  void make_filter();
  [[nodiscard]] std::size_t bit_of(const std::byte* window) const;

  std::vector<std::byte> whole_;
  /// A Bloom filter of the windows of 8 bytes at every offset.
  std::vector<bool> filter_;
  bool searched_ = false;
  std::size_t after_last_ = 0;  // the end of what was found last, where the next row often begins
};

}  // namespace warpsim::cudart
