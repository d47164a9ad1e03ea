#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A link or a picture in a page of Markdown: `[text](target)`, `![text](target)`.
struct MarkdownLink {
  std::size_t begin = 0;  // of the whole in the page
  std::size_t end = 0;
  bool picture = false;
  std::string text;
  std::string target;
};

/// The links of a page outside of code.
[[nodiscard]] std::vector<MarkdownLink> links_of(std::string_view markdown);

/// The page with each link replaced by what `make` returns for it.
[[nodiscard]] std::string with_links(std::string_view markdown,
                                     const std::function<std::string(const MarkdownLink&)>& make);

}  // namespace warpgrade
