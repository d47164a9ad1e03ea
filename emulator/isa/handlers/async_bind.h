#pragma once

#include <memory>

#include "emulator/isa/handlers/bind.h"
#include "emulator/machine/address.h"
#include "emulator/machine/decoder.h"

// Operands of asynchronous instructions, which have more addresses than an Inst has room for.

namespace warpsim::WARPSIM_SIMD {

/// Makes the instruction's operands, owned by its program.
inline AsyncOperands& make_async_operands(Binder& b) {
  auto& all = decoder_of(b).program().async_operands;
  all.push_back(std::make_unique<AsyncOperands>());
  b.inst.extra = all.back().get();
  return *all.back();
}

/// An address operand in a state space: shared (own or cluster), global or generic.
inline AddressOperand bind_async_address(Binder& b, const ptx::Operand& operand, bool shared) {
  AddressOperand address;
  address.shared = shared;
  if (operand.reg != ptx::kNoIndex) {
    address.slot = b.value_slot(operand.reg);
    address.wide = ptx::size_bytes(decoder_of(b).register_type(operand.reg)) == 8;
    address.add = static_cast<u64>(operand.offset);
    return address;
  }
  address.wide = true;
  address.slot = operand.text.empty()
                     ? decoder_of(b).constant_slot(static_cast<u64>(operand.offset), 8)
                     : decoder_of(b).symbol_slot(operand, 8);
  return address;
}

inline AddressOperand bind_async_address(Binder& b, std::size_t i, bool shared) {
  return bind_async_address(b, b.operand(i), shared);
}

/// Consumes .shared, .shared::cta or .shared::cluster.
inline bool take_any_shared(Binder& b) {
  return b.take_one_of({"shared::cta", "shared::cluster", "shared"}) >= 0;
}

}  // namespace warpsim::WARPSIM_SIMD
