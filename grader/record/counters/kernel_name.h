#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A kernel's name without the parts that differ between tools: `g_stride<2>` of `void
/// <unnamed>::g_stride<(int)2>(const float *)`.
[[nodiscard]] std::string short_kernel_name(std::string_view name);

}  // namespace warpgrade
