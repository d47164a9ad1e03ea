#include "emulator/checkers/list.h"

#include <array>

#include "emulator/checkers/faults/faults.h"
#include "emulator/checkers/proxies/proxies.h"
#include "emulator/checkers/races/races.h"
#include "emulator/checkers/read_only/read_only.h"
#include "emulator/checkers/uninitialized/tracking.h"
#include "emulator/checkers/unused_stores/unused_stores.h"
#include "emulator/machine/launch.h"

namespace warpsim {

std::span<const CheckerEntry> all_checkers() {
  static constexpr std::array kCheckers = {
      CheckerEntry{.name = "bounds",
                   .option = &CheckOptions::bounds,
                   .always = true,
                   .make = make_fault_checker},
      CheckerEntry{.name = "uninitialized",
                   .option = &CheckOptions::unwritten,
                   .make = make_uninitialized_checker},
      CheckerEntry{.name = "races", .option = &CheckOptions::races, .make = make_race_checker},
      CheckerEntry{
          .name = "read-only", .option = &CheckOptions::read_only, .make = make_read_only_checker},
      CheckerEntry{
          .name = "barriers", .option = &CheckOptions::barriers, .make = make_proxy_checker},
      CheckerEntry{.name = "unused-stores", .make = make_unused_store_checker},
  };
  return kCheckers;
}

}  // namespace warpsim
