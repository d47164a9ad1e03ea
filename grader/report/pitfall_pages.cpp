#include "grader/report/pitfall_pages.h"

#include <system_error>

#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {

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

}  // namespace warpgrade
