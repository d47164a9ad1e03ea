#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "grader/judge/misreading/explain.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/evidence/explanation.h"
#include "grader/run/session/golden_build.h"
#include "grader/run/session/lab_session.h"
#include "harness/case/case_data.h"
#include "harness/golden/misreading_library.h"

namespace warpgrade {

/// The lab's misreadings, loaded from the library of its golden function.
class LabFormulas {
 public:
  explicit LabFormulas(const LabSession& session);
  [[nodiscard]] const MisreadingList& list() const { return library_.list(); }

 private:
  GoldenBuild build_;  // may own the file
  MisreadingLibrary library_;
};

/// An explanation that is looked for in a copy of this process: a formula that crashes, or never
/// ends, explains nothing and ends no grading; `lab check` reports it.
/// @param search   such as explain()
/// @param longest  processor time
[[nodiscard]] std::optional<Explanation> found_apart(
    const std::function<std::optional<Explanation>()>& search, std::chrono::seconds longest);

/// The same of two searches in one process: the second one uses what the first has computed.
struct FoundApart {
  std::optional<Explanation> first, second;
  bool second_ended = false;  // otherwise it was not begun, or crashed, or took too long
};
/// @param second  is not begun where `needed` says no of the first one's explanation
[[nodiscard]] FoundApart both_found_apart(
    const std::function<std::optional<Explanation>()>& first,
    const std::function<bool(const std::optional<Explanation>&)>& needed,
    const std::function<std::optional<Explanation>()>& second, std::chrono::seconds longest);

/// What of a submission's outputs is wrong: in the visible cases or, if all of these are right, in
/// hidden ones.
/// @param secret   personal; for hidden cases
/// @param scratch  with which the cases were run
[[nodiscard]] WrongOutputs wrong_outputs(LabSession& session, const Secret& secret,
                                         const std::filesystem::path& scratch,
                                         const std::vector<CaseOutcome>& cases);

/// The explanation of a submission's outputs, from the visible cases or, if all of these are right,
/// from hidden ones: a formula of the lab, then the right one for other inputs, then one that gives
/// the elements that are wrong, and last a general variant.
/// @param secret   personal; for hidden cases
/// @param scratch  with which the cases were run
[[nodiscard]] std::optional<Explanation> explain_outputs(LabSession& session, const Secret& secret,
                                                         const std::filesystem::path& scratch,
                                                         const std::vector<CaseOutcome>& cases);

}  // namespace warpgrade
