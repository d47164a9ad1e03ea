#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/counters/cost_inputs.h"
#include "emulator/record/fields.h"

// What a run counted, kernel by kernel.

namespace warpsim {

/// The cost model's inputs that are not 0, by the names of cost_fields(). A reader ignores others.
[[nodiscard]] nlohmann::ordered_json to_document(const CostInputs& inputs);
void from_document(const nlohmann::json& document, CostInputs& inputs);
void from_document(const nlohmann::ordered_json& document, CostInputs& inputs);
[[nodiscard]] nlohmann::ordered_json schema_of(const CostInputs* type,
                                               const record::Limits& limits);

struct KernelLine {
  std::string file;
  std::uint32_t line = 0;
  std::map<std::string, double> counters;
  CostInputs cost = {};
};
WARPGRADE_FIELDS(KernelLine, file, line,
                 (counters,
                  "By ncu's metric names where ncu has the counter. Those that are not here are 0, "
                  "or were not counted.",
                  {.at_most = 500}),
                 (cost,
                  "What the cost model takes from the counters, without zeros; "
                  "emulator/counters/cost_inputs.h has the names.",
                  {.only = record::Document::run, .optional = true}))

/// All launches of one configuration.
struct LaunchReport {
  std::vector<std::uint64_t> grid;
  std::vector<std::uint64_t> block;
  CostInputs cost;  // per configuration, because the modelled time is not a sum of counts
};
WARPGRADE_FIELDS(LaunchReport, (grid, "", {.at_most = 3}), (block, "", {.at_most = 3}), cost)

struct InstructionReport {
  std::string function;
  std::uint32_t index = 0;
  std::string text;
  std::string file;
  std::uint32_t line = 0;
  std::map<std::string, double> counters;
};
WARPGRADE_FIELDS(InstructionReport,
                 (function, "Demangled: the kernel, or a function that it calls."), index,
                 (text, "The PTX instruction."), file, line, counters)

/// The part of a kernel that led to an output: launches whose results were used, and in them the
/// instructions that lead to a store.
struct ReachingReport {
  std::uint64_t launches = 0;
  std::vector<std::uint64_t> grid;
  std::vector<std::uint64_t> block;
  std::map<std::string, double> counters;
};
WARPGRADE_FIELDS(ReachingReport, launches, (grid, "", {.at_most = 3}), (block, "", {.at_most = 3}),
                 (counters, "Those that are not here are the kernel's.", {.at_most = 500}))

/// Where launch__registers_per_thread comes from.
inline constexpr std::array<std::string_view, 2> kRegisterSources = {"estimate", "ptxas"};

struct KernelReport {
  std::string name;
  std::uint64_t launches = 0;
  std::vector<std::uint64_t> grid;
  std::vector<std::uint64_t> block;
  std::map<std::string, double> counters;
  std::vector<KernelLine> lines;
  std::string file = {};
  std::string occupancy_limiter = {};
  std::vector<LaunchReport> shapes = {};
  std::string registers_source = {};
  std::optional<ReachingReport> reaching = std::nullopt;
  std::vector<InstructionReport> instructions = {};

  /// 0 if it was not counted.
  [[nodiscard]] double counter(std::string_view metric) const {
    const auto it = counters.find(std::string(metric));
    return it == counters.end() ? 0 : it->second;
  }
};
WARPGRADE_FIELDS(
    KernelReport, (name, "Demangled."), launches,
    (grid, "Of the largest launch, as what follows from it.", {.at_most = 3}),
    (block, "", {.at_most = 3}),
    (counters,
     "Summed over all launches, by ncu's metric names where ncu has the counter; modelled_ms is "
     "deterministic, not measured. Those of what was off (see enabled) are not here.",
     {.at_most = 500}),
    (lines, "Not of what ncu counted.", {.optional = true, .at_most = 20000}),
    (file, "Where the kernel is written; empty if nothing says.",
     {.only = record::Document::run, .optional = true}),
    (occupancy_limiter, "", {.only = record::Document::run, .optional = true, .longest = 100}),
    (shapes,
     "By configuration of the launch, in order of first launch. Of many, the last stands for the "
     "rest.",
     {.only = record::Document::run, .optional = true, .at_most = 100}),
    (registers_source,
     "Where launch__registers_per_thread is from: ptxas, or an estimate from the PTX.",
     {.only = record::Document::run, .optional = true, .one_of = kRegisterSources}),
    (reaching, "Of a call that a harness announced and that was followed (WARPSIM_DATA_FLOW).",
     {.only = record::Document::run, .omit = true}),
    (instructions, "Only if they were asked for.",
     {.only = record::Document::run, .omit = true, .at_most = 100000}))

}  // namespace warpsim
