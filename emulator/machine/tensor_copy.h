#pragma once

#include <cstdint>

#include "emulator/isa/warp.h"
#include "emulator/machine/async.h"
#include "emulator/machine/program.h"

// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: one thread copies a box of an array, which
// a tensor map describes. Inst::extra is the instruction's TensorOperands.

namespace warpsim {

struct TensorOperands {
  enum class Kind : std::uint8_t { load, store, prefetch };
  Kind kind = Kind::load;
  BulkReduction reduction = BulkReduction::none;
  std::uint8_t rank = 0;
  AddressOperand map, shared, barrier;
  std::int32_t coordinates[5] = {};  // slots, the innermost dimension first
  std::int32_t mask = -1;  // blocks of a multicast
};

/// Those of one instruction, kept as long as the process lives. Not in the handlers, whose code
/// each SIMD level has for itself.
[[nodiscard]] TensorOperands& new_tensor_operands();

const Inst* copy_tensor(Warp& warp, const Inst& in);

}  // namespace warpsim
