#include "emulator/checkers/races/learning.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/context.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

bool may_order(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  switch (does.effect) {
    case Effect::pure:
    case Effect::collective:
    case Effect::branch:
      return false;
    case Effect::load:
    case Effect::store:
      return does.strong() || does.asynchronous || does.bulk != BulkUse::none;
    case Effect::atomic:
      return does.acquire || does.release || does.acquire_and_release;
    case Effect::barrier:
      return does.convergence != Convergence::block && does.convergence != Convergence::warp;
    case Effect::other: {
      const bool computes = does.has_result && does.control == Control::next;
      return does.asynchronous || address_of(instruction) != nullptr ||
             !(computes || transfers_control(does.control));
    }
    case Effect::call:
    case Effect::harmless:  // a fence may be one
      return true;
  }
  return true;
}

}  // namespace

bool synchronizes(const ptx::Function& function) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (may_order(function.instructions[i]) || polls(function, i)) return true;
  }
  return false;
}

bool blocks_may_learn(const LaunchState& launch) {
  // Blocks of a cluster can wait for each other whatever the program is.
  if (launch.cluster.count() > 1) return true;
  if (!launch.serial) return false;
  return launch.program->kernel->has_calls || synchronizes(*launch.program->function);
}

}  // namespace warpsim
