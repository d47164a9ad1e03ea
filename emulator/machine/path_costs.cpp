#include "emulator/machine/path_costs.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "emulator/counters/counters.h"
#include "emulator/isa/description.h"
#include "emulator/machine/flagged.h"
#include "emulator/machine/paths.h"
#include "emulator/machine/predication.h"
#include "emulator/machine/program.h"

namespace warpsim {
namespace {

// Cycles from the issue of an instruction to that of one that needs its result: rounded from
// published microbenchmarks of Volta to Hopper.
constexpr double kArithmeticCycles = 4;
constexpr double kDualCycles = 8;
constexpr double kSpecialCycles = 24;
constexpr double kMatrixCycles = 32;
constexpr double kSharedCycles = 25;
constexpr double kShuffleCycles = 23;
/// Of a branch, until the next instruction. Fitted to an H100's times of chains of multiply-adds in
/// loops (emulator/tests/counters/family_blocks.cu).
constexpr double kBranchCycles = 10;

/// When an instruction may start, or a value is known: cycles of computing since the region began,
/// and waits for loads.
struct Moment {
  double cycles = 0;
  std::uint32_t waits = 0;
  void after(const Moment& other) {
    cycles = std::max(cycles, other.cycles);
    waits = std::max(waits, other.waits);
  }
};

bool is_waited_for(AccessKind kind) {
  return kind == AccessKind::global_load || kind == AccessKind::local_load ||
         kind == AccessKind::texture_load;
}

double result_cycles(const Description& does, AccessKind kind) {
  switch (kind) {
    case AccessKind::none:
      break;
    case AccessKind::shared_load:
    case AccessKind::shared_atomic:
      return kSharedCycles;
    default:
      return kArithmeticCycles;  // what memory adds is counted by waits
  }
  if (does.unit == ArithmeticUnit::special) return kSpecialCycles;
  if (does.unit == ArithmeticUnit::matrix) return kMatrixCycles;
  if (does.collective != Collective::none) return kShuffleCycles;
  // Names and copies of values are not instructions of the card.
  if (does.copies) return 0;
  return does.precision == Precision::dual ? kDualCycles : kArithmeticCycles;
}

std::uint32_t parts(double whole) {
  return static_cast<std::uint32_t>(whole * kPathParts + 0.5);
}

/// Basic blocks of a text, as they are once `ptxas` has predicated short branches.
struct Blocks {
  Predication predication;
  std::vector<bool> starts;  // by index in the text, and its end
  /// Where what is in flight is waited for: a loop begins or has ended, or a function was called.
  /// Between these, instructions are in the order in which a warp comes to them.
  std::vector<bool> regions;
};

Blocks blocks_of(const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  Blocks blocks{predicate(function), std::vector<bool>(count + 1, false),
                std::vector<bool>(count + 1, false)};
  blocks.starts[0] = blocks.starts[count] = blocks.regions[0] = blocks.regions[count] = true;
  const auto begin_region = [&](std::uint32_t index) {
    blocks.starts[index] = blocks.regions[index] = true;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    if (describe(function.instructions[i]).effect == Effect::call) begin_region(i + 1);
    if (!ends_block(function.instructions[i]) || blocks.predication.removed[i]) continue;
    blocks.starts[i + 1] = true;
    for (const std::uint32_t target : branch_targets(function, i)) {
      blocks.starts[std::min(target, count)] = true;
      if (target > i) continue;
      begin_region(target);
      begin_region(i + 1);
    }
  }
  return blocks;
}

struct FunctionCosts {
  std::vector<double> cycles;  // of each block, by the index of its first instruction
  std::vector<double> waits;  // of each instruction
};

class FunctionPath {
 public:
  /// @param skips  a warp whose lanes skip all predicated instructions, which are issued only
  FunctionPath(const ptx::Function& function, const Blocks& blocks,
               const std::unordered_map<const ptx::Instruction*, AccessKind>& kinds, bool skips)
      : function_(function),
        blocks_(blocks),
        kinds_(kinds),
        skips_(skips),
        costs_{std::vector<double>(function.instructions.size()),
               std::vector<double>(function.instructions.size())} {}

  FunctionCosts run() {
    const auto count = static_cast<std::uint32_t>(function_.instructions.size());
    for (std::uint32_t first = 0, end = 1; first < count; first = end++) {
      while (!blocks_.starts[end]) ++end;
      if (blocks_.regions[first]) begin_region();
      add_block(first, end);
    }
    begin_region();
    return std::move(costs_);
  }

 private:
  /// A load, and the number of branches that decide whether it is executed.
  struct Load {
    std::uint32_t index = 0;
    std::size_t conditions = 0;
  };

  void begin_region() {
    for (const auto& [wait, loads] : loads_) share(loads);
    loads_.clear();
    branches_.clear();
    known_.clear();
    ordered_ = effects_ = started_ = {};
  }

  /// A wait is that of the loads waited for together, of those among them that are executed most
  /// often.
  void share(const std::vector<Load>& loads) {
    const std::size_t fewest = std::ranges::min(loads, {}, &Load::conditions).conditions;
    const auto sharing = std::ranges::count(loads, fewest, &Load::conditions);
    for (const Load& load : loads) {
      if (load.conditions == fewest) costs_.waits[load.index] = 1 / static_cast<double>(sharing);
    }
  }

