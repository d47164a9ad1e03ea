#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "grader/core/files.h"
#include "grader/judge/assess/observed.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// A hash of everything that a grade depends on: environment_of() (source, lab, compiler, device,
/// build of warpgrade) and, if the lab has hidden cases, whose data are personal, the secret with
/// student and attempt. Submissions with equal keys have equal grades.
[[nodiscard]] std::string grade_key(const LabSession& session, const Submission& submission,
                                    const std::string& secret);

/// The same without the lab's cases, points, tiers and texts: the key of a submission's evidence
/// (grader/judge/assess/observed.h), which records its cases itself.
[[nodiscard]] std::string evidence_key(const LabSession& session, const Submission& submission,
                                       const std::string& secret);

/// Caches evidence by evidence_key() in a folder that any number of graders may use at the same
/// time: entries are written atomically under a name made from the key. Entries that are damaged or
/// of another version are ignored.
class EvidenceCache {
 public:
  /// A temporary cache: identical submissions of one run are run once.
  EvidenceCache();
  /// @throws EnvironmentError  if the folder cannot be written
  explicit EvidenceCache(std::filesystem::path folder);

  [[nodiscard]] std::optional<Observed> find(const std::string& key) const;

  /// A full disk is not an error; the submission is run again next time.
  void store(const std::string& key, const Observed& seen) const;

  /// A grade and its evidence; no evidence after an internal error.
  struct Made {
    Grade grade;
    std::optional<Observed> seen;
  };

  /// The grade of a submission with this key: from the cached evidence, otherwise made by `make`,
  /// whose evidence is cached unless the grade is an error or a case was stopped by a clock. If
  /// several threads request one key at the same time, one makes it and the others wait; if it
  /// fails, the next one tries.
  /// @param from   makes the grade from cached evidence, which it may use up; nothing if it is
  ///               insufficient, and then the evidence is unchanged
  /// @param make   gets the cached evidence, or null
  /// @param found  set to whether `make` was not needed
  /// @throws whatever `make` throws
  [[nodiscard]] Grade find_or_make(const std::string& key,
                                   const std::function<std::optional<Grade>(Observed&)>& from,
                                   const std::function<Made(const Observed*)>& make, bool& found);

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  std::optional<ScratchFolder> scratch_;
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<std::string> in_work_;
};

/// The cache of a run.
///
/// @param choice  a folder; "none": no cache; empty: WARPGRADE_CACHE, otherwise a folder in
///                XDG_CACHE_HOME or ~/.cache if writable
/// @param keeps   set to whether the cache outlives the run
/// @throws EnvironmentError  if the folder of `choice` cannot be written
[[nodiscard]] std::unique_ptr<EvidenceCache> open_evidence_cache(const std::string& choice,
                                                                 bool& keeps);

}  // namespace warpgrade
