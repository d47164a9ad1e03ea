#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// A change that recovers a smaller fraction of the lost points is not reported.
inline constexpr double kLeastShare = 0.5;

/// The warp instructions that a case executed; 0 for one that the emulator did not run.
[[nodiscard]] double work_of(const CaseOutcome& outcome);

/// The total cost of experiments with one submission. Limited by counts, so that the result is the
/// same on every machine.
struct TrialBudget {
  std::size_t runs = 40;
  double warp_instructions = 1 << 23;  // of the unchanged cases that are run
  /// Of a case that is run at all.
  double largest_case = 1 << 21;
  /// Ends the experiments without a result, whatever was found; far more than a machine needs that
  /// is not overloaded.
  std::chrono::seconds wall{20};
};

/// The result of one changed run.
struct Trial {
  bool right = false;
  bool races = false;  // the emulator found one
  bool made = false;  // the whole change could be made, and had an effect
  bool nowhere = false;  // there is nothing in the program to change
  bool outside_branch = false;  // warpsim::ChangeReport
};

/// Runs cases of one submission with a change, within a budget.
class Trials {
 public:
  Trials(LabSession& session, const BuildResult& build, Secret secret, std::filesystem::path folder,
         const TrialBudget& budget);

  /// Whether a case is small enough for experiments.
  [[nodiscard]] bool affordable(const CaseOutcome& outcome) const;

  /// @param change         for `warpsim --change`; may be empty
  /// @param zeroed         whether outputs hold 0 before the call
  /// @param looks_for_races  whether Trial::races is wanted; it takes longer
  /// @param seed           of the schedule
  /// @returns nothing once the budget is used up
  [[nodiscard]] std::optional<Trial> run(const CaseOutcome& outcome, const std::string& change,
                                         bool zeroed, bool looks_for_races, std::uint64_t seed = 0);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// The time limit expired, or a run failed for a reason other than the submission: discard all
  /// results, since another run of the grader may get others.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

 private:
  LabSession& session_;
  const BuildResult& build_;
  Secret secret_;
  std::filesystem::path folder_;
  TrialBudget budget_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::size_t runs_ = 0;
  double warp_instructions_ = 0;
  bool interrupted_ = false;
};

}  // namespace warpgrade
