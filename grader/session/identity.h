#pragma once

#include <string>

#include "harness/lab/lab.h"

namespace warpgrade {

/// A hash of the parts of a lab on which every build and run depends: the function, its header, the
/// golden function, the error model, what is allowed. Not its cases, points, tiers, hints and
/// clues.
[[nodiscard]] std::string identity_of_program(const Lab& lab);
/// A hash of a case's data, and of its own rules for judging outputs.
[[nodiscard]] std::string identity_of_case(const Case& spec);
/// A hash of the reference solution and of the cases for which its cost is needed.
/// @param measures  whether times are measured on a GPU, which has a separate case
[[nodiscard]] std::string identity_of_yardstick(const Lab& lab, bool measures);

}  // namespace warpgrade
