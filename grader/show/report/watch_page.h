#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

/// The pictures of a recording as one page: `warpgrade watch-warp`.
/// @param bytes  a recording; it was checked
/// @param title  is escaped
/// @param line   that the page opens at; 0: at the first finding, or else the largest cost
[[nodiscard]] std::string watch_page(std::string_view bytes, const std::string& title,
                                     std::uint32_t line);

}  // namespace warpgrade
