#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "grader/assess/lab_session.h"
#include "grader/core/files.h"
#include "grader/grade/grade.h"
#include "grader/submission/submission.h"

namespace warpgrade {

/// Names a grade by all that it depends on: what environment_of says (source, lab, compiler,
/// device, build of warpgrade), and where the lab has hidden cases the secret with student and
/// attempt, as their data are then personal. Two submissions of one key have the same grade.
[[nodiscard]] std::string grade_key(const LabSession& session, const Submission& submission,
                                    const std::string& secret);

/// Grades by their key, in a folder that any number of graders may use at the same time: an entry
/// is written whole or not at all, under a name that says its content. What is damaged or of
/// another version is as if it were not there.
class GradeCache {
 public:
  /// A cache that lives as long as the object: identical submissions of one run are graded once.
  GradeCache();
  /// @throws EnvironmentError  if the folder cannot be written
  explicit GradeCache(std::filesystem::path folder);

  [[nodiscard]] std::optional<Grade> find(const std::string& key) const;

  /// Keeps a grade, unless it is an error. A full disk is no error: it is then made again.
  void store(const std::string& key, const Grade& grade) const;

  /// The grade of this key, made by `make` if it is not there. Of several threads that ask for one
  /// key at the same time, one makes it and the others wait; when the first fails, the next tries.
  /// @param found  set to whether it was there
  /// @throws whatever `make` throws
  [[nodiscard]] Grade find_or_make(const std::string& key, const std::function<Grade()>& make,
                                   bool& found);

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
[[nodiscard]] std::unique_ptr<GradeCache> open_grade_cache(const std::string& choice, bool& keeps);

}  // namespace warpgrade
