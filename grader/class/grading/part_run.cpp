#include "grader/class/grading/part_run.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "grader/class/page/progress.h"
#include "grader/core/parallel.h"

namespace warpgrade {
namespace {

/// The number of processors that the cluster assigned; one if unknown.
std::size_t part_jobs() {
  const char* given = std::getenv("SLURM_CPUS_PER_TASK");
  const int count = given != nullptr ? std::atoi(given) : 1;
  return static_cast<std::size_t>(std::clamp(count, 1, 1024));
}

}  // namespace

void run_part(
    const Part& part, const ClassWork& work,
    const std::function<std::unique_ptr<TaskGrader>(std::function<void(const std::string&)>)>&
        make_grader) {
  std::vector<Task> share;
  for (std::size_t i = 0; i < part.tasks.size(); ++i) {
    if (find_part_result(part, i)) {
      continue;  // by an earlier try
    }
    for (const Task& task : work.tasks) {
      if (task.student->student == part.tasks[i].first &&
          task.session->lab().id == part.tasks[i].second) {
        share.push_back(task);
        share.back().index = i;
      }
    }
  }
  Progress progress(share.size(), 0, false);
  const std::unique_ptr<TaskGrader> grader =
      make_grader([&](const std::string& text) { progress.note(text); });
  parallel_for(share.size(), part_jobs(), [&](std::size_t i) {
    const GradeRow row = grader->grade(share[i], 1);
    write_part_result(part, share[i].index, row);
    progress.done(row);
  });
}

}  // namespace warpgrade
