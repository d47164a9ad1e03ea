#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// A page of docs/pitfalls as HTML. Its first heading is left out, deeper ones become h4; a link to
/// an embedded page leads there ("#pitfall-P22", "#machine-banks-and-wavefronts"), any other link
/// becomes its text. HTML in the page is escaped.
/// @param carried  the pages embedded in the report: ids of pitfalls, and "machine"
[[nodiscard]] std::string html_of_markdown(std::string_view markdown,
                                           const std::set<std::string>& carried);

/// Where a link of a page leads in a report with these pages; empty: nowhere.
/// @param target  "P22.md", "../machine.md#occupancy-and-latency"
[[nodiscard]] std::string embedded_target(const std::string& target,
                                          const std::set<std::string>& carried);

}  // namespace warpgrade
