#include "grader/show/report/line_counters.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "grader/record/counters/emulator_report.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace {

constexpr const char* kThreadInstructions = "smsp__thread_inst_executed.sum";
constexpr const char* kBranches = "branches";
constexpr const char* kDivergent = "smsp__sass_branch_targets_threads_divergent.sum";
constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr const char* kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";

std::string memory(std::string_view what, std::string_view space, std::string_view operation) {
  return fmt::format("l1tex__t_{}_pipe_lsu_mem_{}_op_{}.sum", what, space, operation);
}

/// One kind of access to memory below the L1 cache.
struct Access {
  std::string_view label;
  std::string_view space;
  std::string_view operation;
};
constexpr Access kAccesses[] = {
    {"global loads", "global", "ld"},     {"global stores", "global", "st"},
    {"global atomics", "global", "atom"}, {"global reductions", "global", "red"},
    {"local loads", "local", "ld"},       {"local stores", "local", "st"},
};

/// 32 threads that access 32 adjacent floats need this many.
constexpr double kIdealSectors = 4;
constexpr double kWarpThreads = 32;

std::string ratio(double value) {
  return fmt::format("{:.3g}", value);
}

}  // namespace

double LineCounters::operator[](const std::string& counter) const {
  const auto it = sums_.find(counter);
  return it == sums_.end() ? 0 : it->second;
}

void LineCounters::add(const std::map<std::string, double>& counters) {
  for (const auto& [name, value] : counters) {
    if (!name.ends_with(".ratio") && !name.ends_with(".pct")) {  // these cannot be summed
      sums_[name] += value;
    }
  }
}

double LineCounters::instructions() const {
  return (*this)[kInstructionsMetric];
}

double LineCounters::sectors() const {
  double sum = 0;
  for (const Access& a : kAccesses) {
    sum += (*this)[memory("sectors", a.space, a.operation)];
  }
  return sum;
}

double LineCounters::conflicts() const {
  return (*this)[kConflicts];
}

double LineCounters::divergent() const {
  return (*this)[kDivergent];
}

std::vector<std::string> LineCounters::remarks() const {
  std::vector<std::string> words;
  double requests = 0;
  for (const Access& a : kAccesses) {
    requests += (*this)[memory("requests", a.space, a.operation)];
  }
  if (requests > 0) {
    words.push_back(ratio(sectors() / requests) + " sectors/request");
  }
  if (conflicts() > 0) {
    words.push_back(grouped(conflicts()) + " bank conflicts");
  }
  for (const auto& [counter, label] : {std::pair{"global_atomic_threads", " global atomics"},
                                       {"shared_atomic_threads", " shared atomics"}}) {
    if (const double threads = (*this)[counter]; threads > 0) {
      words.push_back(grouped(threads) + label);
    }
  }
  if (divergent() > 0) {
    words.push_back(grouped(divergent()) + " divergent");
  }
  return words;
}

std::vector<LineCounters::Number> LineCounters::numbers(double all_instructions) const {
  std::vector<Number> list;
  if (const double count = instructions(); count > 0) {
    list.push_back({"warp instructions", grouped(count),
                    fmt::format("{:.1f} % of all executed", 100 * count / all_instructions)});
    const double threads = (*this)[kThreadInstructions] / count;
    list.push_back({"active threads", ratio(threads),
                    threads < kWarpThreads - 0.5
                        ? "of 32 per warp, on average; the others were inactive"
                        : "of 32 per warp: all"});
  }
  if (const double ms = (*this)[kTimeMetric]; ms > 0) {
    list.push_back({"modelled time", fmt::format("{:.3g} ms", ms),
                    "the line's share of the kernel's modelled time"});
  }
  for (const Access& a : kAccesses) {
    const double requests = (*this)[memory("requests", a.space, a.operation)];
    const double touched = (*this)[memory("sectors", a.space, a.operation)];
    if (requests > 0) {
      const double each = touched / requests;
      list.push_back(
          {std::string(a.label), grouped(requests),
           fmt::format(
               "warp-wide requests, {} sectors of 32 bytes: {} per request{}", grouped(touched),
               ratio(each),
               each > kIdealSectors + 0.5 ? "; 4 are enough for 32 consecutive floats" : "")});
    }
  }
  if (const double passes = (*this)[kWavefronts]; passes > 0) {
    list.push_back(
        {"shared memory", grouped(passes),
         fmt::format("wavefronts, {} of them due to bank conflicts", grouped(conflicts()))});
  }
  for (const auto& [space, threads_of, contention] :
       {std::tuple{"global", "global_atomic_threads", "global_atomic_contention"},
        {"shared", "shared_atomic_threads", "shared_atomic_contention"}}) {
    if (const double threads = (*this)[threads_of]; threads > 0) {
      list.push_back({fmt::format("{} updates", space), grouped(threads),
                      fmt::format("atomics per thread, in {} serialized passes: threads of a warp "
                                  "accessing the same address are serialized",
                                  grouped((*this)[contention]))});
    }
  }
  if (const double branches = (*this)[kBranches]; branches > 0) {
    list.push_back(
        {"branches", grouped(branches),
         fmt::format("{} divergent: threads of one warp took both paths", grouped(divergent()))});
  }
  if (const double barriers = (*this)["barriers"]; barriers > 0) {
    list.push_back({"barriers", grouped(barriers), "once per arriving warp"});
  }
  if (const double flops = (*this)["flops_f32"]; flops > 0) {
    list.push_back({"f32 operations", grouped(flops), "of threads"});
  }
  return list;
}

SourceCounters count_lines(const std::vector<KernelReport>& kernels) {
  SourceCounters lines;
  for (const KernelReport& kernel : kernels) {
    for (const KernelLine& line : kernel.lines) {
      lines[{line.file, line.line}].add(line.counters);
    }
  }
  return lines;
}

}  // namespace warpgrade
