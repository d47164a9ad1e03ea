#pragma once

#include <string>

namespace warpgrade {

// Human-readable numbers.

/// A number with as many digits as tell floats apart: "0.1", "nan", "-inf".
[[nodiscard]] std::string value_text(double value);

/// A count with its thousands apart, "1,048,576"; "4.03" where it is no whole number.
[[nodiscard]] std::string grouped(double value);

}  // namespace warpgrade
