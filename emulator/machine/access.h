#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/observer.h"

// The path of an access to memory: alignment, counters, where its bytes are, observers, what is
// initialized. All of this is compiled once; loads and stores that repeat a known pattern take the
// fast path in emulator/isa/handlers/memory_path.h.

namespace warpsim {

/// Where the lanes' bytes are. Lanes that may not make the access are not in `lanes`: their loads
/// give the poison pattern and their stores are dropped.
struct Located {
  alignas(64) std::uint64_t address[kWarpSize];  // device address or offset, inactive lanes too
  std::byte* host[kWarpSize];  // for active lanes
  std::uint32_t lanes = 0;
  bool fatal = false;  // a card would have stopped the kernel
};

/// What the active lanes of a warp ask of memory.
struct AccessRequest {
  const Inst& in;
  /// global (also for constants), shared, local or generic; param: parameters of calls, which are
  /// local memory at addresses that the compiler made.
  ptx::Space space = ptx::Space::global;
  AccessType type = AccessType::load;
  std::uint32_t width = 0;  // bytes per lane
  const StoredValues* values = nullptr;  // of a store, where they are known
};

/// Checks the alignment of the active lanes and counts the access; a generic one is counted when it
/// is settled.
/// @param address  32 of them, as Located::address
/// @returns false when lanes are not aligned, which is reported
[[nodiscard]] bool begin_access(WarpContext& context, const AccessRequest& request,
                                const std::uint64_t* address);
/// Finds the bytes at `at.address`, reports lanes that may not have them, and calls the observers.
void settle_access(WarpContext& context, const AccessRequest& request, Located& at);

/// Tells the observers of what copy engines and functions of the system move.
void tell_transfer(WarpContext& context, const Inst& in, std::uint64_t address, std::uint64_t bytes,
                   AccessType type);
void tell_fence(WarpContext& context, const Inst& in);

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

/// What a lane's load gives that may not happen: recognisable, and the same in every run; 0 in an
/// experiment with such accesses.
[[nodiscard]] std::uint64_t missing_value(const WarpContext& context);

/// Reports active lanes that are not aligned to `align` bytes. @returns true when there are any
bool check_alignment(WarpContext& context, const Inst& in, const std::uint64_t* address,
                     std::uint32_t align, std::string_view space);

// -- what is initialized (shadow.cpp) -------------------------------------------------------------

/// Checks or sets the shadow of located lanes.
void check_written(WarpContext& context, const Inst& in, std::uint32_t width, const Located& at);
void mark_written(WarpContext& context, std::uint32_t width, const Located& at);

/// Lanes of a shuffle get values of lanes that take no part in it: they are undefined.
/// @param source  by lane, the lane that it reads
void shuffle_undefined(WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint32_t* source);

/// Looks whether all of the block's shared memory is initialized by now, so that its shadow need
/// not be asked any more.
void scan_shared(BlockContext& block);

// -- what they cost (count_access.cpp) ------------------------------------------------------------

/// Counts an access of the active lanes to global, shared or local memory.
/// @param address  as Located::address
void count_access(WarpContext& context, const AccessRequest& request, const std::uint64_t* address);
/// The same of generic addresses that are all in one window, that of `request.space`.
void count_generic(WarpContext& context, const AccessRequest& request,
                   const std::uint64_t* address);
/// A global load or store of some lanes.
void count_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t mask, std::uint32_t width);
/// Tells the cache model of a global load or store that repeats the shape and the phase of its last
/// time; that one's lines are listed.
void count_known_lines(WarpContext& context, const Inst& in, std::uint64_t first);
/// Tells the cache model of a global load of a whole warp.
/// @param first  the first lane's address
/// @param memo  what sector_cost says of the shape where the first lane is as far into its line
void count_lines_of(WarpContext& context, const Inst& in, std::uint64_t first,
                    const LaneShape& shape, const PatternMemo& memo);

}  // namespace warpsim
