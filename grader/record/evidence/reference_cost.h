#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The cost of the reference solution in one case, with which the performance item compares.
struct ReferenceCost {
  double modelled_ms = 0;
  std::map<std::string, double> counters;  // by their names in formulas
  std::string card = {};  // the emulated card; empty if it was read from the cache
  std::vector<KernelReport> kernels = {};  // of the run; empty if it was read from a file
};

/// The cost of a stage of the lab's ladder in the performance case, without a secret.
struct RungCost {
  std::size_t rung = 0;  // from 1
  std::string stage;
  std::string title;
  std::string card;  // that was emulated
  ReferenceCost cost;
  double next_ms = 0;  // predicted by the cost model for the next rung; 0: it has no `change`
};

}  // namespace warpgrade
