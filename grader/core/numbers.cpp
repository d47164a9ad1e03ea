#include "grader/core/numbers.h"

#include <fmt/core.h>

#include <cmath>

namespace warpgrade {

std::string grouped(double value) {
  if (!std::isfinite(value)) {
    return value_text(value);
  }
  if (value != std::floor(value) || std::abs(value) >= 1e15) {
    return fmt::format("{:.4g}", value);
  }
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return value < 0 ? "-" + digits : digits;
}

}  // namespace warpgrade
