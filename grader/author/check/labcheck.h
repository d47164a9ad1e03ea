#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/error.h"

namespace warpgrade {

/// Which programs of a lab `lab check` runs.
enum class LabCheckExtent : std::uint8_t {
  all,
  /// Stub and solution, what is not recorded as it is now (lab_record.h), and an eighth of the
  /// rest.
  changed,
};

struct LabCheckRequest {
  std::string lab;  // the lab's id; empty: all labs
  std::optional<CompilerRequest> compiler = {};  // nothing: automatic
  LabCheckExtent extent = LabCheckExtent::all;
  /// Only programs in CUDA C++, and what of the lab's files decides about them: neither the form in
  /// Python nor cheap answers, misreadings and questions, which are the same with each compiler.
  bool compiled_only = false;
  bool record = false;  // writes the record if every requirement is met
  std::string seed;  // selects the eighth
  bool samples = true;  // false: no eighth of the programs in CUDA C++
  std::string cache;  // folder of evidence, as in open_evidence_cache()
};

/// Checks one lab, or all: the sum of points, edge categories, the stub builds and
/// fails, stages are right and clean, the solution gets every point, each mutant fails as it claims
/// and the report names its pitfall, each stage is on its rung of the ladder, kernels that do
/// nothing or write zeros, a copy or one element fail every case, each concept check is failed by
/// some stage or mutant, links of the handout resolve. Prints a table per lab.
///
/// @returns passed, or not_yet if a requirement is not met
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode check_labs(const LabCheckRequest& request);

}  // namespace warpgrade
