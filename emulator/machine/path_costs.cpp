#include "emulator/machine/path_costs.h"

#include <algorithm>
#include <unordered_map>

#include "emulator/counters/counters.h"
#include "emulator/isa/description.h"
#include "emulator/machine/paths.h"
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

/// Where in its block a value is known: cycles of computing since the block began, and waits for
/// loads.
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
  // Names and copies of values are no instructions of the card.
  if (does.copies) return 0;
  return does.precision == Precision::dual ? kDualCycles : kArithmeticCycles;
}

/// What a basic block costs.
struct BlockCost {
  double cycles = 0;
  double waits = 0;
};

std::uint32_t parts(double whole) {
  return static_cast<std::uint32_t>(whole * kPathParts + 0.5);
}

class BlockPath {
 public:
  BlockPath(const Program& program,
            const std::unordered_map<const ptx::Instruction*, AccessKind>& kinds)
      : program_(program), kinds_(kinds) {}

  /// The cost of the instructions [first, end) of the text.
  BlockCost of(std::uint32_t first, std::uint32_t end) {
    known_.clear();
    ordered_ = effects_ = {};
    double longest = 0;
    std::uint32_t waits = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const ptx::Instruction& instruction = program_.function->instructions[i];
      const Moment done = step(instruction);
      longest = std::max(longest, done.cycles);
      waits = std::max(waits, done.waits);
    }
    const double count = end - first;
    const ptx::Instruction& last = program_.function->instructions[end - 1];
    const double branch = describe(last).effect == Effect::branch ? kBranchCycles : 0;
    return {std::max(longest, count) + branch, static_cast<double>(waits)};
  }

 private:
  Moment step(const ptx::Instruction& instruction) {
    const auto it = kinds_.find(&instruction);
    const AccessKind kind = it == kinds_.end() ? AccessKind::none : it->second;
    const Description does = describe(instruction);
    const RegisterUse use = register_use(instruction);
    Moment moment;
    for (const std::uint32_t r : use.reads) {
      if (const auto at = known_.find(r); at != known_.end()) moment.after(at->second);
    }
    const bool is_load = does.effect == Effect::load;
    // Loads stay behind stores that may be to the same place, and everything behind barriers.
    if (is_load && !does.read_only) moment.after(ordered_);
    if (does.effect == Effect::barrier || does.effect == Effect::atomic) moment.after(effects_);
    Moment done = moment;
    done.cycles += result_cycles(does, kind);
    if (is_waited_for(kind)) ++done.waits;
    for (const std::uint32_t r : use.writes) known_[r] = done;
    if (does.effect == Effect::store || does.effect == Effect::atomic) effects_.after(moment);
    if (does.effect == Effect::store && kind != AccessKind::shared_store) ordered_.after(moment);
    if (does.effect == Effect::barrier) ordered_.after(moment);
    return done;
  }

  const Program& program_;
  const std::unordered_map<const ptx::Instruction*, AccessKind>& kinds_;
  std::unordered_map<std::uint32_t, Moment> known_;  // by register
  Moment ordered_;  // loads that are not read-only come after it
  Moment effects_;  // stores and atomics so far
};

}  // namespace

std::vector<PathCost> path_costs(const Program& program) {
  const ptx::Function& function = *program.function;
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> starts(count + 1, false);
  starts[count] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!ends_block(function.instructions[i])) continue;
    starts[i + 1] = true;
    for (const std::uint32_t target : branch_targets(function, i)) {
      starts[std::min(target, count)] = true;
    }
  }
  std::unordered_map<const ptx::Instruction*, AccessKind> kinds;
  std::unordered_map<const ptx::Instruction*, std::size_t> index_of;
  for (std::size_t i = 0; i < program.source.size(); ++i) {
    if (program.source[i] == nullptr) continue;
    index_of[program.source[i]] = i;
    if (program.access[i] != AccessKind::none) kinds[program.source[i]] = program.access[i];
  }
  std::vector<bool> polls(program.source.size(), false);
  for (const Inst& inst : program.code) {
    if ((inst.flags & kPolls) != 0 && inst.index < polls.size()) polls[inst.index] = true;
  }
  std::vector<PathCost> costs(program.source.size());
  BlockPath path(program, kinds);
  for (std::uint32_t first = 0, end = 1; first < count; first = end++) {
    while (!starts[end]) ++end;
    const BlockCost cost = path.of(first, end);
    const double count_here = end - first;
    std::vector<std::size_t> here;
    std::size_t poll = costs.size();
    for (std::uint32_t i = first; i < end; ++i) {
      const auto it = index_of.find(&function.instructions[i]);
      if (it == index_of.end()) continue;
      here.push_back(it->second);
      if (polls[it->second]) poll = it->second;
    }
    if (poll != costs.size()) {
      costs[poll] = {parts(cost.cycles), parts(cost.waits), true};
      continue;
    }
    for (const std::size_t i : here) {
      costs[i] = {parts(cost.cycles / count_here), parts(cost.waits / count_here)};
    }
  }
  return costs;
}

}  // namespace warpsim
