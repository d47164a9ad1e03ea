#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "grader/grade_class/evidence_cache.h"

namespace warpgrade {

/// Grades single submissions of a class: from what is kept of them where that is enough,
/// else by running them. An internal error or one of this machine is tried a second time, and never
/// a student's zero; a second one is flagged for review, as the submission may have caused it.
class Grading {
 public:
  /// @param note  gets a message: what is retried
  Grading(std::string secret, EvidenceCache& cache, std::function<void(const std::string&)> note);

  /// @param case_jobs  cases of it that run at the same time
  /// @throws EnvironmentError  when one submission after another fails for this machine's fault,
  ///                           and so does the lab's own solution
  /// @throws Interrupted
  [[nodiscard]] Grade grade(LabSession& session, const Submission& submission,
                            std::size_t case_jobs);

  /// Grades for which nothing was run.
  [[nodiscard]] std::size_t reused() const { return reused_; }

 private:
  EvidenceCache::Made try_once(LabSession& session, const Submission& submission,
                               std::size_t case_jobs, const Observed* known);
  EvidenceCache::Made try_twice(LabSession& session, const Submission& submission,
                                std::size_t case_jobs, const Observed* known);
  void stop_if_machine_fails(LabSession& session, const std::string& last);

  std::string secret_;
  EvidenceCache& cache_;
  std::function<void(const std::string&)> note_;
  std::atomic<std::size_t> reused_ = 0;
  std::mutex faults_mutex_;
  int environment_faults_ = 0;  // in a row
};

/// Flags a fault that recurs at the second try: the submission may cause it.
void flag_fault(Grade& grade);

}  // namespace warpgrade
