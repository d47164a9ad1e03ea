#include "emulator/machine/atomic_costs.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/control_flow.h"
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
  for (std::size_t i = 0; i < program.source.size(); ++i) {
    const AccessKind kind = program.access[i];
    const bool is_global =
        kind == AccessKind::global_atomic || kind == AccessKind::global_reduction;
    if (!is_global && kind != AccessKind::shared_atomic) continue;
    // An address in the shared memory of a cluster may turn out to be elsewhere.
    costs.resize(program.source.size());
    if (!is_global) continue;
    if (divergent.empty()) divergent = divergent_registers(*program.function);
    const Description does = describe(*program.source[i]);
    costs[i].is_float = ptx::is_float(does.type);
    costs[i].combined = can_combine(does, kind == AccessKind::global_atomic) &&
                        is_one_address(*program.source[i], divergent);
  }
  return costs;
}

}  // namespace warpsim
