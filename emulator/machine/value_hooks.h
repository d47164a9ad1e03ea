#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/isa/inst.h"
#include "emulator/ptx/type.h"

// What the machine tells the checker of uninitialized values. The machine declares it and
// checkers/uninitialized/ defines it. A load that meets uninitialized bytes puts its warp into
// tracking mode, a run loop of the checker's; until then nothing here is called but track_load.

namespace warpsim {

struct Frame;
struct Located;
struct ParameterPlace;
struct WarpContext;

/// Makes the destination of a load tainted where it read uninitialized bytes, and starts tracking.
/// @param at  the places that it read; the shadow says which bytes are uninitialized
/// @param bad  lanes with such bytes
/// @returns false when the instruction is not a load into registers: it uses the bytes at once
bool track_load(WarpContext& context, const Inst& in, const Located& at, std::uint32_t bad,
                ptx::Space space);

/// Makes the destination of a shuffle tainted in `lanes`, whose sources take no part in it, and
/// starts tracking.
/// @param source  by lane, the lane that it reads
void track_shuffle(WarpContext& context, const Inst& in, std::uint32_t lanes,
                   const std::uint32_t* source);

/// Runs the warp from `pc` as the normal loop would, and follows tainted values meanwhile.
/// @returns where to go on, with Warp::stop set, or kStop
[[nodiscard]] const Inst* run_tracked(WarpContext& context, const Inst* pc);
/// Executes one instruction of a warp that tracks values, which may end that.
/// @returns where to go on
[[nodiscard]] const Inst* execute_tracked(WarpContext& context, const Inst& in);

// -- only when WarpContext::tracking is not null --------------------------------------------------

/// A new frame's registers hold nothing yet.
void track_frame(WarpContext& context, const Frame& frame, std::uint32_t lanes);
/// `bytes` of local memory were copied to another place (call parameters).
void track_copy(WarpContext& context, std::uint32_t lanes, std::uint32_t to, std::uint32_t from,
                std::uint32_t bytes);
/// The emulator wrote bytes of a lane's local memory.
void track_result(WarpContext& context, int lane, std::uint32_t offset, std::uint32_t bytes);
/// A lane's result of a call is computed from an argument: where bytes of that depend on
/// uninitialized memory, all bytes of the result do.
void track_computed(WarpContext& context, int lane, const ParameterPlace& result,
                    const ParameterPlace& argument);
/// A function of the system got these bytes of memory as an argument.
void track_argument(WarpContext& context, const Inst& in, int lane, std::uint64_t generic_address,
                    std::size_t bytes);

}  // namespace warpsim
