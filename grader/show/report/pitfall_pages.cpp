#include "grader/show/report/pitfall_pages.h"

#include <algorithm>
#include <regex>
#include <system_error>

#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;

std::map<std::string, PitfallPage> read_pitfalls(const std::filesystem::path& folder,
                                                 const std::set<std::string>& ids) {
  std::map<std::string, PitfallPage> pages;
  for (const std::string& id : ids) {
    std::error_code error;
    const std::filesystem::path file = folder / (id + ".md");
    if (id.empty() || !std::filesystem::exists(file, error)) {
      continue;
    }
    PitfallPage page{.title = {}, .markdown = read_file(file)};
    const std::vector<std::string_view> lines = split_lines(page.markdown);
    if (!lines.empty()) {  // "# P1: title"
      const std::size_t colon = lines.front().find(": ");
      page.title = colon == std::string_view::npos ? "" : lines.front().substr(colon + 2);
    }
    pages.emplace(id, std::move(page));
  }
  return pages;
}

std::vector<std::pair<std::string, PitfallPage>> all_pitfalls(const fs::path& folder) {
  static const std::regex kId("P[1-9][0-9]*");
  std::set<std::string> ids;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".md" && std::regex_match(stem, kId)) ids.insert(stem);
  }
  std::vector<std::pair<std::string, PitfallPage>> pages;
  for (auto& page : read_pitfalls(folder, ids)) pages.emplace_back(page.first, page.second);
  const auto number = [](const auto& page) { return std::stoul(page.first.substr(1)); };
  std::sort(pages.begin(), pages.end(),
            [&](const auto& a, const auto& b) { return number(a) < number(b); });
  return pages;
}

}  // namespace warpgrade
