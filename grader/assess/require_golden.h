#pragma once

#include <filesystem>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The lab's golden function: built by CMake, or else by hand beside its source, and then from that
/// source.
/// @throws EnvironmentError  if it is not there, with what to do
[[nodiscard]] std::filesystem::path require_golden(const Installation& installation,
                                                   const Lab& lab);

}  // namespace warpgrade
