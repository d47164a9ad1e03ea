#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/jobs/grade_transport.h"
#include "grader/serve/jobs/worker.h"
#include "grader/serve/jobs/worker_rules.h"
#include "grader/serve/programs.h"
#include "grader/serve/serve.h"
#include "grader/submit/course/course.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Differs between all workers, and says where it is.
std::string new_worker_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}-{}-{}", host.data(), ::getpid(), random_token().substr(0, 8));
}

}  // namespace

ExitCode serve_as_worker(const ClassServeOptions& options, std::chrono::seconds lease,
                         const Installation& installation) try {
  const bool of_class = !options.course.empty();
  if (of_class) static_cast<void>(read_file(options.secret_file));  // that it can be read
  DatabaseAddress database = address_of(options.serve, installation);
  database.migrates = false;
  Store store(database);
  Leases leases(database);
  WorkerRules rules(installation, options.course, options.secret_file);
  WorkerWork work = {.check = checks_with(store, check_program(options.serve, of_class)),
                     .grade = {},
                     .rules = [&] { return rules.checksum(); }};
  if (of_class) {
    const GradeProgram grades = grade_program(options, {}, installation);
    work.grade = [&, grades](const KeptAttempt& attempt, const std::atomic<bool>& stop,
                             FileSet& files) {
      const Submitted submitted = submitted_with(store, load_course(options.course, {}), attempt);
      const ScratchFolder scratch;
      const std::filesystem::path folder = scratch.path() / "grades";
      CheckOutcome outcome =
          grade_into(folder, grades, attempt, submitted.number, submitted.files, stop);
      if (!outcome.stopped && outcome.problem.empty()) files = files_in(folder);
      return outcome;
    };
  }
  const std::string name = new_worker_name();
  Worker worker(store, leases, name, options.serve.jobs, lease, work);
  fmt::print("The worker {} takes checks{} from {}, {} at a time.\nCtrl-C ends it.\n", name,
             of_class ? " and submissions" : "", database.name(), options.serve.jobs);
  std::fflush(stdout);
  worker.run(interrupted);
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

}  // namespace warpgrade
