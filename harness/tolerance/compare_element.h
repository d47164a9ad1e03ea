#pragma once

#include <cstddef>

#include "harness/data/array.h"
#include "harness/data/expected.h"

namespace warpgrade {

/// Whether got[i] is want[j] times a factor, up to the bound of that product; as compare() of
/// compare.h decides.
[[nodiscard]] bool matches_at(const Array& got, std::size_t i, const Expected& want, std::size_t j,
                              double factor = 1);

}  // namespace warpgrade
