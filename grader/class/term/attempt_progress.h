#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/record/grade/grade.h"
#include "grader/submit/course/submission_log.h"

// What became of the attempts of one student at one lab, one after the other: of own checks for
// `status`, of graded attempts for `term`, of both for the staff of `serve`.

namespace warpgrade {

/// One check or submission with its result.
struct MadeAttempt {
  int number = 1;
  std::optional<Instant> at = std::nullopt;
  /// What the first sentence named: a page of docs/pitfalls or, where there is none, any name for
  /// the sentence. Empty: nothing.
  std::string mistake = {};
  bool complete = false;  // all points
};

/// How often a mistake was named, and gone in the next attempt.
struct HintUse {
  std::size_t named = 0;  // in attempts that another one followed
  std::size_t followed = 0;

  HintUse& operator+=(const HintUse& other) {
    named += other.named;
    followed += other.followed;
    return *this;
  }
};

/// By mistake; those without a page of docs/pitfalls are summed up as "other".
/// @param attempts  in their order
[[nodiscard]] std::map<std::string, HintUse> hint_use(const std::vector<MadeAttempt>& attempts);

[[nodiscard]] HintUse sum_of(const std::map<std::string, HintUse>& uses);

/// The way from the first attempt that was not complete to the first complete one after it.
struct WayToFullMarks {
  std::size_t attempts = 0;  // both counted
  std::optional<double> hours = std::nullopt;  // nothing if a time is unknown
};
/// Nothing if there are not both.
[[nodiscard]] std::optional<WayToFullMarks> way_to_full_marks(
    const std::vector<MadeAttempt>& attempts);

/// The attempts of any number of students at one lab.
struct AttemptProgress {
  HintUse hints;
  std::vector<double> attempts;  // of each student's way to full marks
  std::vector<double> hours;  // of each one whose times are known
  /// By the hour in which it began: in how many attempts each pitfall was named.
  std::map<Instant, std::map<std::string, std::size_t>> pitfalls;

  /// @param own  of one student, in their order
  void add(const std::vector<MadeAttempt>& own);
};

/// The graded attempts that <out>/<student>/<lab> has: its grade and those in attempts/<n>, ordered
/// by number. Their times are those of grading.
[[nodiscard]] std::vector<MadeAttempt> graded_attempts(const Grade& grade,
                                                       const std::filesystem::path& folder);

/// Replaces times of grading by those of submission, where these are known.
void set_submitted(std::vector<MadeAttempt>& attempts, const SubmissionLog& log,
                   const std::string& student, const std::string& lab);

/// 0 if there are no values.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace warpgrade
