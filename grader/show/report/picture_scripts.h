#pragma once

#include <string_view>
#include <vector>

namespace warpgrade {

/// The embedded files of emulator/recording/pictures, in the order in which a page needs them.
[[nodiscard]] std::vector<std::string_view> picture_scripts();

}  // namespace warpgrade
