#pragma once

#include <string>

#include "harness/lab/lab.h"

namespace warpgrade {

/// Names what of a lab every build and run depends on: the function, its header, the golden
/// function, the error model, what is allowed. Not its cases, points, tiers, hints and clues.
[[nodiscard]] std::string identity_of_program(const Lab& lab);
/// Names a case's data, and how its outputs are judged beside the lab's own rules.
[[nodiscard]] std::string identity_of_case(const Case& spec);
/// Names the reference solution and the cases that its cost is needed of.
/// @param measures  times are taken on a GPU, which has a case of its own
[[nodiscard]] std::string identity_of_yardstick(const Lab& lab, bool measures);

}  // namespace warpgrade
