#pragma once

#include <cstdint>

#include "harness/data/array.h"
#include "harness/data/dataset.h"

namespace warpgrade {

/// Fills `array` from a seed; the same seed gives the same bytes on every machine. For integer
/// types values are rounded down and saturated; a bool is true if the rounded value is not 0.
void fill_array(Array& array, const Fill& fill, std::uint64_t seed);

}  // namespace warpgrade
