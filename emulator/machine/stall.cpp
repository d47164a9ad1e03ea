#include "emulator/machine/stall.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/budget.h"
#include "emulator/machine/context.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

thread_local std::uint64_t state_of_thread = 0;

}  // namespace

bool may_stall(const Kernel& kernel) {
  if (kernel.entry != nullptr) return kernel.entry->order_sensitive || kernel.has_calls;
  const auto may = [](const ptx::Instruction& instruction) {
    const Description does = describe(instruction);
    const bool reads = does.effect == Effect::load || does.effect == Effect::atomic;
    return does.effect == Effect::call || (reads && does.strong());
  };
  return std::ranges::any_of(kernel.ref->function->instructions, may);
}

std::uint64_t stalled_state() {
  return state_of_thread;
}

void set_stalled_state(std::uint64_t state) {
  state_of_thread = state;
}

void forgive_instructions(const Worker& worker) {
  LaunchState& launch = *worker.launch;
  const std::uint64_t budget = launch.options.instruction_budget;
  launch.budget = (budget == 0 ? kDefaultBudget : budget) + executed_by_resident(worker);
}

}  // namespace warpsim
