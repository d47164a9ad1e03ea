#pragma once

#include <memory>

#include "emulator/machine/observer.h"

namespace warpsim {

/// Finds shared memory that threads have written and that an asynchronous operation (wgmma, a bulk
/// copy) reads without a fence.proxy.async between: the operation may read what was there before.
[[nodiscard]] std::unique_ptr<Observer> make_proxy_checker();

}  // namespace warpsim
