#include "emulator/cudart/change_launch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "emulator/changes/changes.h"

namespace warpsim::cudart {
namespace {

using Extents = std::array<std::uint32_t, 3>;

Extents extents_of(const Dim3& size) {
  return {size.x, size.y, size.z};
}

Dim3 size_of(const Extents& extents) {
  return {extents[0], extents[1], extents[2]};
}

/// Changes the block size, with enough blocks to cover the same threads along each axis.
/// @returns whether the launch differs and is valid
bool set_block(LaunchOrder& order, const Extents& size) {
  const Extents block = extents_of(order.block);
  Extents grid = extents_of(order.grid);
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    const std::uint64_t threads = std::uint64_t{grid[axis]} * block[axis];
    const std::uint64_t blocks = (threads + size[axis] - 1) / size[axis];
    if (blocks > std::numeric_limits<std::uint32_t>::max()) return false;
    grid[axis] = static_cast<std::uint32_t>(blocks);
  }
  if (block == size) return false;
  order.block = size_of(size);
  order.grid = size_of(grid);
  return true;
}

/// Halves the longest axis until the card can hold a block.
bool fit_block(LaunchOrder& order, const Card& card, const KernelInfo& kernel) {
  std::uint64_t most = static_cast<std::uint64_t>(card.max_threads_per_block);
  const auto& bound = kernel.limits.max_threads;
  if (bound[0] != 0) {
    most =
        std::min(most, std::uint64_t{bound[0]} * std::max(bound[1], 1u) * std::max(bound[2], 1u));
  }
  Extents size = extents_of(order.block);
  while (std::uint64_t{size[0]} * size[1] * size[2] > most) {
    std::uint32_t& longest = *std::max_element(size.begin(), size.end());
    longest = (longest + 1) / 2;
  }
  return set_block(order, size);
}

bool add_block(LaunchOrder& order, const Change& change) {
  Extents grid = extents_of(order.grid);
  std::uint32_t& blocks = grid[change.axis];
  if (change.fewer && blocks <= 1) return false;
  if (change.times > 1) {
    if (blocks > std::numeric_limits<std::uint32_t>::max() / change.times) return false;
    blocks *= change.times;
  } else {
    blocks = change.fewer ? blocks - 1 : blocks + 1;
  }
  order.grid = size_of(grid);
  return true;
}

bool apply(const Change& change, LaunchOrder& order, const Card& card, const KernelInfo& kernel) {
  switch (change.kind) {
    case Change::Kind::blocks:
      return add_block(order, change);
    case Change::Kind::exchange_grid:
      std::swap(order.grid.x, order.grid.y);
      return order.grid.x != order.grid.y;
    case Change::Kind::block:
      return set_block(order, change.size);
    case Change::Kind::fit:
      return fit_block(order, card, kernel);
    default:
      return false;
  }
}

}  // namespace

LaunchOrder changed_launch(const Runtime& runtime, const KernelInfo& kernel,
                           const LaunchOrder& order) {
  LaunchOrder changed = order;
  Changes* changes = runtime.settings.machine.changes.get();
  if (changes == nullptr) return changed;
  for (const Change& change : changes->list()) {
    if (!change.is_about_function(kernel.name)) continue;
    if (apply(change, changed, runtime.card, kernel)) changes->made(change);
  }
  return changed;
}

}  // namespace warpsim::cudart
