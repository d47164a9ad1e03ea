#pragma once

#include <string>

namespace warpgrade {

// Human-readable numbers.

/// A number with enough digits to distinguish any two floats: "0.1", "nan", "-inf".
[[nodiscard]] std::string value_text(double value);

/// A count with thousands separators, "1,048,576"; "4.03" if it is not an integer.
[[nodiscard]] std::string grouped(double value);

}  // namespace warpgrade
