#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade {

struct PitfallPage {
  std::string title;
  std::string markdown;
};

/// The existing pages of docs/pitfalls with these ids ("P22").
[[nodiscard]] std::map<std::string, PitfallPage> read_pitfalls(const std::filesystem::path& folder,
                                                               const std::set<std::string>& ids);

/// All pages, in the order of their numbers.
[[nodiscard]] std::vector<std::pair<std::string, PitfallPage>> all_pitfalls(
    const std::filesystem::path& folder);

}  // namespace warpgrade
