#include "emulator/machine/atomic_costs.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/control_flow.h"
#include "emulator/machine/flagged.h"
#include "emulator/machine/program.h"

namespace warpsim {
namespace {

/// Whether `ptxas` reduces such values over a warp (REDUX): integers of 32 bits, and where the old
/// value is needed only sums.
bool can_combine(const Description& does, bool returns) {
  if (ptx::size_bytes(does.type) != 4 || ptx::is_float(does.type)) return false;
  switch (does.atomic) {
    case AtomicOperation::add:
      return true;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
    case AtomicOperation::minimum:
    case AtomicOperation::maximum:
      return !returns;
    default:
      return false;
  }
}

/// @param returns  the old value is used
SharedAtomic way_in_shared(const Description& does, const ptx::Instruction& atomic, bool returns) {
  const std::size_t bytes = ptx::size_bytes(does.type);
  if (does.atomic == AtomicOperation::compare_and_swap) {
    return bytes < 4 ? SharedAtomic::loop : SharedAtomic::compared;
  }
  if (does.atomic == AtomicOperation::exchange) return SharedAtomic::one;
  if (ptx::is_float(does.type) || bytes != 4) return SharedAtomic::loop;
  const ptx::Operand& value = atomic.operands.back();
  const bool adds_one = does.atomic == AtomicOperation::add &&
                        value.kind == ptx::Operand::Kind::immediate && value.bits == 1;
  return adds_one && !returns ? SharedAtomic::counted : SharedAtomic::one;
}

/// Whether the compiler can tell that all threads of a warp have one address.
bool is_one_address(const ptx::Instruction& atomic, const std::vector<bool>& divergent) {
  const auto address = std::ranges::find(atomic.operands, ptx::Operand::Kind::address,
                                         [](const ptx::Operand& operand) { return operand.kind; });
  return address != atomic.operands.end() &&
         (address->reg == ptx::kNoIndex || !divergent[address->reg]);
}

}  // namespace

std::vector<AtomicCost> atomic_costs(const Program& program) {
  std::vector<AtomicCost> costs;
  std::vector<bool> divergent;
  const std::vector<bool> dead = flagged(program, kDeadResult);
  for (std::size_t i = 0; i < program.source.size(); ++i) {
    const AccessKind kind = program.access[i];
    const bool is_global =
        kind == AccessKind::global_atomic || kind == AccessKind::global_reduction;
    if (!is_global && kind != AccessKind::shared_atomic) continue;
    // An address in the shared memory of a cluster may turn out to be elsewhere.
    costs.resize(program.source.size());
    const Description does = describe(*program.source[i]);
    // A generic address may turn out to be in shared memory.
    costs[i].shared = way_in_shared(does, *program.source[i], !dead[i]);
    if (!is_global) continue;
    if (divergent.empty()) divergent = divergent_registers(*program.function);
    costs[i].is_float = ptx::is_float(does.type);
    costs[i].combined = can_combine(does, kind == AccessKind::global_atomic) &&
                        is_one_address(*program.source[i], divergent);
  }
  return costs;
}

}  // namespace warpsim
