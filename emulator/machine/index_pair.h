#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "emulator/changes/changes.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/program.h"

namespace warpsim {

/// An experiment: an access whose two indices are exchanged.
struct IndexPair {
  Handler access = nullptr;  // its own handler
  const Change* change = nullptr;
  ptx::Space space = ptx::Space::global;
  bool wide = true;  // the address register has 64 bits
  std::atomic<bool> made = false;  // at least one lane's element was another
};

/// A program of a run with changes.
struct ChangedProgram : Program {
  mutable std::unordered_map<std::uint32_t, IndexPair> index_pairs;  // by the index of the access
};

/// Stands in the place of the handler of a load or a store in a ChangedProgram. Its lanes access
/// the element that they would with the two indices exchanged, in arrays that the change is about.
/// Needs an address register.
const Inst* run_with_pair_exchanged(Warp& warp, const Inst& in);

}  // namespace warpsim
