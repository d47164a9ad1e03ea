#pragma once

#include <vector>

#include "grader/core/installation.h"
#include "grader/serve/jobs/check_program.h"
#include "grader/serve/jobs/grade_program.h"
#include "grader/serve/jobs/jobs.h"
#include "grader/serve/serve.h"
#include "grader/serve/store/address.h"
#include "grader/serve/store/store.h"
#include "grader/submit/course/course.h"

// What the server and the workers start, from the options of the command.

namespace warpgrade {

/// The file of SQLite in the folder of the data, or PostgreSQL.
[[nodiscard]] DatabaseAddress address_of(const ServeOptions& options,
                                         const Installation& installation);

[[nodiscard]] CheckProgram check_program(const ServeOptions& options, bool of_class);
[[nodiscard]] AttemptRunner checks_with(Store& store, CheckProgram program);

[[nodiscard]] GradeProgram grade_program(const ClassServeOptions& options,
                                         const std::filesystem::path& results,
                                         const Installation& installation);

/// The submissions with which an attempt is graded.
struct Submitted {
  std::vector<AttemptFiles> files;
  int number = 0;  // of the attempt, from 1
};
[[nodiscard]] Submitted submitted_with(const Store& store, const Course& course,
                                       const KeptAttempt& attempt);

}  // namespace warpgrade
