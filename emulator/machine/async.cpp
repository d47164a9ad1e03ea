#include "emulator/machine/async.h"

#include <algorithm>
#include <bit>

#include "emulator/machine/address.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/group_state.h"

namespace warpsim {
namespace {

/// Rounds in which everybody waits and nothing changes until that is a deadlock. A thread may do
/// something else after a wait that failed, and it may count how often it failed.
constexpr std::uint32_t kPatience = 2000;

}  // namespace

void DeleteAsync::operator()(AsyncState* state) const {
  delete state;
}

AsyncState& async_of(BlockContext& block) {
  if (block.async == nullptr) {
    block.async.reset(new AsyncState);
    block.async->warps.resize(block.warps.size());
  }
  return *block.async;
}

WarpAsync& async_of(WarpContext& context) {
  return async_of(*context.block).warps[context.warp.warp_index];
}

AsyncSite site_of(const WarpContext& context, const Inst& in, std::uint32_t lanes) {
  return {&context, context.frame().program, &in, lanes, context.executed};
}

Finding finding_at(const AsyncSite& site, FindingKind kind) {
  const LaunchState& launch = *site.warp->block->launch;
  Finding finding(kind);
  finding.kernel = launch.kernel_name;
  const SourcePlace place = source_place(*site.program, site.in->index);
  finding.file = place.file;
  finding.line = place.line;
  finding.where = describe_place(*site.program, *site.in);
  finding.who = describe_thread(*site.warp, std::countr_zero(site.lanes));
  finding.order = {launch.launch_number, site.warp->block->linear,
                   site.warp->warp.warp_index * (std::uint64_t{1} << 40) + site.executed};
  return finding;
}

void generic_addresses(const Warp& warp, const AddressOperand& operand, std::uint64_t* address) {
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
    std::uint64_t value = operand.wide ? warp.reg<std::uint64_t>(operand.slot)[lane]
                                       : warp.reg<std::uint32_t>(operand.slot)[lane];
    value += operand.add;
    if (operand.shared) value = kSharedWindow + static_cast<std::uint32_t>(value);
    address[lane] = value;
  }
}

bool complete_copies(Cluster& cluster) {
  bool any = false;
  for (const auto& block : cluster.blocks) {
    if (block->async == nullptr) continue;
    while (!block->async->deferred.empty()) {
      any = complete_deferred(*block, block->async->deferred.front().barrier) || any;
    }
  }
  return any;
}

bool expire_waits(Cluster& cluster, bool limited) {
  if (limited) {
    cluster.idle_rounds = cluster.changes == cluster.seen_changes ? cluster.idle_rounds + 1 : 0;
    cluster.seen_changes = cluster.changes;
    if (cluster.idle_rounds > kPatience) return false;
  }
  bool any = false;
  for (const auto& block : cluster.blocks) {
    for (const auto& warp : block->warps) {
      for (WarpSplit& group : warp->splits) {
        if (group.state != WarpSplit::State::at_mbarrier) continue;
        group.state = WarpSplit::State::ready;
        group.expired = true;
        any = true;
      }
    }
  }
  return any;
}

void end_block(BlockContext& block) {
  check_warp_groups(block);
  block.ended = true;
  ++block.cluster->changes;
  if (block.async == nullptr) return;
  for (WarpAsync& warp : block.async->warps) {
    for (BulkCopy& copy : warp.bulk) deliver(copy);
    warp.bulk.clear();
  }
  for (const Deferred& next : block.async->deferred) {
    if (next.copy != nullptr) raise(*block.launch, {faults::CopyAfterExit{block, next.site}});
  }
  block.async->deferred.clear();
}

}  // namespace warpsim
