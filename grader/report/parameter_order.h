#pragma once

#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Names of a lab's dims in the order in which the function's parameters have them as values; those
/// that no parameter has follow in the order of the arrays' shapes.
[[nodiscard]] std::vector<std::string> parameter_order(const Lab& lab);

/// The same of a lab by its id, as it is now; nothing if it is not there any more.
[[nodiscard]] std::vector<std::string> parameter_order(const Installation& installation,
                                                       const std::string& id);

}  // namespace warpgrade
