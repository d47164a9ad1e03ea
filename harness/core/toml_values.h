#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// Every value of a TOML file as "path.to.key = value", in the order of the keys; comments, line
/// breaks and the spelling of numbers and strings make no difference.
/// @param left_out  keys, at any depth, whose values do not matter
/// @throws LabError  if there is no such file, or it is no TOML
[[nodiscard]] std::vector<std::string> toml_values(
    const std::filesystem::path& file, const std::set<std::string, std::less<>>& left_out);

}  // namespace warpgrade
