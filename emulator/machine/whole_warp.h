#pragma once

#include <cstdint>

#include "emulator/isa/warp.h"

namespace warpsim {

/// Makes the whole warp meet at `in`, as instructions on matrices need it. When threads of the warp
/// have ended or never were, that is reported and the rest executes the instruction.
///
/// @returns nullptr when the instruction can execute; otherwise what the handler has to return
[[nodiscard]] const Inst* wait_for_whole_warp(Warp& warp, const Inst& in);

}  // namespace warpsim
