#include "emulator/checkers/races/block_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "emulator/checkers/races/races.h"
#include "emulator/device/card.h"
#include "emulator/machine/builtins.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

/// Blocks of the toolkit's own algorithms wait for the block before them, and NVIDIA answers for
/// the order in which its cards start them.
bool is_of_toolkit(std::string_view kernel) {
  if (kernel.starts_with("void ")) kernel.remove_prefix(5);
  return kernel.starts_with("cub::") || kernel.starts_with("thrust::");
}

std::uint64_t value_at(const WarpContext& context, int lane, std::uint64_t address,
                       std::uint32_t width) {
  std::uint64_t value = 0;
  read_device_bytes(context, lane, address, &value, std::min<std::uint32_t>(width, sizeof value));
  return value;
}

}  // namespace

std::unique_ptr<BlockWaits> BlockWaits::watch(const LaunchState& launch) {
  const std::uint64_t resident =
      launch.blocks_per_multiprocessor * static_cast<std::uint64_t>(launch.card->multiprocessors);
  if (launch.grid.count() <= resident || is_of_toolkit(launch.kernel_name)) return nullptr;
  const ptx::Function& function = *launch.program->function;
  bool waits = false;
  for (std::uint32_t i = 0; i < function.instructions.size() && !waits; ++i) {
    waits = polls(function, i);
  }
  if (!waits) return nullptr;
  auto watcher = std::make_unique<BlockWaits>();
  watcher->resident_ = resident;
  return watcher;
}

void BlockWaits::access(WarpContext& context, const RaceSite& site, const std::uint64_t* address,
                        std::uint32_t lanes, AccessType type) {
  BlockRaces& races = races_of(*context.block);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (site.polls) {
      if (!races.draws && !races.waits) wait(context, site, lane, address[lane]);
    } else if (type != AccessType::load) {
      races.draws = races.draws || site.draws;
      const auto [word, is_new] = words_.try_emplace(address[lane]);
      if (is_new) word->second.before = value_at(context, lane, address[lane], site.inst->width);
      word->second.writer = context.block->linear;
    }
  }
}

void BlockWaits::wait(WarpContext& context, const RaceSite& site, int lane, std::uint64_t address) {
  const BlockContext& block = *context.block;
  const std::uint64_t cluster = block.launch->cluster.count();
  const auto word = words_.find(address);
  if (word == words_.end() || word->second.writer / cluster == block.linear / cluster) return;
  // A value that was there before the launch, as of a lock that is free again, needs no other
  // block.
  if (value_at(context, lane, address, site.inst->width) == word->second.before) return;
  races_of(block).waits = true;
  if (waiting_++ == 0) {
    first_ = {&site, block.linear, word->second.writer, context.warp.warp_index, lane};
  }
}

void BlockWaits::report(const LaunchState& launch) const {
  if (waiting_ < resident_ || launch.status != LaunchStatus::ok) return;
  Finding f =
      finding_at(launch, *first_.site->program, *first_.site->inst, FindingKind::block_order);
  f.message = "blocks wait for blocks, and nothing says that those have started";
  f.who = fmt::format("{} waits for {}",
                      describe_thread(launch, first_.block, first_.warp, first_.lane),
                      describe_block(launch, first_.writer));
  f.got = fmt::format(
      "{} of {} blocks wait so; the card holds {} at once, and none of those that "
      "wait makes room for another",
      waiting_, launch.grid.count(), resident_);
  f.want = "a wait for blocks only that have started for certain";
  f.next =
      "It works where blocks start in the order of blockIdx, which CUDA does not promise: let each "
      "block draw its number from an atomic counter when it starts.";
  f.order = {launch.launch_number, first_.block, (std::uint64_t{1} << 61) + f.line};
  launch.findings->add(std::move(f));
}

}  // namespace warpsim
