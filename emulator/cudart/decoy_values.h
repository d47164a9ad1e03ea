#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emulator/cudart/decoy_file.h"

namespace warpsim::cudart {

/// Finds input data by their values, wherever a program has copied them, and replaces them by the
/// device's inputs.
///
/// Programs stage inputs in pinned buffers, pad and transpose them, or widen floats to doubles
/// before they copy them. A value counts as input data only together with its neighbours: of 32
/// significant elements one after the other at least 8, and half, must occur in the inputs.
/// Fewer are enough if they are a contiguous part of an input, or are of a small input and have so
/// many digits that a coincidence is unlikely. Common values (decoy_file.h) and values with several
/// replacements are never replaced.
class DecoyValues {
 public:
  /// @param arrays  must outlive this
  explicit DecoyValues(std::span<const DecoyArray> arrays);

  /// Replaces input data. An element begins at each multiple of its size.
  /// @param taken  one per byte: not 0 if the byte is known not to be input data; set to the
  ///   element's size at the first byte of each replaced element
  /// @param after_results  host code has seen results of kernels, from which the bytes may be
  ///   computed: counts, for example, occur in any input of small integers
  void replace(std::span<std::byte> bytes, std::span<std::uint8_t> taken, bool after_results) const;

 private:
  /// A map from bits to bits with open addressing; 0, which is a common value, marks a free slot.
  struct Table {
    struct Slot {
      std::uint64_t from = 0, to = 0;
      bool of_few = false;  // of an input with few elements
    };
    std::vector<Slot> slots;
    std::uint64_t count = 0;

    void reserve(std::uint64_t entries);
    void add(std::uint64_t from, std::uint64_t to, bool of_few);
    [[nodiscard]] const Slot* find(std::uint64_t from) const;
  };
  class Pass;

  /// What replaces a double that equals a float of the inputs.
  [[nodiscard]] std::optional<Table::Slot> widened(std::uint64_t bits) const;
  [[nodiscard]] const Table& table(std::uint32_t element_bytes) const {
    return element_bytes == 4 ? four_ : eight_;
  }
  /// Whether the elements occur contiguously in an input.
  [[nodiscard]] bool is_part_of_input(std::span<const std::byte> elements,
                                      std::uint32_t element_bytes) const;

  std::span<const DecoyArray> arrays_;
  Table four_, eight_;
  bool has_floats_ = false;  // of four bytes
};

}  // namespace warpsim::cudart
