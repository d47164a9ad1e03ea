#pragma once

#include "harness/data/expected.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The error bounds of an output's expected values under its error model (docs/tolerance.md).
/// @param expected  of floats: `bound` holds the condition of each element, and gets its bound
/// @throws LabError  if the model is invalid for that many terms
void set_bounds(const Lab& lab, const Case& spec, const Parameter& parameter, Expected& expected);

}  // namespace warpgrade
