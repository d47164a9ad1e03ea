#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "harness/case/shared_inputs.h"
#include "harness/data/array.h"
#include "harness/golden/golden_library.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Makes hidden cases unpredictable: course secret, student and attempt, joined by the caller.
/// Empty means no secret: hidden cases then have reproducible data like visible ones.
struct Secret {
  std::string text;
};

/// One case with its data: a worker's inputs and expected outputs. Immutable, so one instance
/// serves any number of submissions at once.
struct CaseData {
  const Lab* lab = nullptr;  // must outlive this
  const Case* spec = nullptr;
  std::map<std::string, Array> inputs;  // generated, by parameter; inout ones too
  std::map<std::string, Expected> expected;  // by parameter
  /// Of a lab with predicates, whether its outputs are right; otherwise empty.
  AnswerPredicate accepts = {};
  /// For workers of several submissions; null: each run gets files of its own.
  std::shared_ptr<const SharedInputs> shared = nullptr;
};

/// Generates the inputs only.
[[nodiscard]] std::map<std::string, Array> make_inputs(const Lab& lab, const Case& spec,
                                                       const Secret& secret);

/// Generates the inputs and runs the golden function on them.
[[nodiscard]] std::shared_ptr<const CaseData> make_case_data(const Lab& lab, const Case& spec,
                                                             const Secret& secret,
                                                             const GoldenLibrary& golden);

/// The same, for the workers of several submissions: large inputs are shared.
[[nodiscard]] std::shared_ptr<const CaseData> make_shared_case_data(const Lab& lab,
                                                                    const Case& spec,
                                                                    const GoldenLibrary& golden);

}  // namespace warpgrade
