#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"

// What memory handlers call when their fast path does not settle an access. All of this is
// compiled once; the fast paths are in emulator/isa/handlers/memory_lanes.h.

namespace warpsim {

/// Where the lanes' bytes are. Lanes that may not make the access are not in `lanes`: their loads
/// give the poison pattern and their stores are dropped.
struct Located {
  alignas(64) std::uint64_t address[kWarpSize];  // device address or offset, inactive lanes too
  std::byte* host[kWarpSize];  // for active lanes
  std::uint32_t lanes = 0;
  bool fatal = false;  // a card would have stopped the kernel
};

// -- where they are (locate.cpp) ------------------------------------------------------------------

/// Finds each active lane's bytes in global memory and reports lanes outside live allocations.
/// Remembers the allocation of the first good lane for the instruction.
void locate_global(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                   Located& at);
/// As locate_global for shared memory; `at.address` holds offsets.
void locate_shared(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                   Located& at);
void locate_local(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                  Located& at);
/// Addresses of any window, mixed.
void locate_generic(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                    Located& at);

/// What a lane's load gives that may not happen: recognisable, and the same in every run; 0 in an
/// experiment with such accesses.
[[nodiscard]] std::uint64_t missing_value(const WarpContext& context);

/// Reports active lanes that are not aligned to `align` bytes. @returns true when there are any
bool check_alignment(WarpContext& context, const Inst& in, const std::uint64_t* address,
                     std::uint32_t align, const char* space);

// -- what has been written (shadow.cpp) -----------------------------------------------------------

/// Checks or sets the shadow of located lanes (uninitialized reads).
void check_written(WarpContext& context, const Inst& in, std::uint32_t width, const Located& at);
void mark_written(WarpContext& context, std::uint32_t width, const Located& at);

/// Looks whether all of the block's shared memory is written by now, so that its shadow need not be
/// asked any more.
void scan_shared(BlockContext& block);

// -- what they cost (count_access.cpp) ------------------------------------------------------------

/// Counts a global, local or constant access by its addresses; shared by its offsets.
void count_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t mask, std::uint32_t width);
/// Tells the cache model of a global load or store that repeats the shape and the phase of its last
/// time; that one's lines are listed.
void count_known_lines(WarpContext& context, const Inst& in, std::uint64_t first);
void count_global_atomic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                         std::uint32_t mask, std::uint32_t width);
void count_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                  std::uint32_t mask, std::uint32_t width);
void count_shared_atomic(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t mask, std::uint32_t width);
void count_local(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                 std::uint32_t mask, std::uint32_t width);

/// Shared or local memory through a generic address.
void count_generic_shared(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                          std::uint32_t mask, std::uint32_t width, AccessType type);
void count_generic_local(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                         std::uint32_t mask, std::uint32_t width, AccessType type);

}  // namespace warpsim
