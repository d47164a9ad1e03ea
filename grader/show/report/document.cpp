#include "grader/show/report/document.h"

#include <fmt/core.h>
#include <md4c-html.h>

#include <cctype>
#include <regex>
#include <stdexcept>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

void append(const MD_CHAR* text, MD_SIZE size, void* into) {
  static_cast<std::string*>(into)->append(text, size);
}

/// `text` with each match of `pattern` replaced by what `make` returns for it.
template <class Make>
std::string replaced(const std::string& text, const std::regex& pattern, const Make& make) {
  std::string result;
  auto from = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), pattern); it != std::sregex_iterator();
       ++it) {
    result.append(from, (*it)[0].first);
    from = (*it)[0].second;
    result += make(*it);
  }
  return result.append(from, text.end());
}

std::string without_tags(const std::string& html) {
  static const std::regex tag("<[^>]*>");
  std::string text = std::regex_replace(html, tag, "");
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    text = replace_all(std::move(text), entity, character);
  }
  return text;
}

}  // namespace

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ' || c == '-' || c == '_') {
      anchor += c == ' ' ? '-' : c;
    }
  }
  return anchor;
}

std::string without_html_comments(std::string_view markdown) {
  std::string text;
  bool after_comment = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.starts_with("<!-- ") && line.ends_with(" -->")) {
      after_comment = true;
      continue;
    }
    if (after_comment && line.empty()) {
      continue;
    }
    after_comment = false;
    text += line;
    text += '\n';
  }
  return text;
}

std::string html_of_document(std::string_view markdown, const DocumentOptions& options) {
  std::string source = without_html_comments(markdown);
  if (source.starts_with("# ")) {
    const std::size_t end = source.find('\n');
    source = end == std::string::npos ? "" : source.substr(end);
  }
  std::string html;
  if (md_html(source.data(), static_cast<MD_SIZE>(source.size()), append, &html,
              MD_FLAG_NOHTML | MD_FLAG_TABLES, MD_HTML_FLAG_SKIP_UTF8_BOM) != 0) {
    throw std::runtime_error("a page of Markdown could not be turned into HTML");
  }
  static const std::regex link("<a href=\"([^\"]*)\"[^>]*>([\\s\\S]*?)</a>");
  html = replaced(html, link, [&](const std::smatch& m) {
    const std::string target = options.link ? options.link(without_tags(m[1].str())) : "";
    return target.empty() ? m[2].str() : fmt::format("<a href=\"{}\">{}</a>", target, m[2].str());
  });
  // A picture that stands by itself is a figure, not a part of a paragraph.
  static const std::regex picture("(?:<p>)?<img src=\"([^\"]*)\" alt=\"([^\"]*)\"[^>]*>(?:</p>)?");
  html = replaced(html, picture, [&](const std::smatch& m) {
    return options.picture ? options.picture(without_tags(m[1].str()), without_tags(m[2].str()))
                           : std::string();
  });
  static const std::regex heading("<h([1-6])>([\\s\\S]*?)</h[1-6]>");
  html = replaced(html, heading, [&](const std::smatch& m) {
    const std::string level =
        options.heading_level > 0 ? std::to_string(options.heading_level) : m[1].str();
    const std::string id =
        options.heading_ids.empty()
            ? ""
            : fmt::format(" id=\"{}{}\"", options.heading_ids, anchor_of(without_tags(m[2].str())));
    return fmt::format("<h{0}{1}>{2}</h{0}>", level, id, m[2].str());
  });
  // Scrollable elements must be reachable by keyboard. A group, since a region would need a name
  // that no other table of the page has.
  html = replace_all(html, "<table>",
                     "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                     "aria-label=\"Table\"><table>");
  // 15 000 in a narrow column stays one number.
  static const std::regex cell("<td>[\\s\\S]*?</td>");
  static const std::regex thousands("([0-9]) (?=[0-9]{3}(?![0-9]))");
  html = replaced(html, cell, [](const std::smatch& m) {
    return std::regex_replace(m.str(), thousands, "$1&nbsp;");
  });
  // A column without a title has no header.
  html = replace_all(html, "<th></th>", "<td></td>");
  html = replace_all(html, "</table>", "</table></div>");
  return replace_all(std::move(html), "<pre>", "<pre tabindex=\"0\">");
}

}  // namespace warpgrade
