#include "grader/grade_class/results.h"

#include <fmt/core.h>

#include <exception>

#include "grader/class_table/class_record.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/grade_class/student_page.h"
#include "grader/grade_record/grade_json.h"
#include "grader/report/html.h"

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
  std::string reason;
  try {
    write(grade);
    return grade;
  } catch (const EnvironmentError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& e) {
    reason = e.what();
  }
  Grade error = failed(
      fmt::format("Its grade cannot be written: {}", printable(reason.substr(0, kLongestReason))));
  write(error);
  return error;
}

void write_class_files(const fs::path& out, const Gradebook& book,
                       const Installation& installation) {
  const ClassRecord record = load_class_record(out, {});
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

}  // namespace warpgrade
