#pragma once

#include <string>

#include "grader/build/toolchain/clang_command.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What submissions to a lab are compiled for.
[[nodiscard]] inline ClangTarget clang_target(const Lab& lab) {
  return {.architecture = lab.architecture, .standard = std::string(slug(lab.standard))};
}

}  // namespace warpgrade
