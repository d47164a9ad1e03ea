#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// A page of docs/pitfalls as HTML. Its first heading is left out, deeper ones become h4; a link to
/// another page of the folder leads to the embedded one ("#pitfall-P22"), any other link becomes
/// its text. HTML in the page is escaped.
/// @param carried  the pages embedded in the report
[[nodiscard]] std::string html_of_markdown(std::string_view markdown,
                                           const std::set<std::string>& carried);

}  // namespace warpgrade
