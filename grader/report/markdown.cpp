#include "grader/report/markdown.h"

#include <md4c-html.h>

#include <regex>
#include <stdexcept>

namespace warpgrade {
namespace {

void append(const MD_CHAR* text, MD_SIZE size, void* into) {
  static_cast<std::string*>(into)->append(text, size);
}

/// Links to embedded pages lead there; all others become their text.
std::string relink(const std::string& html, const std::set<std::string>& carried) {
  static const std::regex link("<a href=\"([^\"]*)\"[^>]*>([\\s\\S]*?)</a>");
  std::string result;
  std::sregex_iterator it(html.begin(), html.end(), link);
  auto from = html.begin();
  for (; it != std::sregex_iterator(); ++it) {
    result.append(from, (*it)[0].first);
    from = (*it)[0].second;
    std::string id = (*it)[1].str();
    if (id.ends_with(".md")) {
      id.resize(id.size() - 3);
    }
    const std::string text = (*it)[2].str();
    result += carried.contains(id) ? "<a href=\"#pitfall-" + id + "\">" + text + "</a>" : text;
  }
  return result.append(from, html.end());
}

}  // namespace

std::string html_of_markdown(std::string_view markdown, const std::set<std::string>& carried) {
  if (markdown.starts_with("# ")) {
    const std::size_t end = markdown.find('\n');
    markdown = end == std::string_view::npos ? "" : markdown.substr(end);
  }
  std::string html;
  if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), append, &html,
              MD_FLAG_NOHTML | MD_FLAG_TABLES, MD_HTML_FLAG_SKIP_UTF8_BOM) != 0) {
    throw std::runtime_error("a page of docs/pitfalls could not be turned into HTML");
  }
  html = relink(html, carried);
  static const std::regex heading("<(/?)h[1-6]>");
  static const std::regex code("<pre>");
  html = std::regex_replace(html, heading, "<$1h4>");
  // Scrollable elements must be reachable by keyboard.
  return std::regex_replace(html, code, "<pre tabindex=\"0\">");
}

}  // namespace warpgrade
