#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "grader/class/grading/evidence_cache.h"
#include "grader/run/session/built_submission.h"

namespace warpgrade {

/// Grades single submissions of a class: from cached evidence if it suffices, otherwise by running
/// them. After an internal or environment error the submission is tried a second time; such an
/// error is never a zero. A second one is flagged for review, since the submission may have caused
/// it.
class Grading {
 public:
  /// @param note  gets messages about retries
  Grading(std::string secret, EvidenceCache& cache, std::function<void(const std::string&)> note);

  /// @param case_jobs  cases of it that run at the same time
  /// @param built      gets the build, unless cached evidence suffices; or null
  /// @throws EnvironmentError  if several submissions in a row have environment errors, and so does
  ///                           the lab's solution
  /// @throws Interrupted
  [[nodiscard]] Grade grade(LabSession& session, const Submission& submission,
                            std::size_t case_jobs, BuiltSubmission* built = nullptr);

  /// The number of grades for which nothing was run.
  [[nodiscard]] std::size_t reused() const { return reused_; }

 private:
  EvidenceCache::Made try_once(LabSession& session, const Submission& submission,
                               std::size_t case_jobs, const Observed* known,
                               BuiltSubmission* built);
  EvidenceCache::Made try_twice(LabSession& session, const Submission& submission,
                                std::size_t case_jobs, const Observed* known,
                                BuiltSubmission* built);
  void stop_if_machine_fails(LabSession& session, const std::string& last);

  std::string secret_;
  EvidenceCache& cache_;
  std::function<void(const std::string&)> note_;
  std::atomic<std::size_t> reused_ = 0;
  std::mutex faults_mutex_;
  int environment_faults_ = 0;  // in a row
};

/// Flags an error that recurs at the second try: the submission may cause it.
void flag_fault(Grade& grade);

}  // namespace warpgrade
