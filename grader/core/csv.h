#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One field of RFC 4180: quoted if necessary, printable, and with a leading apostrophe if a
/// spreadsheet would take it for a formula.
[[nodiscard]] std::string csv_field(std::string_view raw);

/// Joins fields made by csv_field() and ends the line with CR LF (RFC 4180).
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

struct CsvRow {
  std::size_t line = 1;  // where it starts
  std::vector<std::string> fields;
};

/// Reads RFC 4180 and its usual variations: a byte order mark, LF or CRLF, blank lines.
///
/// @param separator  between fields
/// @param problem  "12: a quote is never closed": why and where reading stopped; empty if
/// everything was read
[[nodiscard]] std::vector<CsvRow> parse_csv(std::string_view text, std::string& problem,
                                            char separator = ',');

/// What separates the fields of a table's first line: a comma, a semicolon or a tab, whichever
/// occurs most often outside of quotes.
[[nodiscard]] char separator_of(std::string_view text);

}  // namespace warpgrade
