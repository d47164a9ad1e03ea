#pragma once

#include "emulator/isa/inst.h"

namespace warpsim {

/// An experiment: stands in the place of a load's handler (Program::in_turn). The lanes execute
/// everything from the load to the store of the same place one after the other, as an atomic
/// operation on the place would. Nothing else runs meanwhile, as a warp only gives way where it
/// branches or waits, and nothing between the two does.
const Inst* run_in_turn(Warp& warp, const Inst& in);

}  // namespace warpsim
