#include "grader/serve/programs.h"

#include <algorithm>
#include <utility>

#include "grader/core/own_command.h"
#include "grader/serve/classroom/rules.h"

namespace warpgrade {
namespace fs = std::filesystem;

DatabaseAddress address_of(const ServeOptions& options, const Installation& installation) {
  if (options.database.empty()) return options.folder / "serve.db";
  return {options.database, options.database_password, installation.library};
}

CheckProgram check_program(const ServeOptions& options, bool of_class) {
  return {.program = own_command().at(0),
          .options = options.run_options,
          .run_options = options.playground_options,
          .of_class = of_class};
}

AttemptRunner checks_with(Store& store, CheckProgram program) {
  return [&store, program = std::move(program)](const KeptAttempt& attempt, const auto& on_step,
                                                const std::atomic<bool>& stop) {
    return run_check(program, attempt.lab, store.files(attempt.id), on_step, stop);
  };
}

GradeProgram grade_program(const ClassServeOptions& options, const fs::path& results,
                           const Installation& installation) {
  return {.program = own_command().at(0),
          .options = options.serve.run_options,
          .course = fs::absolute(options.course),
          .secret_file = fs::absolute(options.secret_file),
          .results = results,
          .installation = installation};
}

Submitted submitted_with(const Store& store, const Course& course, const KeptAttempt& attempt) {
  Submitted submitted;
  submitted.files = submitted_files(store, attempt.lab,
                                    group_of(course, attempt.person, attempt.lab), attempt.id);
  submitted.number = static_cast<int>(
      std::count_if(submitted.files.begin(), submitted.files.end(),
                    [&](const AttemptFiles& one) { return one.student == attempt.person; }));
  return submitted;
}

}  // namespace warpgrade
