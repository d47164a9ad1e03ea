#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/judge/misreading/explain.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/evidence/explanation.h"
#include "grader/run/session/golden_build.h"
#include "grader/run/session/lab_session.h"
#include "harness/case/case_data.h"
#include "harness/golden/variant_library.h"

namespace warpgrade {

/// The variants of a lab's golden function.
class GoldenFormulas {
 public:
  explicit GoldenFormulas(const LabSession& session)
      : build_(golden_variants_build(session.installation(), session.lab())),
        library_(build_.file) {}
  [[nodiscard]] const GoldenVariantLibrary& library() const { return library_; }

 private:
  GoldenBuild build_;  // may own the file
  GoldenVariantLibrary library_;
};

/// The golden function with one place changed that gives a submission's outputs, or with two of
/// which each gives a part, as explain() and explain_where_wrong() find it. Those that do not give
/// the smallest failing cases are dropped first; one that crashes, or makes many more steps than
/// the golden function, is dropped, too. The work is limited by counts.
/// @param secret   personal; for hidden cases
/// @param scratch  with which the cases were run
[[nodiscard]] std::optional<Explanation> explain_by_golden(LabSession& session,
                                                           const Secret& secret,
                                                           const std::filesystem::path& scratch,
                                                           const std::vector<CaseOutcome>& cases);

/// The same for wrong outputs of any origin.
[[nodiscard]] std::optional<Explanation> explain_by_golden(const GoldenVariantLibrary& library,
                                                           const WrongOutputs& asked);

}  // namespace warpgrade
