#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "harness/data/array.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The content of one input of a dataset.
/// @param seed_of  the seed for a name: the parameter's, or that of its sparse matrix, whose arrays
///   belong together
/// @param slack    elements after the last one, if they can be generated (see can_extend())
[[nodiscard]] Array make_input(const Lab& lab, const Parameter& parameter, const Dataset& dataset,
                               const std::function<std::uint64_t(std::string_view)>& seed_of,
                               std::uint64_t slack = 0);

/// Whether any part of a longer array is a valid input: not of given data, nor of indices of a
/// sparse matrix.
[[nodiscard]] bool can_extend(const Parameter& parameter, const Dataset& dataset);

}  // namespace warpgrade
