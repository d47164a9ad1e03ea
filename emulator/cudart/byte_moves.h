#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/box.h"

// The bytes of a copy, wherever they are: in this process, or the program's own.

namespace warpsim::cudart {

/// Where the bytes of one side of a copy are.
struct Place {
  Side side;
  bool of_program;  // addresses are the program's; else of this process
};

/// What belongs to no allocation is the program's own memory.
[[nodiscard]] Place place_of(const PointerView& pointer, Side side);

/// At most one of the places is of the program.
void move_box(const Place& to, const Place& from, const Box& box);

/// May change a row on its way. @param z, y  its slice, and its number there
using ChangeRow = std::function<void(std::span<std::byte> row, std::uint64_t z, std::uint64_t y)>;
/// Copies between any two places by way of a buffer, some rows at a time.
/// @param change  null: nothing changes
void move_through_buffer(const Place& to, const Place& from, const Box& box,
                         const ChangeRow& change);

}  // namespace warpsim::cudart
