#pragma once

#include <string>

#include "harness/core/value_text.h"

namespace warpgrade {

// Human-readable numbers.

/// A count with thousands separators, "1,048,576"; "4.03" if it is not an integer.
[[nodiscard]] std::string grouped(double value);

}  // namespace warpgrade
