#pragma once

#include "emulator/machine/context.h"

// How the machine tells the observers of a launch of what happens in it.

namespace warpsim {

/// Calls a function of each observer that follows the launch.
template <class... Parameters, class... Arguments>
[[gnu::noinline]] void tell_all(const LaunchState& launch, void (Observer::*what)(Parameters...),
                                Arguments&&... arguments) {
  for (Observer* const observer : launch.observers) (observer->*what)(arguments...);
}

/// The same of a block's launch, where anybody does. Otherwise this is one test.
template <class... Parameters, class... Arguments>
[[gnu::always_inline]] inline void tell(const BlockContext& block,
                                        void (Observer::*what)(Parameters...),
                                        Arguments&&... arguments) {
  if ((block.watch & kEvents) != 0) tell_all(*block.launch, what, arguments...);
}

}  // namespace warpsim
