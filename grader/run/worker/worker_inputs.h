#pragma once

#include "grader/run/device/device.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether workers can only use descriptors that they get (harness/worker/lockdown.h).
[[nodiscard]] inline bool locks_workers(const Device& device) {
  return device.kind == DeviceKind::emulator && device.sandbox.on();
}

/// How workers get inputs that others get, too: a descriptor is for those that can only read it.
[[nodiscard]] inline InputsBy inputs_by(const Device& device) {
  return locks_workers(device) ? InputsBy::descriptor : InputsBy::files;
}

}  // namespace warpgrade
