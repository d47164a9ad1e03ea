#pragma once

#include <cstddef>
#include <span>

#include "emulator/machine/observer.h"
#include "emulator/machine/observer_slots.h"

namespace warpsim {

/// The checkers of device code, in the order in which they are called.
[[nodiscard]] std::span<const CheckerEntry> all_checkers();

/// Whose slot is which, of those that keep something with things of the machine.
enum CheckerSlot : std::size_t { kRaceSlot, kUninitializedSlot, kProxySlot, kCheckerSlots };
static_assert(kCheckerSlots <= ObserverSlots::kCount);

}  // namespace warpsim
