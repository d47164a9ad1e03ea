#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/recording/recorder.h"
#include "emulator/recording/variable_watch.h"

// What the recorder keeps of a block while it is not known whether anybody wants it.

namespace warpsim::recording {

constexpr std::size_t kMostBlocks = 4;  // that findings name
/// Of all steps that are kept. The file needs room for the rest.
constexpr std::size_t kMostKeptBytes = kMostBytes * 5 / 8;

/// What was found for the first time in the launch's code.
[[nodiscard]] std::vector<Finding> findings_of(const LaunchState& launch);
/// The blocks that they name, each once, in their order.
[[nodiscard]] std::vector<std::uint64_t> named_blocks(const std::vector<Finding>& findings);

/// Whether an instruction of the PTX, as its text begins, can write shared memory without an access
/// that is recorded: by a copy engine, or in another block of the cluster, as that one does here.
[[nodiscard]] bool may_write_unseen(std::string_view text);

/// Where a finding was made.
struct Recorder::Mark {
  FindingKind kind = {};
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t other_line = 0;
  std::uint32_t lanes = 0;
  std::optional<std::uint32_t> step;  // none: it is looked for when the block is kept
  std::optional<NamedFinding::Race> race;
  std::optional<Step> fault;  // to be put among the steps

  [[nodiscard]] bool is_of(const Finding& finding) const {
    return kind == finding.kind && line == finding.line && file == finding.file;
  }
};

struct Recorder::Candidate {
  /// Instructions of one line that access no recorded memory.
  struct Run {
    std::uint32_t warp = 0, instruction = 0, lanes = 0;
    std::uint32_t count = 0;  // 0: none
    std::uint32_t file = 0, line = 0;
  };

  BlockContext* context = nullptr;  // null: it has ended
  std::uint64_t linear = 0;
  Dim3 id;
  StepWriter steps;
  VariableWatch variables;
  Run run;  // that may go on
  std::uint64_t dropped = 0;
  std::vector<Site> sites;  // by the number of the instruction in the block
  std::vector<std::vector<std::uint32_t>> numbers;  // by program and index: that number + 1
  std::vector<Extent> used;  // in global memory
  std::vector<Mark> marks;
  std::size_t races_known = 0;

  std::uint32_t number_of(const Site& site) {
    if (numbers.size() <= site.of->number) numbers.resize(site.of->number + 1);
    std::vector<std::uint32_t>& of = numbers[site.of->number];
    if (of.empty()) of.resize(site.of->facts.size());
    std::uint32_t& number = of[site.index];
    if (number == 0) {
      sites.push_back(site);
      number = static_cast<std::uint32_t>(sites.size());
    }
    return number - 1;
  }
  [[nodiscard]] std::size_t bytes() const { return steps.size() + variables.size(); }
  void end_run() {
    if (run.count == 0) return;
    steps.add_run(run.warp, run.instruction, run.lanes, run.count);
    variables.end_step(steps.count() - 1);
    run.count = 0;
  }
  void add(const Step& step) {
    end_run();
    steps.add(step);
  }
  /// Instructions of one line and the same lanes become one step.
  void add_run(const Run& next) {
    if (run.count != 0 && run.warp == next.warp && run.lanes == next.lanes &&
        run.line == next.line && run.file == next.file) {
      run.count += next.count;
      return;
    }
    end_run();
    run = next;
  }
  /// Notes that the array with this address is used.
  void use(const Extent& extent) {
    constexpr std::size_t kMostArrays = 64;
    const auto same = [&](const Extent& other) { return other.base == extent.base; };
    if (used.size() < kMostArrays && std::ranges::none_of(used, same)) used.push_back(extent);
  }
};

/// What the counters have for one instruction, in all spaces.
struct Passes {
  std::uint64_t divergent = 0;
  std::uint64_t sectors = 0, ideal_sectors = 0;
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
};

/// The instruction that a warp executes.
struct Recorder::Pending {
  WarpContext* context = nullptr;  // null: none
  Candidate* candidate = nullptr;  // of its block
  const Inst* in = nullptr;
  Site site;
  const Frame* frame = nullptr;
  const ProgramTables* tables = nullptr;
  Passes before;
  std::uint32_t lanes = 0;
  std::uint32_t live = 0;
  std::vector<Step> accesses;  // the first `used` ones; the others are kept for their memory
  std::size_t used = 0;
  std::vector<Mark> marks;
  bool arrived = false;

  Step& next_access() {
    if (used == accesses.size()) accesses.emplace_back();
    Step& step = accesses[used++];
    step.passes = step.ideal = 0;
    step.values.clear();
    return step;
  }
};

}  // namespace warpsim::recording
