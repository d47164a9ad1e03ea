#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// One of our own pages (docs/pitfalls) as HTML. Its first heading is left out, deeper ones become
/// h4; a link to another page of the folder leads to where a report carries it ("#pitfall-P22"),
/// any other link is left as its text. HTML in the page is shown, not obeyed.
/// @param carried  the pages that are in the report
[[nodiscard]] std::string html_of_markdown(std::string_view markdown,
                                           const std::set<std::string>& carried);

}  // namespace warpgrade
