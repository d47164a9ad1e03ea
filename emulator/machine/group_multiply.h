#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/isa/group_operand.h"
#include "emulator/isa/warp.h"

// wgmma's part in the machine, compiled once for all SIMD levels: where operands are in shared
// memory, and what is under way. Inst::extra is the instruction's GroupMultiply.
//
// Products are computed when they are issued. Until they are waited for, other uses of their
// registers, and changes of their operands, are faults.

namespace warpsim {

/// What a warp multiplies: 32 bytes along k for each row of A and each column of B.
struct GroupOperands {
  alignas(64) std::byte a[GroupMultiply::kRows][GroupMultiply::kRowBytes];
  alignas(64) std::byte b[GroupMultiply::kMostColumns][GroupMultiply::kRowBytes];
};

/// Waits for the whole warp, checks the warp group, and reads the operands in shared memory.
/// @returns nullptr when the warp can multiply; otherwise what the handler has to return
[[nodiscard]] const Inst* begin_group_multiply(Warp& warp, const Inst& in, GroupOperands& operands);

const Inst* fence_group(Warp& warp, const Inst& in);
const Inst* commit_group(Warp& warp, const Inst& in);
/// Inst::imm: groups that may stay under way.
const Inst* wait_group(Warp& warp, const Inst& in);

}  // namespace warpsim
