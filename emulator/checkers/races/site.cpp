#include "emulator/checkers/races/site.h"

#include <algorithm>

#include "emulator/checkers/races/races.h"
#include "emulator/isa/description.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

RaceSite make_site(const Program& program, const Inst& in, bool in_cluster) {
  RaceSite site;
  site.program = &program;
  site.inst = &in;
  const ptx::Instruction* source = program.source[in.index];
  if (source == nullptr) return site;
  const Description does = describe(*source);
  if (does.strong()) site.traits |= kStrongAccess;
  if (does.is_volatile) site.traits |= kPlainVolatile;
  switch (does.atomic) {
    case AtomicOperation::compare_and_swap:
    case AtomicOperation::minimum:
    case AtomicOperation::maximum:
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
      site.traits |= kValidating;
      break;
    default:
      break;
  }
  // A cluster of one block is that block.
  if (does.scope == Scope::block || (does.scope == Scope::cluster && !in_cluster)) {
    site.traits |= kBlockScope;
    site.scope = SyncScope::block;
  } else if (does.scope == Scope::cluster) {
    site.traits |= kClusterScope;
    site.scope = SyncScope::cluster;
  }
  site.signal_traits = does.is_volatile ? site.traits | kVolatileSignal : site.traits;
  site.constant = program.access[in.index] == AccessKind::constant_load;
  site.releases = does.release || does.acquire_and_release;
  site.relaxed = does.relaxed;
  site.system = does.is_volatile || does.mmio || does.scope == Scope::system;
  if ((site.traits & kStrongAccess) != 0) {
    site.polls = polls(*program.function, text_index(program, in.index));
    site.draws = draws(*program.function, text_index(program, in.index));
  }
  return site;
}

}  // namespace

/// Numbers depend on which host thread came first, so nothing else may.
const RaceSite& new_race_site(WarpContext& context, const Inst& in) {
  const RaceSite*& site = race_memo_of(context, in).site;
  LaunchRaces& races = races_of(*context.block->launch);
  const std::lock_guard lock(races.mutex);
  const auto known =
      std::ranges::find(races.sites, &in, [](const RaceSite& other) { return other.inst; });
  if (known != races.sites.end()) {
    site = &*known;
  } else {
    races.sites.push_back(make_site(*context.frame().program, in, races.cluster_blocks > 1));
    races.sites.back().number =
        std::min(static_cast<std::uint32_t>(races.sites.size() - 1), Epoch::kMaxSite);
    site = &races.sites.back();
  }
  return *site;
}

}  // namespace warpsim
