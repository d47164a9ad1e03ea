#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpgrade {

/// The page with a table between its lines `<!-- marker -->` and `<!-- end -->`.
/// @throws UsageError  if it has no such lines or cannot be read
[[nodiscard]] std::string with_table(const std::filesystem::path& page, std::string_view marker,
                                     std::string_view table);

}  // namespace warpgrade
