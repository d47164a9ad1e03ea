#pragma once

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/error.h"

namespace warpgrade {

template <class T, class Convert>
nlohmann::ordered_json array_of(const std::vector<T>& values, Convert convert) {
  auto array = nlohmann::ordered_json::array();
  for (const T& value : values) {
    array.push_back(convert(value));
  }
  return array;
}

template <class T, class Convert>
std::vector<T> vector_of(const nlohmann::ordered_json& array, Convert convert) {
  std::vector<T> values;
  for (const auto& element : array) {
    values.push_back(convert(element));
  }
  return values;
}

/// The enumerator of `slug_of` with this text; the schema has made sure that there is one.
template <class Enum>
Enum from_slug(const nlohmann::ordered_json& text, Enum last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (slug(static_cast<Enum>(i)) == text.get<std::string>()) {
      return static_cast<Enum>(i);
    }
  }
  throw UsageError(fmt::format("'{}' is not a status", text.get<std::string>()));
}

}  // namespace warpgrade
