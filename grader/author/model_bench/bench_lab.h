#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/error.h"

namespace warpgrade {

/// One rung of a lab's ladder, or its solution.
struct StageBench {
  std::string lab;
  std::string stage;
  std::string problem;  // why there are no results; empty if there are
  std::size_t cases = 0;  // run on the device
  std::size_t right = 0;
  std::vector<std::string> wrong;  // names of the others
  double modelled_us = 0;  // kernels of the performance case, on the emulator
  std::optional<double> measured_us;  // the same on the GPU, by Nsight Compute
};

struct BenchRequest {
  std::string lab;  // empty: all
  std::optional<CompilerRequest> compiler;
  std::string card;  // to emulate; empty: the GPU's, or the default
  std::string json;  // output file; empty: none
  bool quick = false;  // only the performance case
};

/// Runs every stage and the solution of a lab: all cases on the GPU if there is one, the
/// performance case on the emulator, and, with Nsight Compute, its kernels' time on the GPU. Prints
/// a table, and how well modelled and measured times agree.
///
/// @returns passed, or not_yet if a stage is wrong in any case
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode bench_labs(const BenchRequest& request);

}  // namespace warpgrade
