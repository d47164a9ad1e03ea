#pragma once

#include "emulator/checkers/races/site.h"

namespace warpsim {

/// Two volatile or atomic accesses that meet with nothing that orders them have a defined result,
/// and mostly it is meant so: a loop waits for a flag, a lock is tried again. What is worth a
/// warning is where the result is one of several and the program does not look which.
/// @param a, b  the instructions of conflict.first and conflict.second
[[nodiscard]] bool worth_a_warning(const Conflict& conflict, const RaceSite& a, const RaceSite& b);

/// True for an atomic, of two that meet.
[[nodiscard]] bool is_atomic(const RaceSite& site);
[[nodiscard]] bool is_volatile(const RaceSite& site);

}  // namespace warpsim
