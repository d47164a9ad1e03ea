#include "emulator/cudart/byte_moves.h"

#include <algorithm>
#include <vector>

#include "emulator/cudart/host_program.h"

namespace warpsim::cudart {

Place place_of(const PointerView& pointer, Side side) {
  if (pointer.allocation == nullptr) return {side, true};
  const GlobalMemory::Allocation& allocation = *pointer.allocation;
  side.address =
      reinterpret_cast<std::uint64_t>(allocation.host) + (side.address - allocation.base);
  return {side, false};
}

void move_box(const Place& to, const Place& from, const Box& box) {
  HostProgram& program = HostProgram::get();
  if (to.of_program) return program.write_box(to.side, from.side, box);
  if (from.of_program) return program.read_box(to.side, from.side, box);
  copy_box(to.side, from.side, box);
}

void move_through_buffer(const Place& to, const Place& from, const Box& box,
                         const ChangeRow& change) {
  constexpr std::uint64_t kBytesAtOnce = std::uint64_t{1} << 20;
  const std::uint64_t rows_at_once =
      std::clamp<std::uint64_t>(kBytesAtOnce / box.width, 1, box.height);
  std::vector<std::byte> buffer(rows_at_once * box.width);
  const Place middle = {.side = {reinterpret_cast<std::uint64_t>(buffer.data()), box.width, 0},
                        .of_program = false};
  for (std::uint64_t z = 0; z < box.depth; ++z) {
    for (std::uint64_t y = 0; y < box.height; y += rows_at_once) {
      const Box part = {box.width, std::min(rows_at_once, box.height - y)};
      move_box(middle, {from.side.from_row(z, y), from.of_program}, part);
      for (std::uint64_t row = 0; change && row < part.height; ++row) {
        change(std::span(buffer).subspan(row * box.width, box.width), z, y + row);
      }
      move_box({to.side.from_row(z, y), to.of_program}, middle, part);
    }
  }
}

}  // namespace warpsim::cudart
