#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/expected.h"
#include "harness/golden/run_apart.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// An element that a predicate rejects, and why.
struct RejectedElement {
  std::string parameter;
  std::uint64_t index = 0;
  std::string why;  // one sentence for the student
};

/// WARPGRADE_ACCEPTS of a golden.cpp: the elements that are wrong, none if the outputs are right.
/// @param outputs  the submission's, by parameter
using AnswerPredicate = std::function<std::vector<RejectedElement>(
    const Dims& dims, const std::map<std::string, Array>& inputs,
    const std::map<std::string, Array>& outputs)>;

/// The compiled reference/<lab>/golden.cpp: the slow and obvious computation in float64.
class GoldenLibrary {
 public:
  /// None: for labs whose datasets give all outputs (harness/case/program_run.h).
  GoldenLibrary() = default;
  /// @param file  <build>/lib/golden/<lab>.so
  /// @param apart  runs each of its functions, and the initialization of its variables
  /// @throws LabError      if it cannot be loaded; says what to build
  /// @throws LabCodeError  if it crashes while it is loaded
  explicit GoldenLibrary(const std::filesystem::path& file, RunApart apart = run_here);

  /// The expected values of every output for the case's inputs, with bounds from lab.tolerance.
  /// @throws LabError      if the golden function does not fill an output
  /// @throws LabCodeError  if it does not return
  [[nodiscard]] std::map<std::string, Expected> expect(
      const Lab& lab, const Case& spec, const std::map<std::string, Array>& inputs) const;

  /// The lab's WARPGRADE_ACCEPTS for a case; both must outlive it. Empty for a lab without
  /// predicates.
  /// @throws LabError  if it needs one that golden.cpp does not define; calls throw LabError if it
  ///                   asks for something that the lab does not have, and LabCodeError if it does
  ///                   not return
  [[nodiscard]] AnswerPredicate predicate(const Lab& lab, const Case& spec) const;

 private:
  std::shared_ptr<void> handle_;
  void* entry_ = nullptr;
  RunApart apart_ = run_here;
};

/// <library>/golden/<lab>.so, where `library` is a build's lib/ or an installation's
/// lib/warpgrade/.
[[nodiscard]] std::filesystem::path golden_file(const std::filesystem::path& library,
                                                const Lab& lab);

}  // namespace warpgrade
