#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What the reference solution cost on one case; the yardstick of the performance item.
struct ReferenceCost {
  double modelled_ms = 0;
  std::map<std::string, double> counters;  // by their names in formulas
  std::string card = {};  // that was emulated; empty where it was read from the cache
  std::vector<KernelReport> kernels = {};  // of the run; empty where it was read from a file
};

/// What a stage of the lab's ladder costs in the performance case, whatever the secret.
struct RungCost {
  std::size_t rung = 0;  // from 1
  std::string stage;
  std::string title;
  std::string card;  // that was emulated
  ReferenceCost cost;
  double next_ms = 0;  // that the cost model predicts for the next rung; 0: it has no `change`
};

}  // namespace warpgrade
