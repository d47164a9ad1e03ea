#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A C++ source with its comments replaced by spaces; lines keep their numbers.
[[nodiscard]] std::string without_comments(std::string_view source);

}  // namespace warpgrade
