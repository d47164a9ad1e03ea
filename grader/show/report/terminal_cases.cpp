#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/core/code_points.h"
#include "grader/core/text.h"
#include "grader/show/report/telling_case.h"
#include "grader/show/report/terminal_parts.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kShownMismatches = 3;
constexpr std::size_t kMarkColumns = 8;  // "  FAIL  "
constexpr std::size_t kGap = 2;

/// A row of the table: the item of a case, or of all hidden cases.
struct Row {
  const Item* item = nullptr;
  const CaseReport* report = nullptr;  // null for the hidden cases
  std::string name;
  std::string points;
};

std::vector<Row> rows_of(const Grade& grade) {
  std::vector<Row> rows;
  for (const Item& item : grade.items) {
    const auto it = std::find_if(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
      return item.id == "correctness/" + c.name;
    });
    if (it == grade.cases.end() && item.id != kHiddenItem) continue;
    rows.push_back({.item = &item,
                    .report = it == grade.cases.end() ? nullptr : &*it,
                    .name = printable(item.title),
                    .points = fmt::format("{} / {}", human_points(item.points),
                                          human_points(item.max_points))});
  }
  return rows;
}

/// A column for each size parameter.
struct Column {
  std::string name;
  std::vector<std::string> cells;  // one per row; empty if the case has no such parameter
  std::size_t width = 0;
};

std::vector<Column> columns_of(const StudentView& shown, const std::vector<Row>& rows) {
  std::vector<Column> columns;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].report == nullptr) continue;
    for (const auto& [name, extent] : shape_in_order(*rows[row].report, shown.parameters)) {
      auto it = std::find_if(columns.begin(), columns.end(),
                             [&, &wanted = name](const Column& c) { return c.name == wanted; });
      if (it == columns.end()) {
        it = columns.insert(it, {.name = printable(name), .cells = {}});
        it->cells.resize(rows.size());
        it->width = code_points(it->name);
      }
      it->cells[row] = std::to_string(extent);
      it->width = std::max(it->width, it->cells[row].size());
    }
  }
  return columns;
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t width = code_points(text);
  return text + std::string(width < columns ? columns - width : 0, ' ');
}

void write_table(const StudentView& shown, Writer& out) {
  const std::vector<Row> rows = rows_of(shown.grade);
  std::vector<Column> columns = columns_of(shown, rows);
  std::size_t name_width = 0;
  std::size_t points_width = 0;
  for (const Row& row : rows) {
    name_width = std::max(name_width, code_points(row.name));
    points_width = std::max(points_width, row.points.size());
  }
  const auto width_with = [&](std::size_t gap) {
    std::size_t width = kMarkColumns + name_width + kGap + points_width;
    for (const Column& column : columns) width += gap + column.width;
    return width;
  };
  const std::size_t gap = width_with(kGap) <= out.columns() ? kGap : 1;
  const std::size_t width = width_with(gap);
  // Sizes that do not fit are printed below the name.
  const bool beside = width <= out.columns();
  if (!beside) columns.clear();
  // The points are further right than those of the categories.
  const std::size_t room = beside ? out.columns() - width
                           : kMarkColumns + name_width + kGap + points_width < out.columns()
                               ? out.columns() - kMarkColumns - name_width - kGap - points_width
                               : 0;

  std::string heading = padded("Cases", kMarkColumns + name_width);
  for (const Column& column : columns) {
    heading += std::string(gap, ' ') + fmt::format("{:>{}}", column.name, column.width);
  }
  heading += std::string(room + kGap, ' ') + fmt::format("{:>{}}", "points", points_width);
  out.line(out.ink(Ink::strong, heading));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const bool passed = row.item->status == ItemStatus::passed;
    std::string sizes;
    for (const Column& column : columns) {
      sizes += std::string(gap, ' ') + fmt::format("{:>{}}", column.cells[i], column.width);
    }
    out.line("  " + out.ink(passed ? Ink::good : Ink::bad, passed ? "ok  " : "FAIL") + "  " +
             padded(row.name, name_width) + out.ink(Ink::faint, sizes) +
             std::string(room + kGap, ' ') + fmt::format("{:>{}}", row.points, points_width));
    if (!beside && row.report != nullptr) {
      out.paragraph(out.head(std::string(kMarkColumns, ' ')), kMarkColumns,
                    shape_text(*row.report, shown.parameters));
    }
  }
}

void write_wrong(const StudentView& view, Writer& out) {
  const Grade& grade = view.grade;
  const CaseReport* c = most_telling_case(grade);
  if (c == nullptr) return;
  out.line();
  out.paragraph(out.head(""), 2,
                {{.text = fmt::format("Case \"{}\"", printable(c->name)), .ink = Ink::strong},
                 {.text = " " + shape_text(*c, view.parameters), .ink = Ink::faint}});
  out.paragraph(out.head("  "), 2, printable(c->message));
  const std::size_t shown = std::min(kShownMismatches, c->first_mismatches.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const MismatchedElement& m = c->first_mismatches[i];
    out.line(fmt::format("  {}[{}] = {}, want {}", m.parameter, m.index, value_text(m.got),
                         value_text(m.want)));
  }
  if (const std::string hint = hint_of(grade, *c); !hint.empty()) {
    out.paragraph(out.head("  hint: "), 8, printable(hint));
  }
  const auto wrong = std::count_if(grade.cases.begin(), grade.cases.end(), is_wrong);
  if (wrong > 1) {
    out.line(fmt::format("   --html FILE shows the other {} in the same way.", wrong - 1));
  }
}

}  // namespace

void write_cases(const StudentView& shown, Writer& out) {
  if (shown.grade.cases.empty()) return;
  write_table(shown, out);
  write_wrong(shown, out);
  out.line();
}

}  // namespace warpgrade
