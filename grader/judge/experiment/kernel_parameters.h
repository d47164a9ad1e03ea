#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// A parameter of a kernel, as its definition has it.
struct KernelParameter {
  std::string name;
  bool whole = false;  // an integer of 32 bits, by value
};

/// The parameters of a kernel, in order; empty if no source defines it with `__global__`. Reads
/// brackets and commas only, not the language.
///
/// @param name  the kernel's alone
[[nodiscard]] std::vector<KernelParameter> kernel_parameters(const std::vector<SourceFile>& sources,
                                                             std::string_view name);

}  // namespace warpgrade
