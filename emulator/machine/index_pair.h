#pragma once

#include "emulator/isa/inst.h"

namespace warpsim {

/// An experiment: stands in the place of the handler of a load or a store (Program::index_pairs).
/// Its lanes access the element that they would with the two indices exchanged, if the array has
/// the size that the change names. Needs an address register.
const Inst* run_with_pair_exchanged(Warp& warp, const Inst& in);

}  // namespace warpsim
