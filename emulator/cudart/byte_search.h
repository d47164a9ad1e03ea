#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpsim::cudart {

/// Finds byte strings in a long one. From the second search on, a filter rejects most strings that
/// are not part of it, because a copy may have thousands of rows.
class ByteSearch {
 public:
  ByteSearch() = default;
  explicit ByteSearch(std::vector<std::byte> whole) : whole_(std::move(whole)) {}

  /// Only the first 64 occurrences of a string's beginning are compared. Fewer than 16 bytes must
  /// equal the whole string, because they may occur by chance.
  [[nodiscard]] bool contains(std::span<const std::byte> bytes);

 private:
  [[nodiscard]] bool may_contain(std::span<const std::byte> bytes);
  void make_filter();
  [[nodiscard]] std::size_t bit_of(const std::byte* window) const;

  std::vector<std::byte> whole_;
  /// A Bloom filter of the windows of 8 bytes at every offset.
  std::vector<bool> filter_;
  bool searched_ = false;
  std::size_t after_last_ = 0;  // the end of the last match, where the next row often begins
};

}  // namespace warpsim::cudart
