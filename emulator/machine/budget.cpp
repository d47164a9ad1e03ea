#include "emulator/machine/budget.h"

namespace warpsim {
namespace {

std::uint64_t executed_by(const Cluster& cluster) {
  std::uint64_t sum = 0;
  for (const auto& block : cluster.blocks) {
    if (block->ended) continue;
    for (const auto& warp : block->warps) {
      // A context that was made for another block holds what it did there.
      if (warp->warp.warp_index < block->begun) sum += warp->executed;
    }
  }
  return sum;
}

std::uint64_t executed_together(const WarpContext& context) {
  const BlockContext& block = *context.block;
  if (!block.launch->serial) return executed_by(*block.cluster);
  return executed_by_resident(*context.worker);
}

}  // namespace

bool uses_up_budget(const WarpContext& context) {
  const std::uint64_t budget = context.block->launch->budget;
  return context.executed > budget || executed_together(context) / kSharedBudgets > budget;
}

std::uint64_t executed_by_resident(const Worker& worker) {
  std::uint64_t sum = 0;
  for (const auto& cluster : worker.resident) sum += executed_by(*cluster);
  return sum;
}

}  // namespace warpsim
