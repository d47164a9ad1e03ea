#pragma once

#include <map>
#include <string>

#include "harness/data/dataset.h"
#include "harness/data/expected.h"
#include "harness/golden/golden.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The outputs of a call, to be filled by a function of a golden library.
[[nodiscard]] std::map<std::string, GoldenCall::Output> make_outputs(const Lab& lab,
                                                                     const Dims& dims);

/// The filled outputs as expected values, with their bounds.
/// @param who  the function, for errors: "reference/scan/golden.cpp"
/// @throws LabError  if an output or a condition was not set
[[nodiscard]] std::map<std::string, Expected> bounded(
    const Lab& lab, const Case& spec, const std::string& who,
    std::map<std::string, GoldenCall::Output> outputs);

}  // namespace warpgrade
