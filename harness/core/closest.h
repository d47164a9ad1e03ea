#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpgrade {

/// The candidate with the fewest edits from `name` if these are few enough for a typing error (at
/// most a third of its length, at least one), otherwise empty.
[[nodiscard]] std::string closest(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpgrade
