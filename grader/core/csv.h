#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One field of RFC 4180: quoted where it must be, made printable, and with a leading apostrophe
/// where a spreadsheet would take it for a formula.
[[nodiscard]] std::string csv_field(std::string_view raw);

/// Joins fields that csv_field has made, and ends the line as RFC 4180 says.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

struct CsvRow {
  std::size_t line = 1;  // where it starts
  std::vector<std::string> fields;
};

/// Reads RFC 4180 with any of its usual liberties: a byte order mark, LF or CRLF, blank lines.
///
/// @param problem  "12: a quote is never closed": where reading stopped; empty if all was read
[[nodiscard]] std::vector<CsvRow> parse_csv(std::string_view text, std::string& problem);

}  // namespace warpgrade
