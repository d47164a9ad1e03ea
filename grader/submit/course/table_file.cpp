#include "grader/submit/course/table_file.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "grader/core/csv.h"
#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "harness/core/closest.h"
#include "harness/lab/lab.h"

namespace warpgrade {
namespace {

constexpr std::uint64_t kMaxTableBytes = std::uint64_t{16} << 20;

constexpr std::string_view kSpace = " \t\r\n";

}  // namespace

const std::string& TableFile::Row::at(std::string_view column) const {
  static const std::string kNone;
  const auto it = values.find(column);
  return it == values.end() ? kNone : it->second;
}

TableFile::TableFile(std::string_view text, std::string shown,
                     const std::vector<std::string>& columns, std::size_t required)
    : shown_(std::move(shown)) {
  const std::optional<DecodedText> decoded = decode_text(text);
  if (!decoded) {
    fail(1, "the file is not text in UTF-8, UTF-16 or Windows-1252; save it as CSV (UTF-8)");
  }
  std::string problem;
  std::string_view table = decoded->text;
  char separator = separator_of(table);
  // Excel's line about the separator: "sep=;". What is left of it is an empty line.
  constexpr std::string_view kSays = "sep=";
  if (lower(table.substr(0, kSays.size())) == kSays && table.size() > kSays.size()) {
    separator = table[kSays.size()];
    table.remove_prefix(kSays.size() + 1);
  }
  std::vector<CsvRow> parsed = parse_csv(table, problem, separator);
  if (!problem.empty()) {
    throw LabError(fmt::format("{}:{}; correct the CSV", shown_, problem));
  }
  const std::string known = fmt::format("{}", fmt::join(columns, ", "));
  // Programs of tables write empty columns at the end.
  for (CsvRow& row : parsed) {
    while (!row.fields.empty() && trimmed(row.fields.back(), kSpace).empty()) row.fields.pop_back();
  }
  std::erase_if(parsed, [](const CsvRow& row) { return row.fields.empty(); });
  if (parsed.empty()) {
    fail(1, fmt::format("the file is empty; its first line names the columns, some of {}", known));
  }
  std::vector<std::string> header;
  for (const std::string& field : parsed.front().fields) {
    header.push_back(lower(trimmed(field, kSpace)));
    const std::string& column = header.back();
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      const std::string near = closest(column, columns);
      fail(parsed.front().line,
           fmt::format("unknown column '{}'; {}", printable(column),
                       near.empty() ? fmt::format("known columns: {}", known)
                                    : fmt::format("did you mean '{}'?", near)));
    }
    if (std::count(header.begin(), header.end(), column) > 1) {
      fail(parsed.front().line, fmt::format("column '{}' occurs twice; remove one", column));
    }
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (std::find(header.begin(), header.end(), columns[i]) == header.end()) {
      fail(parsed.front().line, fmt::format("column '{}' is missing; add it", columns[i]));
    }
  }
  for (auto row = parsed.begin() + 1; row != parsed.end(); ++row) {
    if (row->fields.size() > header.size()) {
      fail(row->line, fmt::format("{} fields for {} columns; put quotes around a field with {}",
                                  row->fields.size(), header.size(),
                                  separator == ','   ? "commas"
                                  : separator == ';' ? "semicolons"
                                                     : "tabs"));
    }
    Row values{.line = row->line, .values = {}};
    for (std::size_t i = 0; i < row->fields.size(); ++i) {
      values.values[header[i]] = trimmed(row->fields[i], kSpace);
    }
    for (std::size_t i = 0; i < required; ++i) {
      if (values.at(columns[i]).empty()) {
        fail(row->line, fmt::format("column '{}' is empty; fill it in", columns[i]));
      }
    }
    rows_.push_back(std::move(values));
  }
}

void TableFile::fail(std::size_t line, const std::string& what) const {
  throw LabError(fmt::format("{}:{}: {}", shown_, line, what));
}

std::string read_course_file(const std::filesystem::path& file, const std::string& shown) {
  try {
    return read_file(file, kMaxTableBytes);
  } catch (const UsageError& e) {
    throw LabError(fmt::format("{}: {}; correct its name in course.toml", shown, e.what()));
  }
}

}  // namespace warpgrade
