#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace warpgrade {

/// A noun for a count: "case" for 1, "cases" for others.
template <class Number>
[[nodiscard]] std::string noun(Number count, std::string_view singular,
                               std::string_view ending = "s") {
  return std::string(singular) + (count == 1 ? "" : std::string(ending));
}

/// "1 case", "2 cases".
[[nodiscard]] std::string plural(std::integral auto count, std::string_view singular,
                                 std::string_view ending = "s") {
  return std::to_string(count) + " " + noun(count, singular, ending);
}

}  // namespace warpgrade
