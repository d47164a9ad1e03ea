#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

/// The access to an array that a finding is about. Its texts are made from these values, and rules
/// that choose a headline compare the values, never the texts.
struct ArrayAccess {
  std::int64_t offset = 0;  // of its first byte in the array; negative: before the array
  std::uint64_t width = 0;  // bytes that are accessed; 0: the finding is not about an array
  std::uint64_t bytes = 0;  // of the array; 0: not known

  [[nodiscard]] bool known() const { return width != 0; }
  /// Counted in accesses of this width. The last one before the array is element -1.
  [[nodiscard]] std::int64_t element() const;
  /// Elements of this width in the array, rounded down; 0 if that is not known.
  [[nodiscard]] std::uint64_t elements() const { return known() ? bytes / width : 0; }
  /// Whether it is the element after the array's last one.
  [[nodiscard]] bool is_next_after() const;
  /// "element 10 of 4 bytes"; empty if it is not known.
  [[nodiscard]] std::string element_in_words() const;
  /// "byte offset 40 (element 10 of 4 bytes)", "8 bytes before the start (element -2)".
  [[nodiscard]] std::string in_words() const;
};

}  // namespace warpsim
