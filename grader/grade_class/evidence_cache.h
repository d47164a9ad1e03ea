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
#include "grader/grade_record/grade.h"
#include "grader/grade_submission/observed.h"
#include "grader/session/lab_session.h"
#include "grader/submission/submission.h"

namespace warpgrade {

/// Names a grade by all that it depends on: what environment_of says (source, lab, compiler,
/// device, build of warpgrade), and where the lab has hidden cases the secret with student and
/// attempt, as their data are then personal. Two submissions of one key have the same grade.
[[nodiscard]] std::string grade_key(const LabSession& session, const Submission& submission,
                                    const std::string& secret);

/// The same without what a lab says of cases, points, tiers and words: names what is observed of a
/// submission (grader/grade_submission/observed.h), which says itself for which cases it holds.
[[nodiscard]] std::string evidence_key(const LabSession& session, const Submission& submission,
                                       const std::string& secret);

/// What was observed of submissions, by evidence_key(), in a folder that any number of graders may
/// use at the same time: an entry is written whole or not at all, under a name that says its key.
/// What is damaged or of another version is as if it were not there.
class EvidenceCache {
 public:
  /// A cache that lives as long as the object: identical submissions of one run are run once.
  EvidenceCache();
  /// @throws EnvironmentError  if the folder cannot be written
  explicit EvidenceCache(std::filesystem::path folder);

  [[nodiscard]] std::optional<Observed> find(const std::string& key) const;

  /// A full disk is not an error: it is then observed again.
  void store(const std::string& key, const Observed& seen) const;

  /// A grade, and what it was made from; nothing where our own fault kept us from it.
  struct Made {
    Grade grade;
    std::optional<Observed> seen;
  };

  /// The grade of a submission of this key: from what is kept, else made by `make`, and kept unless
  /// the grade is an error. Of several threads that ask for one key at the same time, one makes it
  /// and the others wait; when the first fails, the next tries.
  /// @param from   the grade of what is kept; nothing if more has to be observed
  /// @param make   is given what is kept, or null
  /// @param found  set to whether nothing had to be made
  /// @throws whatever `make` throws
  [[nodiscard]] Grade find_or_make(const std::string& key,
                                   const std::function<std::optional<Grade>(const Observed&)>& from,
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
/// @param choice  a folder; "none": nothing is kept; empty: WARPGRADE_CACHE, else a folder in
///                XDG_CACHE_HOME or ~/.cache, where these can be written
/// @param keeps   set to whether it outlives the run
/// @throws EnvironmentError  if the folder of `choice` cannot be written
[[nodiscard]] std::unique_ptr<EvidenceCache> open_evidence_cache(const std::string& choice,
                                                                 bool& keeps);

}  // namespace warpgrade
