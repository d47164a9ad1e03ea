#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpgrade {

/// How a page of Markdown becomes part of an HTML page.
struct DocumentOptions {
  /// Where a link leads in the HTML page ("#pitfall-P22"); empty: the link becomes its text.
  std::function<std::string(const std::string& target)> link;
  /// The HTML of a picture; empty: the picture is left out.
  std::function<std::string(const std::string& target, const std::string& alternative)> picture;
  /// Headings get the id of this and their text, as in `anchor_of`; empty: none.
  std::string heading_ids;
  /// The level of all headings, 2 to 6; 0: as they are.
  int heading_level = 0;
};

/// A page of Markdown as HTML. Its first heading is left out; HTML in the page is escaped, comments
/// are left out.
[[nodiscard]] std::string html_of_document(std::string_view markdown,
                                           const DocumentOptions& options);

/// Without comments (`<!-- ladder -->`) that stand on lines of their own, and the blank lines after
/// them.
[[nodiscard]] std::string without_html_comments(std::string_view markdown);

/// The anchor of a heading, as GitHub makes it: "Barriers, races" is "barriers-races".
[[nodiscard]] std::string anchor_of(std::string_view heading);

}  // namespace warpgrade
