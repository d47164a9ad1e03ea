#pragma once

#include <array>
#include <cstdint>

#include "emulator/checkers/races/block.h"
#include "emulator/checkers/races/pieces.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"

namespace warpsim {

/// A static instruction that accesses memory or orders accesses, and what its modifiers mean for
/// the memory model.
struct RaceSite {
  const Program* program = nullptr;
  const Inst* inst = nullptr;
  std::uint32_t number = 0;
  std::uint32_t traits = 0;  // AccessTrait, without kWriteAccess
  std::uint32_t signal_traits = 0;  // the same of a store by one lane
  bool releases = false;
  bool relaxed = false;
  bool system = false;  // volatile, or of the system's scope: host code may take part
  bool constant = false;  // reads what no kernel writes
  bool polls = false;  // a loop waits for what it reads (polls.h)
  bool draws = false;  // its result tells which thread came before
  SyncScope scope = SyncScope::device;  // of an atomic, a fence or an arrival
};

/// The number in its function's text of the instruction with a number in its program, which has
/// helpers as well. It is not the implicit return.
inline std::uint32_t text_index(const Program& program, std::size_t index) {
  return static_cast<std::uint32_t>(program.source[index] - program.function->instructions.data());
}

/// What a worker remembers of a static instruction.
struct RaceMemo {
  const RaceSite* site = nullptr;  // null until it is first executed
  RacePieces pieces;
  // Of its last access: the allocation.
  std::uint64_t begin = 0, end = 0;
  std::uint32_t region = 0;  // its number
  // Of its last loads: how their lanes lay, the last one first.
  std::array<const LoadPlaces*, 4> places = {};
  std::uint32_t places_version = 0;  // LaneShape::version of the first; 0: none
  std::uint32_t places_made = 0;
};

/// Makes the launch's record of an instruction (site.cpp).
const RaceSite& new_race_site(WarpContext& context, const Inst& in);

inline RaceMemo& race_memo_of(const WarpContext& context, const Inst& in) {
  return context.tables->slots.get<RaceMemo>(kRaceSlot)[in.index];
}

inline const RaceSite& race_site_of(WarpContext& context, const Inst& in) {
  const RaceSite* site = race_memo_of(context, in).site;
  return site != nullptr ? *site : new_race_site(context, in);
}

inline Epoch race_epoch(const WarpContext& context, const RaceSite& site, std::uint32_t lanes,
                        AccessType type) {
  const WarpOrder& order = races_of(*context.block).order.warp(context.warp.warp_index);
  std::uint32_t traits = site.traits;
  // One lane that stores a volatile word is a signal rather than an exchange in lock-step.
  // (No lanes make no access.)
  if (type == AccessType::store && (lanes & (lanes - 1)) == 0) traits = site.signal_traits;
  if (type != AccessType::load) traits |= kWriteAccess;
  return Epoch::of(order.now, site.number, context.warp.warp_index, traits);
}

}  // namespace warpsim
