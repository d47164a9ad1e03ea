#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/core/instant.h"
#include "grader/record/grade/grade.h"
#include "grader/record/grade/student_view.h"

namespace warpgrade {

/// All that an export is made from.
struct ExportInput {
  Gradebook book;  // in order of student, then lab
  ClassRecord record;
  std::function<Grade(const GradeRow&)> grade;  // reads one complete grade on demand
  bool staff = false;  // hidden cases are shown before the release date, too
  Instant now;

  [[nodiscard]] bool shows_hidden(const GradeRow& row) const {
    return staff || record.course.released(row.lab, row.student, now);
  }
};

/// What a student may see of a grade at `input.now`, or staff if the export is theirs.
[[nodiscard]] StudentView view_of(const Grade& grade, const GradeRow& row,
                                  const ExportInput& input);

/// An export's files, and what it left out deliberately.
struct Exported {
  struct File {
    std::string name;  // within the folder; empty for a format that is one document
    std::string content;
  };
  std::vector<File> files;
  std::vector<std::string> notes;  // for stderr, one line each
};

/// A format: one file in this folder, and one row of the table in export.cpp.
struct ExportFormat {
  std::string_view name;  // of --to
  std::string_view says;  // for --help
  std::string_view ending;  // of a file's name
  bool one_document = true;  // else a file per student, in the folder that --file names
  Exported (*run)(const ExportInput&);
};
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// @throws std::logic_error  for a name that is not in the table
[[nodiscard]] const ExportFormat& export_format(std::string_view name);

// One per file of this folder. None turns an internal error into a zero: the cell stays empty, the
// test is an error, or the file is not written, and a note says so.
[[nodiscard]] Exported export_csv(const ExportInput& input);
[[nodiscard]] Exported export_canvas(const ExportInput& input);
[[nodiscard]] Exported export_moodle(const ExportInput& input);
[[nodiscard]] Exported export_gradescope(const ExportInput& input);
[[nodiscard]] Exported export_junit(const ExportInput& input);
[[nodiscard]] Exported export_markdown(const ExportInput& input);

/// The complete grade of a row in a results folder.
/// @throws UsageError  if it is not there or damaged
[[nodiscard]] Grade grade_at(const std::filesystem::path& out, const GradeRow& row);

/// Reads a results folder.
/// @param lab     only this one; empty: all
/// @param course  instead of the course file used for grading; empty: that one
/// @throws UsageError, LabError
[[nodiscard]] ExportInput read_export_input(const std::filesystem::path& out,
                                            const std::string& lab,
                                            const std::filesystem::path& course);

/// "jdoe, vecadd: no score is exported: ..."
[[nodiscard]] std::string withheld_note(const GradeRow& row, const Standing& standing);
/// One for each grade of the book that has no score.
[[nodiscard]] std::vector<std::string> withheld_notes(const ExportInput& input);

/// The items that are listed one by one: all except the one for hidden cases.
[[nodiscard]] std::vector<Item> listed_items(const StudentView& view);

/// Printable text with some characters replaced.
/// @param other_way  the replacement of a character; empty: keep it
[[nodiscard]] std::string escaped(std::string_view text, std::string_view (*other_way)(char c));

}  // namespace warpgrade
