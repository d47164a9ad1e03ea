#pragma once

#include <cstdint>

namespace warpsim::cudart {

/// A box of bytes to copy or to fill: `depth` slices of `height` rows of `width` bytes.
struct Box {
  std::uint64_t width = 0;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;

  [[nodiscard]] bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// One side of a copy: where the box starts and the distances between its rows and its slices.
struct Side {
  std::uint64_t address = 0;
  std::uint64_t row_pitch = 0;
  std::uint64_t slice_pitch = 0;

  [[nodiscard]] static Side linear(const void* pointer) {
    return {reinterpret_cast<std::uint64_t>(pointer), 0, 0};
  }
  /// Bytes from the start to a row.
  [[nodiscard]] std::uint64_t offset(std::uint64_t z, std::uint64_t y) const {
    return z * slice_pitch + y * row_pitch;
  }
  /// The same side from a row on.
  [[nodiscard]] Side from_row(std::uint64_t z, std::uint64_t y) const {
    return {address + offset(z, y), row_pitch, slice_pitch};
  }
};

/// Calls `row(destination offset, source offset)` for every row of the box.
template <class Row>
void for_each_row(const Side& destination, const Side& source, const Box& box, Row row) {
  for (std::uint64_t z = 0; z < box.depth; ++z) {
    for (std::uint64_t y = 0; y < box.height; ++y) {
      row(destination.offset(z, y), source.offset(z, y));
    }
  }
}

/// Sectors of device memory that a copy of the box moves on this side: engines move whole ones, row
/// by row, so that narrow rows cost more than their bytes. @param rows_adjoin  on both sides: the
/// box is one row
[[nodiscard]] std::uint64_t count_sectors(const Side& side, const Box& box, bool rows_adjoin);
/// Whether each row of a side begins where the one before it ends.
[[nodiscard]] bool rows_adjoin(const Side& side, const Box& box);

/// Copies a box inside this process. A row may overlap its copy.
void copy_box(const Side& destination, const Side& source, const Box& box);

}  // namespace warpsim::cudart
