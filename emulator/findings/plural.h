#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace warpsim {

/// "1 thread", "2 threads".
[[nodiscard]] std::string plural(std::integral auto count, std::string_view singular) {
  return std::to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

}  // namespace warpsim
