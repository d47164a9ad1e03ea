#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/class/export/export.h"
#include "grader/core/plural_points.h"
#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double points) {
  return std::round(points * 100) / 100;
}

/// Gradescope's value for when a student may see a hidden case. The file is read long after it was
/// written, so anything that Gradescope cannot express stays hidden until the next export.
std::string hidden_visibility(const ExportInput& input, const GradeRow& row) {
  if (input.record.course.released(row.lab, row.student, input.now)) {
    return "visible";
  }
  return input.record.course.release.at_due ? "after_due_date" : "hidden";
}

std::string output_of(const Item& item) {
  std::string text = item.message;
  const bool passed = item.status == ItemStatus::passed;
  for (const auto& [label, value] :
       {std::pair<const char*, const std::string*>{"Look at", &item.hint},
        {"Pitfall", &item.pitfall}}) {
    if (!passed && !value->empty()) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", label, *value);
    }
  }
  return printable(text);
}

void add_tests(const Grade& grade, const GradeRow& row, const ExportInput& input, bool say_lab,
               Json& tests) {
  // The file is the student's: --staff changes nothing in it.
  ExportInput students = input;
  students.staff = false;
  const StudentView view = view_of(grade, row, students);
  const auto add = [&](const Item& item, const std::string& visibility) {
    tests.push_back(
        {{"name", printable(say_lab ? fmt::format("{}: {}", grade.lab, item.title) : item.title)},
         {"name_format", "text"},
         {"number", std::to_string(tests.size() + 1)},
         {"score", rounded(item.points)},
         {"max_score", rounded(item.max_points)},
         {"status", item.status == ItemStatus::passed ? "passed" : "failed"},
         {"output", output_of(item)},
         {"output_format", "text"},
         {"tags", {std::string(slug(item.category))}},
         {"visibility", visibility}});
  };
  for (const Item& item : view.grade.items) {
    if (item.id != kHiddenItem) {
      add(item, "visible");
      continue;
    }
    // Gradescope shows hidden tests to staff, and to students when they are released.
    for (const Item& hidden : grade.items) {
      const bool shown = std::any_of(view.grade.items.begin(), view.grade.items.end(),
                                     [&](const Item& i) { return i.id == hidden.id; });
      if (!shown) {
        add(hidden, hidden_visibility(input, row));
      }
    }
  }
}

std::string late_text(const Standing& s, const GradeRow& row) {
  return fmt::format("{}: {} of {}{}. {}", row.lab, human_points(s.adjusted), plural_points(s.max),
                     s.penalty > 0 ? " after the late penalty" : "", s.because);
}

}  // namespace

/// Gradescope's results.json, one per student. The total is the adjusted score; the submission's
/// output is not included.
///
/// @source gradescope-autograders.readthedocs.io, "Autograder Specifications", output format
Exported export_gradescope(const ExportInput& input) {
  Exported exported;
  std::map<std::string, std::vector<const GradeRow*>> students;
  for (const GradeRow& row : input.book.rows) {
    students[row.student].push_back(&row);
  }
  for (const auto& [student, rows] : students) {
    Json tests = Json::array();
    double score = 0;
    double seconds = 0;
    std::string output;
    bool good = true;
    for (const GradeRow* row : rows) {
      const Standing standing = input.record.standing(*row);
      if (standing.excused) continue;
      if (!standing.counts()) {
        exported.notes.push_back(withheld_note(*row, standing) + "; no results.json for them");
        good = false;
        break;
      }
      if (!row->by_hand) add_tests(input.grade(*row), *row, input, rows.size() > 1, tests);
      score += standing.adjusted;
      // A submission can choose how long hidden cases take, and so leak their data.
      seconds += input.record.course.released(row->lab, student, input.now) ? row->seconds : 0;
      // Before the release a total would reveal the hidden cases; Gradescope hides its own total.
      if (standing.penalty > 0 || input.record.course.released(row->lab, student, input.now)) {
        output += (output.empty() ? "" : "\n") +
                  (input.record.course.released(row->lab, student, input.now)
                       ? late_text(standing, *row)
                       : fmt::format("{}: {} late.", row->lab, plural(standing.late_days, "day")));
      }
    }
    if (!good) {
      continue;
    }
    Json document = {{"score", rounded(score)},       {"output", printable(output)},
                     {"output_format", "text"},       {"visibility", "visible"},
                     {"stdout_visibility", "hidden"}, {"tests", std::move(tests)}};
    if (seconds > 0) {
      document["execution_time"] = static_cast<long>(std::ceil(seconds));
    }
    exported.files.push_back({student + "/results.json", document.dump(2) + "\n"});
  }
  return exported;
}

}  // namespace warpgrade
