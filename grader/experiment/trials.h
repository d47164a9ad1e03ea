#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/build/build.h"
#include "grader/evidence/case_outcome.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// What experiments with one submission may take in all: what is counted decides, so that the
/// outcome is the same on every machine.
struct TrialBudget {
  std::size_t runs = 40;
  double warp_instructions = 1 << 23;  // of the unchanged cases that are run
  /// Of a case that is run at all.
  double largest_case = 1 << 21;
  /// Ends the experiments without an outcome, whatever was found; a machine that is not overloaded
  /// needs far less.
  std::chrono::seconds wall{20};
};

/// What one run with something changed came to.
struct Trial {
  bool right = false;
  bool races = false;  // the emulator found one
  bool made = false;  // the change: all of it could be made, and something is other than before
  bool outside_branch = false;  // MadeChange
};

/// Runs cases of one submission with something changed, within a budget.
class Trials {
 public:
  Trials(LabSession& session, const BuildResult& build, Secret secret, std::filesystem::path folder,
         const TrialBudget& budget);

  /// Whether a case is small enough to be run in experiments.
  [[nodiscard]] bool affordable(const CaseOutcome& outcome) const;

  /// @param change         for `warpsim --change`; may be empty
  /// @param zeroed         whether outputs hold 0 before the call
  /// @param looks_for_races  whether Trial::races is wanted; it takes longer
  /// @param seed           of the schedule
  /// @returns nothing once the budget is used up
  [[nodiscard]] std::optional<Trial> run(const CaseOutcome& outcome, const std::string& change,
                                         bool zeroed, bool looks_for_races, std::uint64_t seed = 0);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// The clock ran out, or a run failed for no reason of the submission's: nothing that was found
  /// counts, since another run of the grader may find something else.
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
