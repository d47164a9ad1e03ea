#pragma once

#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Names of a lab's dims in the order of the function's parameters; dims that are not parameters
/// follow in the order of the arrays' shapes.
[[nodiscard]] std::vector<std::string> parameter_order(const Lab& lab);

/// The same for the current lab with this id; empty if it no longer exists.
[[nodiscard]] std::vector<std::string> parameter_order(const Installation& installation,
                                                       const std::string& id);

}  // namespace warpgrade
