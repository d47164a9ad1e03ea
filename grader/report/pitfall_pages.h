#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace warpgrade {

struct PitfallPage {
  std::string title;
  std::string markdown;
};

/// The pages of docs/pitfalls with these ids ("P22") that are there.
[[nodiscard]] std::map<std::string, PitfallPage> read_pitfalls(const std::filesystem::path& folder,
                                                               const std::set<std::string>& ids);

}  // namespace warpgrade
