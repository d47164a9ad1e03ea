#include "grader/class/grading/results.h"

#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

#include "grader/class/grading/student_page.h"
#include "grader/class/page/class_page.h"
#include "grader/class/table/class_record.h"
#include "grader/core/contained_error.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"
#include "grader/submit/course/aliases.h"

namespace warpgrade {
namespace fs = std::filesystem;

void write_results(const fs::path& out, const Grade& grade, const ClassRecord& record,
                   const Installation& installation) {
  const fs::path folder = out / grade_folder(grade.student, grade.lab);
  keep_earlier_attempt(folder, grade.attempt);
  write_file_atomically(folder / "feedback.html", student_page(out, grade, record, installation));
  write_grade(grade, folder / "grade.json");  // last: its existence implies that of the page
}

Grade write_or_fail(Grade grade, const std::function<void(const Grade&)>& write,
                    const std::function<Grade(const std::string&)>& failed) {
  constexpr std::size_t kLongestReason = 500;
  const std::optional<std::string> reason = contained_error([&] { write(grade); });
  if (!reason) {
    return grade;
  }
  Grade error = failed(
      fmt::format("Its grade cannot be written: {}", printable(reason->substr(0, kLongestReason))));
  write(error);
  return error;
}

Gradebook with_other_labs(const fs::path& out, Gradebook book, const std::set<std::string>& labs,
                          std::size_t jobs) {
  std::vector<fs::path> folders = graded_folders(out);
  std::erase_if(folders, [&](const fs::path& f) { return labs.contains(f.filename().string()); });
  std::vector<std::optional<GradeRow>> rows(folders.size());
  parallel_for(folders.size(), jobs, [&](std::size_t i) {
    try {
      rows[i] = row_of(read_grade(folders[i] / "grade.json"));
    } catch (const UsageError&) {
      // `warpgrade report` says what is wrong with it.
    }
  });
  for (std::optional<GradeRow>& row : rows) {
    if (row) book.rows.push_back(*std::move(row));
  }
  book.sort();
  return book;
}

void write_class_files(const fs::path& out, const Gradebook& graded,
                       const Installation& installation) {
  ClassRecord record = load_class_record(out, {});
  bool is_new = false;
  for (const GradeRow& row : graded.rows) {
    if (record.log.set_counting(row.student, row.lab, row.attempt)) is_new = true;
  }
  if (is_new) write_submission_log(out, record.log);
  const Gradebook book = record.with_hand_grades(graded);
  const std::vector<Standing> standings = record.standings(book);
  write_file_atomically(out / "grades.json", gradebook_json(book, standings));
  write_file_atomically(out / "grades.csv", record.course.file.empty()
                                                ? gradebook_csv(book)
                                                : gradebook_csv(book, standings));
  write_file_atomically(out / "index.html", class_page(book, record, installation));
}

Gradebook rebuild_pages(const fs::path& out, const Installation& installation, std::size_t jobs) {
  const ClassRecord record = load_class_record(out, {});
  Gradebook book = read_gradebook(out, jobs, [&](const Grade& grade, const fs::path& folder) {
    write_file_atomically(folder / "feedback.html", student_page(out, grade, record, installation));
  });
  write_class_files(out, book, installation);
  return book;
}

namespace {

/// What pages show of the course, with other names.
ClassRecord renamed(ClassRecord record, Aliases& aliases) {
  for (RosterEntry& entry : record.course.roster.entries) {
    RosterEntry other;
    other.student = aliases.of(entry.student);
    other.extra_days = entry.extra_days;
    other.time_factor = entry.time_factor;
    entry = other;
  }
  record.course.decisions.rename_students([&](const std::string& s) { return aliases.of(s); });
  record.course.decisions.rename_authors_of_inquiries();
  SubmissionLog log;
  log.course = record.log.course;
  log.layout = record.log.layout;
  for (auto& [key, one] : record.log.records) {
    one.student = aliases.of(one.student);
    one.came_as.clear();
    log.add(one);
  }
  record.log = log;
  return record;
}

}  // namespace

Gradebook write_anonymous_pages(const fs::path& out, const fs::path& folder,
                                const Installation& installation) {
  const ClassRecord named = load_class_record(out, {});
  if (named.course.file.empty()) {
    throw UsageError("aliases are kept beside course.toml, and this class has none; write one");
  }
  const fs::path file = named.course.decisions_folder / kAliasesFile;
  Aliases aliases = Aliases::read(file);
  const ClassRecord record = renamed(named, aliases);
  Gradebook book = read_gradebook(out, 1, [&](Grade grade, const fs::path&) {
    grade.student = aliases.of(grade.student);
    write_file_atomically(folder / grade_folder(grade.student, grade.lab) / "feedback.html",
                          student_page(folder, grade, record, installation));
  });
  for (GradeRow& row : book.rows) row.student = aliases.of(row.student);
  book.sort();
  aliases.write(file);  // before a page can be opened that has one
  write_file_atomically(folder / "index.html", class_page(book, record, installation));
  return book;
}

}  // namespace warpgrade
