#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Text as a string of TOML, with its quotes; control characters are escaped.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace warpgrade
