#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/box.h"

// Moves the bytes of a copy, in this process or in the program's memory.

namespace warpsim::cudart {

/// The location of one side of a copy.
struct Place {
  Side side;
  bool of_program;  // addresses are the program's; otherwise this process's
};

/// Memory of no allocation is the program's own.
[[nodiscard]] Place place_of(const PointerView& pointer, Side side);

/// At most one of the places is in the program's memory.
void move_box(const Place& to, const Place& from, const Box& box);

/// May change a row on its way. @param z, y  its slice, and its number there
using ChangeRow = std::function<void(std::span<std::byte> row, std::uint64_t z, std::uint64_t y)>;
/// Copies between any two places through a buffer, some rows at a time.
/// @param change  null: no changes
void move_through_buffer(const Place& to, const Place& from, const Box& box,
                         const ChangeRow& change);

}  // namespace warpsim::cudart
