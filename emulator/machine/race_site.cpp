#include "emulator/machine/race_site.h"

#include <algorithm>
#include <string_view>

#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"
#include "emulator/machine/races.h"

namespace warpsim {
namespace {

RaceSite make_site(const Program& program, const Inst& in, bool in_cluster) {
  RaceSite site;
  site.program = &program;
  site.inst = &in;
  const ptx::Instruction* source = program.source[in.index];
  if (source == nullptr) return site;
  const auto has = [&](std::string_view modifier) { return source->has(modifier); };
  const bool atomic = source->opcode == "atom" || source->opcode == "red";
  const bool is_volatile = has("volatile");
  if (atomic || is_volatile || has("relaxed") || has("acquire") || has("release") || has("mmio")) {
    site.traits |= kStrongAccess;
  }
  if (is_volatile) site.traits |= kPlainVolatile;
  if (atomic && (has("cas") || has("min") || has("max") || has("and") || has("or"))) {
    site.traits |= kValidating;
  }
  // A cluster of one block is that block. An mbarrier is the block's unless it says otherwise.
  const bool of_cluster = has("cluster");
  if (has("cta") || (of_cluster && !in_cluster) || (source->opcode == "mbarrier" && !of_cluster)) {
    site.traits |= kBlockScope;
    site.scope = SyncScope::block;
  } else if (of_cluster) {
    site.traits |= kClusterScope;
    site.scope = SyncScope::cluster;
  }
  site.signal_traits = is_volatile ? site.traits | kVolatileSignal : site.traits;
  site.constant = program.access[in.index] == AccessKind::constant_load;
  site.releases = has("release") || has("acq_rel");
  site.relaxed = has("relaxed");
  site.system = is_volatile || has("sys") || has("mmio");
  if ((site.traits & kStrongAccess) != 0) {
    site.polls = polls(*program.function, in.index);
    site.draws = draws(*program.function, in.index);
  }
  return site;
}

}  // namespace

/// Numbers depend on which host thread came first, so nothing else may.
const RaceSite& new_race_site(WarpContext& context, const Inst& in) {
  const RaceSite*& site = context.tables->race_memos[in.index].site;
  LaunchRaces& races = *context.block->launch->races;
  const std::lock_guard lock(races.mutex);
  const auto known =
      std::ranges::find(races.sites, &in, [](const RaceSite& other) { return other.inst; });
  if (known != races.sites.end()) {
    site = &*known;
  } else {
    races.sites.push_back(make_site(*context.frame().program, in, races.cluster_blocks > 1));
    races.sites.back().number =
        std::min(static_cast<std::uint32_t>(races.sites.size() - 1), Stamp::kMaxSite);
    site = &races.sites.back();
  }
  return *site;
}

}  // namespace warpsim
