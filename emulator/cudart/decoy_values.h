#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/cudart/decoy_file.h"

namespace warpsim::cudart {

/// Finds input data by their values, wherever a program has put them, and replaces them by those
/// that the device gets.
///
/// Programs stage inputs in pinned buffers, pad and transpose them, or widen floats to doubles
/// before they copy them. A value stands for input data when its neighbours do, too: in a window of
/// 32 elements at least 8, and half of those that say anything, must occur in the inputs. Fewer
/// count where they are a part of an input as they stand, or are so long that no other number is
/// likely to be the same. Common values (decoy_file.h) are never replaced, nor are those that the
/// device has several values for.
class DecoyValues {
 public:
  /// @param arrays  outlive this
  explicit DecoyValues(std::span<const DecoyArray> arrays);

  /// Replaces input data. An element begins at each multiple of its size.
  /// @param taken  one a byte: not 0 where the bytes are known to be something else; set to the
  ///   element's size at the first byte of each element that is replaced
  /// @param after_results  host code has seen what kernels computed, and these may be numbers that
  ///   it made of that: counts, for one, are among any input of small integers
  void replace(std::span<std::byte> bytes, std::span<std::uint8_t> taken, bool after_results) const;

 private:
  /// From bits to bits, open addressing; 0, which is a common value, marks a free slot.
  struct Table {
    struct Slot {
      std::uint64_t from = 0, to = 0;
    };
    std::vector<Slot> slots;
    std::uint64_t count = 0;

    void reserve(std::uint64_t entries);
    void add(std::uint64_t from, std::uint64_t to);
    [[nodiscard]] const Slot* find(std::uint64_t from) const;
  };
  class Pass;

  /// The float of the inputs that a double holds exactly; its new value as a double.
  [[nodiscard]] bool widened(std::uint64_t bits, std::uint64_t& to) const;
  [[nodiscard]] const Table& table(std::uint32_t element_bytes) const {
    return element_bytes == 4 ? four_ : eight_;
  }
  /// Whether the elements stand in an input like this.
  [[nodiscard]] bool is_part_of_input(std::span<const std::byte> elements,
                                      std::uint32_t element_bytes) const;

  std::span<const DecoyArray> arrays_;
  Table four_, eight_;
  bool has_floats_ = false;  // of four bytes
};

}  // namespace warpsim::cudart
