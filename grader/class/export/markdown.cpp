#include <fmt/core.h>

#include <set>

#include "grader/class/export/export.h"
#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Text in a cell of a table: no markup, no HTML, no mention of a user, one line.
std::string cell(std::string_view raw) {
  return escaped(raw, [](char c) -> std::string_view {
    switch (c) {
      case '\n':
      case '\t':
        return " ";
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '@':
        return "&#64;";
      case '#':
        return "\\#";
      case '!':
        return "\\!";
      case '\\':
        return "\\\\";
      case '`':
        return "\\`";
      case '*':
        return "\\*";
      case '_':
        return "\\_";
      case '[':
        return "\\[";
      case ']':
        return "\\]";
      case '~':
        return "\\~";
      case '|':
        return "\\|";
      default:
        return {};
    }
  });
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& c : cells) text += " " + c + " |";
  return text + "\n";
}

std::string of(double points, double max) {
  return fmt::format("{} / {}", human_points(points), human_points(max));
}

std::string status_text(ItemStatus status) {
  return status == ItemStatus::not_assessed ? "not assessed" : std::string(slug(status));
}

/// The class: scores only, so nothing about hidden cases is revealed.
std::string class_table(const ExportInput& input) {
  std::string text = line({"Student", "Lab", "Score", "Days late", "Counts", "Why"}) +
                     line({"---", "---", "--:", "--:", "--:", "---"});
  for (const GradeRow& row : input.book.rows) {
    const Standing s = input.record.standing(row);
    text +=
        line({cell(input.record.shown_name(row.student)), cell(row.lab),
              s.counts() ? of(s.raw, s.max) : "none", s.counts() ? std::to_string(s.late_days) : "",
              s.counts() ? of(s.adjusted, s.max) : "none", cell(s.because)});
  }
  if (!input.record.course.labs.empty()) {
    text +=
        "\n" + line({"Student", "Course total so far", "Without"}) + line({"---", "--:", "---"});
    for (const CourseTotal& total : course_totals(input.record, input.book)) {
      text += line({cell(input.record.shown_name(total.student)),
                    total.weight > 0 ? fmt::format("{} %", human_points(total.percent)) : "none",
                    cell(join_and(total.without))});
    }
  }
  return text;
}

/// One grade for its student.
std::string grade_section(const GradeRow& row, const ExportInput& input) {
  const Standing s = input.record.standing(row);
  if (row.by_hand) {
    return fmt::format("## {}\n\n**{}** ({})\n\n", cell(row.lab_title), of(s.adjusted, s.max),
                       cell(s.because));
  }
  const Grade grade = input.grade(row);
  const StudentView view = view_of(grade, row, input);
  std::string items =
      line({"Item", "Points", "Result", "What happened"}) + line({"---", "--:", "---", "---"});
  double points = 0;
  double max = 0;
  for (const Item& item : listed_items(view)) {
    points += item.points;
    max += item.max_points;
    const bool fault = item.status == ItemStatus::error;
    items += line({cell(item.title), fault ? "none" : of(item.points, item.max_points),
                   status_text(item.status), cell(item.message)});
  }
  std::string text = fmt::format("## {}\n\n", cell(grade.lab_title));
  if (!s.counts()) {
    text += fmt::format("**No score**: {}.\n\n", cell(s.withheld));
  } else if (view.released) {
    text += fmt::format("**{}**{}\n\n", of(s.adjusted, s.max),
                        s.because.empty() ? "" : " (" + cell(s.because) + ")");
  } else {
    text += fmt::format("**{}** for the visible part", of(points, max));
    text += s.late_days > 0
                ? fmt::format(", before the penalty for {}.", plural(s.late_days, "day"))
                : ".";
    text += fmt::format(" {}: {}.\n\n", hidden_text(view.hidden_cases), view.release);
  }
  return text + items;
}

}  // namespace

/// GitHub's Markdown. For one student: the items of each lab. For several: the class's scores, for
/// staff.
Exported export_markdown(const ExportInput& input) {
  std::set<std::string> students;
  for (const GradeRow& row : input.book.rows) students.insert(row.student);
  const std::string title = input.record.course.title;
  std::string text = fmt::format("# {}\n\n", cell(title.empty() ? "Grades" : title));
  if (students.size() > 1) {
    text += class_table(input);
  } else {
    for (const GradeRow& row : input.book.rows) {
      text += grade_section(row, input) + (&row == &input.book.rows.back() ? "" : "\n");
    }
  }
  return {.files = {{"", text}}, .notes = withheld_notes(input)};
}

}  // namespace warpgrade
