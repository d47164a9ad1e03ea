#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "grader/serve/jobs/check_program.h"
#include "grader/serve/store/store.h"
#include "grader/submit/course/groups.h"
#include "grader/submit/submission/attempt_folders.h"

namespace warpgrade {

/// `warpgrade grade`, which makes the grade of a submission, and the folder that takes it over.
struct GradeProgram {
  std::string program;  // path of warpgrade
  std::vector<std::string> options;  // "--device", "emulator"
  std::filesystem::path course;
  std::filesystem::path secret_file;
  std::filesystem::path results;  // the class's, or the preview of a regrade
  Installation installation;
};

/// The submissions at a lab as `warpgrade grade` reads them, up to one of them.
/// @param students  whose
/// @param last      the id of that one; later ones are left out
[[nodiscard]] std::vector<AttemptFiles> submitted_files(const Store& store, const std::string& lab,
                                                        const std::vector<std::string>& students,
                                                        std::int64_t last);

/// Grades a submission as the command line would after it: with the earlier ones of the student and
/// of the group, by the rules of the course. It is graded in a folder of its own, so that any
/// number is at the same time, on any machine.
/// @param attempt  the submission, or a regrade of it, whose problem is the staff's alone to read
/// @param number  of the attempt, from 1
/// @param grades  the folder, new
/// @return without a result
/// @throws EnvironmentError  if no process or folder can be created
[[nodiscard]] CheckOutcome grade_into(const std::filesystem::path& grades,
                                      const GradeProgram& program, const KeptAttempt& attempt,
                                      int number, const std::vector<AttemptFiles>& submitted,
                                      const std::atomic<bool>& stop);

/// Makes what grade_into() has made the class's. The result has what its student may see before
/// hidden cases are released, and no report, which depends on when it is read. Stopped at any
/// moment, it can be done again.
[[nodiscard]] CheckOutcome take_over_grade(const std::filesystem::path& grades,
                                           const GradeProgram& program, const KeptAttempt& attempt,
                                           int number);

/// Both, on this machine.
[[nodiscard]] CheckOutcome run_grade(const GradeProgram& program, const KeptAttempt& attempt,
                                     int number, const std::vector<AttemptFiles>& submitted,
                                     const std::atomic<bool>& stop);

}  // namespace warpgrade
