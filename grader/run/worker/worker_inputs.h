#pragma once

#include <filesystem>

#include "grader/build/python/build_python.h"
#include "grader/run/device/device.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether workers can only use descriptors that they get (harness/worker/lockdown.h).
[[nodiscard]] inline bool locks_workers(const Device& device) {
  return device.kind == DeviceKind::emulator && device.sandbox.on();
}

/// How workers get inputs that others get, too: a descriptor is for those that can only read it.
/// Submissions in Python read files.
/// @param program  the worker's
[[nodiscard]] inline InputsBy inputs_by(const Device& device,
                                        const std::filesystem::path& program) {
  return locks_workers(device) && !is_python_program(program) ? InputsBy::descriptor
                                                              : InputsBy::files;
}

}  // namespace warpgrade
