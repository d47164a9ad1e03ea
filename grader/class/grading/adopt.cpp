#include "grader/class/grading/adopt.h"

#include <algorithm>
#include <system_error>

#include "grader/class/grading/receipt.h"
#include "grader/class/grading/results.h"
#include "grader/class/grading/results_lock.h"
#include "grader/class/grading/student_page.h"
#include "grader/class/table/class_record.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The number of the attempt that a grade.json is of; 0 if there is none, or it is damaged.
int attempt_in(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return 0;
  try {
    return read_grade(file).attempt;
  } catch (const UsageError&) {
    return 0;
  }
}

/// The last attempt with a grade in a folder of one student and lab; 0 if there is none. Where the
/// best attempt counts, it is not always that of the folder's grade.json.
int last_attempt(const fs::path& folder) {
  int last = attempt_in(folder / "grade.json");
  std::error_code error;
  for (const fs::directory_entry& attempt :
       fs::directory_iterator(folder / kAttemptsFolder, error)) {
    last = std::max(last, attempt_in(attempt.path() / "grade.json"));
  }
  return last;
}

/// Earlier attempts, which are graded, too, where the best one counts.
void adopt_attempts(const fs::path& from, const fs::path& to) {
  std::error_code error;
  for (const fs::directory_entry& attempt : fs::directory_iterator(from / kAttemptsFolder, error)) {
    const fs::path file = attempt.path() / "grade.json";
    if (!fs::exists(file, error)) continue;
    write_file_atomically(to / kAttemptsFolder / attempt.path().filename() / "grade.json",
                          read_file(file));
  }
}

}  // namespace

Adopted adopt_grades(const fs::path& from, const fs::path& out, const fs::path& course,
                     const Installation& installation) {
  Adopted adopted;
  const std::vector<fs::path> folders = graded_folders(from);
  if (folders.empty()) return adopted;
  const FileLock lock = lock_results(out, /*wait=*/true);
  // Before any grade, so that every grade has a submission time.
  write_submission_log(out, read_submission_log(from));
  const ClassRecord record = load_class_record(out, course);
  for (const fs::path& folder : folders) {
    const Grade grade = read_grade(folder / "grade.json");
    const fs::path to = out / grade_folder(grade.student, grade.lab);
    const bool is_earlier = last_attempt(to) > last_attempt(folder);
    adopt_attempts(folder, to);
    ++adopted.grades;
    if (is_earlier) {
      write_grade(grade, to / kAttemptsFolder / std::to_string(grade.attempt) / "grade.json");
      adopted.earlier.push_back(grade.student);
      continue;
    }
    write_results(out, grade, record, installation);
    adopt_receipt(from, out, grade.student, grade.lab);
  }
  return adopted;
}

}  // namespace warpgrade
