#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpgrade {

/// The candidate with the fewest edits from `name` when that is few enough to be a slip of the
/// hand (at most a third of its length, at least one), else empty.
[[nodiscard]] std::string closest(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpgrade
