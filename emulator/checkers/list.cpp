#include <array>

#include "emulator/checkers/races/races.h"
#include "emulator/checkers/read_only/read_only.h"
#include "emulator/checkers/unused_stores/unused_stores.h"
#include "emulator/machine/checker.h"

// The list of checkers of device code that watch a launch as a whole. What looks at one fault, one
// warp or one block is called where it happens (machine/faults.h), and uninitialized values are
// followed by machine/value_hooks.h.

namespace warpsim {

std::span<const CheckerEntry> all_checkers() {
  static constexpr std::array kCheckers = {
      CheckerEntry{.name = "races", .option = &CheckOptions::races, .make = make_race_checker},
      CheckerEntry{
          .name = "read-only", .option = &CheckOptions::read_only, .make = make_read_only_checker},
      CheckerEntry{.name = "unused-stores", .make = make_unused_store_checker},
  };
  return kCheckers;
}

}  // namespace warpsim
