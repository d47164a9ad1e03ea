#include "grader/class/export/export.h"

#include <fmt/core.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "grader/core/error.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFormats = {
    ExportFormat{.name = "csv",
                 .says = "one line per grade, with lateness",
                 .ending = "csv",
                 .run = export_csv},
    ExportFormat{.name = "canvas",
                 .says = "Canvas's gradebook import",
                 .ending = "csv",
                 .run = export_canvas},
    ExportFormat{
        .name = "moodle", .says = "Moodle's grade import", .ending = "csv", .run = export_moodle},
    ExportFormat{.name = "gradescope",
                 .says = "results.json, one file per student",
                 .ending = "json",
                 .one_document = false,
                 .run = export_gradescope},
    ExportFormat{.name = "junit",
                 .says = "JUnit XML, as CI systems read it",
                 .ending = "xml",
                 .run = export_junit},
    ExportFormat{.name = "markdown",
                 .says = "a human-readable summary",
                 .ending = "md",
                 .run = export_markdown},
};

}  // namespace

std::span<const ExportFormat> export_formats() {
  return kFormats;
}

const ExportFormat& export_format(std::string_view name) {
  for (const ExportFormat& format : kFormats) {
    if (format.name == name) {
      return format;
    }
  }
  throw std::logic_error(fmt::format("no export format '{}'", name));
}

StudentView view_of(const Grade& grade, const GradeRow& row, const ExportInput& input) {
  return student_view(grade, input.shows_hidden(row),
                      input.record.course.release_text(row.lab, row.student),
                      input.record.course.answers_released(row.lab, row.student, input.now));
}

Grade grade_at(const fs::path& out, const GradeRow& row) {
  return read_grade(out / grade_folder(row.student, row.lab) / "grade.json");
}

ExportInput read_export_input(const fs::path& out, const std::string& lab, const fs::path& course) {
  ExportInput input;
  input.record = load_class_record(out, course);
  input.book = input.record.with_hand_grades(read_gradebook(out));
  if (!lab.empty()) {
    std::erase_if(input.book.rows, [&](const GradeRow& row) { return row.lab != lab; });
    if (input.book.rows.empty()) {
      throw UsageError(
          fmt::format("{} contains no grade for lab '{}'", out.string(), printable(lab)));
    }
  }
  input.grade = [out](const GradeRow& row) { return grade_at(out, row); };
  input.now = now_utc();
  return input;
}

std::string withheld_note(const GradeRow& row, const Standing& standing) {
  return fmt::format("{}, {}: no score is exported: {}", printable(row.student), row.lab,
                     standing.withheld);
}

std::vector<std::string> withheld_notes(const ExportInput& input) {
  std::vector<std::string> notes;
  for (const GradeRow& row : input.book.rows) {
    if (const Standing standing = input.record.standing(row); !standing.counts()) {
      notes.push_back(withheld_note(row, standing));
    }
  }
  return notes;
}

std::vector<Item> listed_items(const StudentView& view) {
  std::vector<Item> items = view.grade.items;
  std::erase_if(items, [](const Item& item) { return item.id == kHiddenItem; });
  return items;
}

std::string escaped(std::string_view text, std::string_view (*other_way)(char c)) {
  std::string result;
  for (const char c : printable(text)) {
    const std::string_view other = other_way(c);
    if (other.empty()) {
      result += c;
    } else {
      result += other;
    }
  }
  return result;
}

}  // namespace warpgrade
