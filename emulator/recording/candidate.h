#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/recording/recorder.h"

// What the recorder keeps of a block while it is not known whether anybody wants it.

namespace warpsim::recording {

constexpr std::size_t kMostBlocks = 4;  // that findings name
/// Of all steps that are kept. The file needs room for the rest.
constexpr std::size_t kMostKeptBytes = kMostBytes * 5 / 8;

/// Where a finding was made.
struct Recorder::Mark {
  FindingKind kind = {};
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t other_line = 0;
  std::uint32_t lanes = 0;
  std::uint32_t step = 0;
  std::optional<NamedFinding::Race> race;
  std::optional<Step> fault;  // to be put among the steps

  [[nodiscard]] bool is_of(const Finding& finding) const {
    return kind == finding.kind && line == finding.line && file == finding.file;
  }
};

struct Recorder::Candidate {
  BlockContext* context = nullptr;  // null: it has ended
  std::uint64_t linear = 0;
  Dim3 id;
  StepWriter steps;
  std::optional<Step> run;  // that may go on
  std::uint64_t dropped = 0;
  std::vector<Instruction> instructions;
  std::unordered_map<const Inst*, std::uint32_t> numbers;
  std::vector<Extent> used;  // in global memory
  std::vector<Mark> marks;
  std::size_t races_known = 0;

  [[nodiscard]] bool same_line(std::uint32_t a, std::uint32_t b) const {
    return instructions[a].line == instructions[b].line &&
           instructions[a].file == instructions[b].file;
  }
  /// Notes that the array with this address is used.
  void use(const Extent& extent) {
    constexpr std::size_t kMostArrays = 64;
    const auto same = [&](const Extent& other) { return other.base == extent.base; };
    if (used.size() < kMostArrays && std::ranges::none_of(used, same)) used.push_back(extent);
  }
};

/// The instruction that a warp executes.
struct Recorder::Pending {
  WarpContext* context = nullptr;  // null: none
  const Inst* in = nullptr;
  const Program* program = nullptr;
  const ProgramTables* tables = nullptr;
  Counts before;
  std::uint32_t lanes = 0;
  std::uint32_t live = 0;
  std::vector<Step> accesses;
  std::vector<Mark> marks;
  bool barrier = false;
  bool arrived = false;
};

}  // namespace warpsim::recording
