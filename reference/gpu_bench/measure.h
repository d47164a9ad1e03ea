#pragma once

#include <string>
#include <vector>

#include "reference/gpu_bench/row.h"

/// How contenders are timed, so that none of them has an advantage: in turns, in the same process;
/// inputs that change from call to call, outputs poisoned before and compared after each; the L2
/// overwritten before each; between two events on the device.
namespace against {

struct Timed {
  std::string name;
  std::vector<double> ms;
  double error = 0;  // the largest of all calls
  std::string problem;  // why there are no times; empty if there are
};

/// Runs all contenders of a row `rounds` times. What fails or is wrong says so in its `problem`.
///
/// @throws std::runtime_error  if the first contender, which the others are judged by, fails
[[nodiscard]] std::vector<Timed> measure(const Row& row, int rounds);

/// This card's practical peaks: the medians of kernels that do nothing else.
struct Ceilings {
  double copy = 0;  // bytes per second, read and written
  double read = 0;  // bytes per second
  double multiply_add = 0;  // float operations per second, two for each multiply-add
};
[[nodiscard]] Ceilings measure_ceilings(int rounds);

}  // namespace against
