#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

// Names of enumerators in files and on command lines. Next to an enumeration write
//
//   constexpr auto names_of(Color) { return names_up_to<Color::blue>("red", "green", "blue"); }
//
// and slug(), from_slug(), the JSON of grades and the check of its schema use it.

namespace warpgrade {

/// @param names  in the order of the enumerators; kLast is the last one
template <auto kLast, class... Name>
constexpr auto names_up_to(Name... names) {
  static_assert(sizeof...(names) == static_cast<std::size_t>(kLast) + 1, "one per enumerator");
  return std::array<std::string_view, sizeof...(names)>{names...};
}

template <class Enum>
concept Named = requires(Enum value) {
  names_of(value).size();
};

template <Named Enum>
inline constexpr auto kNamesOf = names_of(Enum{});

template <Named Enum>
[[nodiscard]] constexpr std::string_view slug(Enum value) {
  return kNamesOf<Enum>.at(static_cast<std::size_t>(value));
}

/// Nothing for an unknown name.
template <Named Enum>
[[nodiscard]] constexpr std::optional<Enum> from_slug(std::string_view name) {
  for (std::size_t i = 0; i < kNamesOf<Enum>.size(); ++i) {
    if (kNamesOf<Enum>[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace warpgrade
