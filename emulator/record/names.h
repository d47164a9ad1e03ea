#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace record {

/// An enumeration with names_of(value): the names of all enumerators, in their order.
template <class T>
concept HasNames = std::is_enum_v<T> && requires(T value) {
  names_of(value).size();
};

template <HasNames T>
[[nodiscard]] constexpr std::string_view name_of_value(T value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// Nothing for an unknown name.
template <HasNames T>
[[nodiscard]] constexpr std::optional<T> value_named(std::string_view name) {
  const auto names = names_of(T{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<T>(i);
  }
  return std::nullopt;
}

}  // namespace record