  /// Adds the instructions [first, end). Within a block `ptxas` moves them, so each starts when it
  /// can; but none before the block, and before all of those before it have started.
  void add_block(std::uint32_t first, std::uint32_t end) {
    const Predication& predication = blocks_.predication;
    const Moment begin = started_;
    over_ = static_cast<std::size_t>(
        std::ranges::count_if(branches_, [&](std::uint32_t target) { return target > first; }));
    double longest = begin.cycles;
    for (std::uint32_t i = first; i < end; ++i) {
      if (predication.removed[i] || (skips_ && !predication.guards[i].empty())) continue;
      longest = std::max(longest, step(i, begin).cycles);
    }
    // At the end of a region all results are waited for.
    double cycles = blocks_.regions[end] ? longest : started_.cycles;
    cycles = std::max(cycles, begin.cycles + end - first);
    if (ends_block(function_.instructions[end - 1]) && !predication.removed[end - 1]) {
      for (const std::uint32_t target : branch_targets(function_, end - 1)) {
        branches_.push_back(target);
      }
      if (describe(function_.instructions[end - 1]).effect == Effect::branch) {
        cycles += kBranchCycles;
      }
    }
    started_.cycles = cycles;
    costs_.cycles[first] = cycles - begin.cycles;
  }

  void follow(const RegisterUse& use, Moment& moment) const {
    for (const std::uint32_t r : use.reads) {
      if (const auto at = known_.find(r); at != known_.end()) moment.after(at->second);
    }
  }

  /// @returns when its result is known
  Moment step(std::uint32_t index, const Moment& begin) {
    const ptx::Instruction& instruction = function_.instructions[index];
    const auto it = kinds_.find(&instruction);
    const AccessKind kind = it == kinds_.end() ? AccessKind::none : it->second;
    const Description does = describe(instruction);
    const RegisterUse use = register_use(instruction);
    const std::vector<std::uint32_t>& guards = blocks_.predication.guards[index];
    Moment moment = begin;
    follow(use, moment);
    for (const std::uint32_t branch : guards) {
      follow(register_use(function_.instructions[branch]), moment);
    }
    const bool is_load = does.effect == Effect::load;
    // Loads stay behind stores that may be to the same place, and everything behind barriers.
    if (is_load && !does.read_only) moment.after(ordered_);
    if (does.effect == Effect::barrier || does.effect == Effect::atomic) moment.after(effects_);
    Moment done = moment;
    done.cycles += result_cycles(does, kind);
    if (is_waited_for(kind)) loads_[++done.waits].push_back({index, guards.size() + over_});
    for (const std::uint32_t r : use.writes) {
      Moment& known = known_[r];
      if (guards.empty()) known = {};  // else it may keep what it has
      known.after(done);
    }
    if (does.effect == Effect::store || does.effect == Effect::atomic) effects_.after(moment);
    if (does.effect == Effect::store && kind != AccessKind::shared_store) ordered_.after(moment);
    if (does.effect == Effect::barrier) ordered_.after(moment);
    started_.after(moment);
    return done;
  }

  const ptx::Function& function_;
  const Blocks& blocks_;
  const std::unordered_map<const ptx::Instruction*, AccessKind>& kinds_;
  bool skips_;
  FunctionCosts costs_;
  // Of the region.
  std::map<std::uint32_t, std::vector<Load>> loads_;  // by the wait that they are part of
  std::vector<std::uint32_t> branches_;  // their targets
  std::size_t over_ = 0;  // of them, those that lead over the block
  std::unordered_map<std::uint32_t, Moment> known_;  // by register
  Moment ordered_;  // loads that are not read-only come after it
  Moment effects_;  // stores and atomics so far
  Moment started_;  // all instructions of the blocks so far
};

}  // namespace

std::vector<PathCost> path_costs(const Program& program) {
  const ptx::Function& function = *program.function;
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::unordered_map<const ptx::Instruction*, AccessKind> kinds;
  std::unordered_map<const ptx::Instruction*, std::size_t> index_of;
  for (std::size_t i = 0; i < program.source.size(); ++i) {
    if (program.source[i] == nullptr) continue;
    index_of[program.source[i]] = i;
    if (program.access[i] != AccessKind::none) kinds[program.source[i]] = program.access[i];
  }
  const std::vector<bool> polls = flagged(program, kPolls);
  const Blocks blocks = blocks_of(function);
  const FunctionCosts all = FunctionPath(function, blocks, kinds, false).run();
  const FunctionCosts least = FunctionPath(function, blocks, kinds, true).run();
  std::vector<PathCost> costs(program.source.size());
  for (std::uint32_t first = 0, end = 1; first < count; first = end++) {
    while (!blocks.starts[end]) ++end;
    // What the predicated instructions add is theirs, since they count only where a lane needs
    // them.
    const std::vector<std::vector<std::uint32_t>>& guards = blocks.predication.guards;
    const auto predicated =
        static_cast<double>(std::count_if(guards.begin() + first, guards.begin() + end,
                                          [](const auto& branches) { return !branches.empty(); }));
    const double certain = std::min(least.cycles[first], all.cycles[first]);
    const double each_certain = certain / (end - first - predicated);
    const double each_predicated = (all.cycles[first] - certain) / std::max(1.0, predicated);
    double waits = 0;
    PathCost* poll = nullptr;
    std::vector<PathCost*> here;
    for (std::uint32_t i = first; i < end; ++i) {
      waits += all.waits[i];
      const auto it = index_of.find(&function.instructions[i]);
      if (it == index_of.end()) continue;
      here.push_back(&costs[it->second]);
      *here.back() = {parts(guards[i].empty() ? each_certain : each_predicated),
                      parts(all.waits[i])};
      if (polls[it->second]) poll = here.back();
    }
    if (poll == nullptr) continue;
    for (PathCost* cost : here) *cost = {};
    *poll = {parts(all.cycles[first]), parts(waits), true};
  }
  return costs;
}

}  // namespace warpsim
