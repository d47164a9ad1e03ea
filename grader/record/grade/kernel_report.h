#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/counters/cost_inputs.h"
#include "grader/core/fields.h"

namespace warpgrade {

struct KernelLine {
  std::string file;
  std::uint32_t line = 0;
  std::map<std::string, double> counters;
  warpsim::CostInputs cost = {};  // not in grade.json, where the times that follow from it are
};
WARPGRADE_FIELDS(KernelLine, file, line, counters, cost)

struct KernelReport {
  std::string name;
  std::uint64_t launches = 0;
  std::vector<std::uint64_t> grid;
  std::vector<std::uint64_t> block;
  std::map<std::string, double> counters;  // by ncu's metric names
  std::vector<KernelLine> lines;
  // From the emulator; not in grade.json.
  std::string file = {};  // where the kernel is defined
  std::string occupancy_limiter = {};
  std::vector<warpsim::CostInputs> shapes = {};  // one per launch configuration

  /// 0 if it was not counted.
  [[nodiscard]] double counter(std::string_view metric) const {
    const auto it = counters.find(std::string(metric));
    return it == counters.end() ? 0 : it->second;
  }
};
WARPGRADE_FIELDS(KernelReport, name, launches, grid, block, counters, lines, file,
                 occupancy_limiter, shapes)

}  // namespace warpgrade
