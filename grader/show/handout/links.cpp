#include "grader/show/handout/links.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpgrade {
namespace {

/// Where the code ends that begins at `at` with a run of backticks; the end of the run if the code
/// does not end.
std::size_t end_of_code(std::string_view page, std::size_t at) {
  const auto after_run = [&](std::size_t from) {
    return std::min(page.find_first_not_of('`', from), page.size());
  };
  const std::size_t begin = after_run(at);
  const std::string_view ticks = page.substr(at, begin - at);
  std::size_t next = page.find(ticks, begin);
  while (next != std::string_view::npos) {
    const std::size_t end = after_run(next);
    if (end - next == ticks.size()) {
      return end;
    }
    next = page.find(ticks, end);
  }
  return begin;
}

/// The link whose `[` is at `at`.
std::optional<MarkdownLink> link_at(std::string_view page, std::size_t at) {
  const std::size_t close = page.find_first_of("[]", at + 1);
  if (close == std::string_view::npos || page.substr(close, 2) != "](") {
    return std::nullopt;
  }
  const std::size_t end = page.find_first_of(") \n", close + 2);
  if (end == std::string_view::npos || page[end] != ')') {
    return std::nullopt;
  }
  const bool picture = at > 0 && page[at - 1] == '!';
  return MarkdownLink{.begin = picture ? at - 1 : at,
                      .end = end + 1,
                      .picture = picture,
                      .text = std::string(page.substr(at + 1, close - at - 1)),
                      .target = std::string(page.substr(close + 2, end - close - 2))};
}

}  // namespace

std::vector<MarkdownLink> links_of(std::string_view markdown) {
  std::vector<MarkdownLink> links;
  for (std::size_t at = 0; at < markdown.size();) {
    if (markdown[at] == '`') {
      at = end_of_code(markdown, at);
      continue;
    }
    if (markdown[at] == '[') {
      if (std::optional<MarkdownLink> link = link_at(markdown, at)) {
        at = link->end;
        links.push_back(std::move(*link));
        continue;
      }
    }
    ++at;
  }
  return links;
}

std::string with_links(std::string_view markdown,
                       const std::function<std::string(const MarkdownLink&)>& make) {
  std::string result;
  std::size_t from = 0;
  for (const MarkdownLink& link : links_of(markdown)) {
    result += markdown.substr(from, link.begin - from);
    result += make(link);
    from = link.end;
  }
  return result.append(markdown.substr(from));
}

}  // namespace warpgrade
