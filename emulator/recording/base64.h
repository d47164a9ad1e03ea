#pragma once

#include <string>
#include <string_view>

namespace warpsim::recording {

/// A recording's bytes as text for a page.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace warpsim::recording
