#pragma once

#include <cstdint>
#include <initializer_list>

#include "emulator/changes/changes.h"
#include "emulator/cudart/runtime.h"

namespace warpsim::cudart {

/// The bytes of a call as changed by an experiment: several times as many, if it has a change of
/// this kind and each array of the device at `places` has them.
[[nodiscard]] std::uint64_t changed_size(Runtime& runtime, Change::Kind kind, std::uint64_t bytes,
                                         std::initializer_list<const void*> places);

}  // namespace warpsim::cudart
