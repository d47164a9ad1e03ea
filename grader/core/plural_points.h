#pragma once

#include <string>

#include "grader/core/text.h"

namespace warpgrade {

/// "1 point", "7.5 points".
[[nodiscard]] inline std::string plural_points(double points) {
  const std::string number = human_points(points);
  return number + (number == "1" ? " point" : " points");
}

}  // namespace warpgrade
