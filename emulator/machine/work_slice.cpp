#include "emulator/machine/work_slice.h"

#include <algorithm>
#include <set>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/liveness.h"
#include "emulator/machine/paths.h"

namespace warpsim {
namespace {

/// Arrays of shared memory, of local memory and parameters, one bit each. The last one stands for
/// those beyond, and an address of which nothing is known may be in any.
using Cells = std::uint64_t;
constexpr unsigned kMostCells = 63;
constexpr Cells kAllCells = (Cells{1} << kMostCells) - 1;
constexpr Cells kUnknown = Cells{1} << kMostCells;

/// Control dependence takes their square; larger functions count as useful.
constexpr std::size_t kMostBlocks = 3000;
constexpr std::size_t kMostInstructions = 50'000;
constexpr std::size_t kMostKnown = 64;

/// Of an instruction, what a launch did with it.
enum Did : std::uint8_t {
  kExecuted = 1,
  kSomeLanes = 2,  // with a guard that held for some lane
  kAllGoOn = 4,  // as many lanes executed the next instruction
};

enum class Role : std::uint8_t { value, memory, control, barrier, call, nothing };

struct Step {
  Role role = Role::nothing;
  bool is_root = false;  // its effect outlives the kernel
  bool touches_shared = false;
  RegisterUse registers;
  Cells reads = 0, writes = 0;
};

struct CallLink {
  const Program* callee = nullptr;
  std::vector<Cells> arguments, results;  // of the caller
};

using Bits = std::vector<std::uint64_t>;
bool test(const Bits& bits, std::size_t i) {
  return ((bits[i / 64] >> (i % 64)) & 1) != 0;
}

}  // namespace

/// What is known of a function whatever a launch does.
struct WorkSlices::Facts {
  const Program* program = nullptr;
  bool gives_up = false;
  std::vector<std::uint32_t> of_index;  // instruction of the text, by Inst::index; or kNoIndex
  std::vector<Step> steps;  // by instruction of the text
  std::map<std::uint32_t, CallLink> calls;
  std::vector<Cells> parameters, returns;
  std::vector<std::vector<std::uint32_t>> writers;  // by register
  std::vector<bool> is_target;  // a branch leads to it
};

namespace {

/// Gives arrays their cells.
class CellTable {
 public:
  [[nodiscard]] Cells of(const ptx::Variable* variable) {
    const auto [it, fresh] = numbers_.try_emplace(variable, next_);
    if (fresh && next_ + 1 < kMostCells) ++next_;
    return Cells{1} << it->second;
  }

 private:
  std::map<const ptx::Variable*, unsigned> numbers_;
  unsigned next_ = 0;
};

bool is_array_of_ours(ptx::Space space) {
  return space == ptx::Space::shared || space == ptx::Space::local || space == ptx::Space::param;
}

/// The array that an operand names; kUnknown for what is none of those that are followed.
Cells named(const ptx::Operand& operand, const Program& program, CellTable& cells) {
  if (operand.variable != ptx::kNoIndex) {
    const ptx::Variable& variable = program.function->variables[operand.variable];
    return is_array_of_ours(variable.space) ? cells.of(&variable) : kUnknown;
  }
  for (const auto* list : {&program.function->parameters, &program.function->returns}) {
    for (const ptx::Variable& variable : *list) {
      if (variable.name == operand.text) return cells.of(&variable);
    }
  }
  const auto it = program.module->shared.find(operand.text);
  return it == program.module->shared.end() ? kUnknown : cells.of(it->second);
}

bool names_something(const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  return (operand.kind == Kind::symbol || operand.kind == Kind::address) &&
         (!operand.text.empty() || operand.variable != ptx::kNoIndex);
}

/// What the registers of a function may point to, from what its instructions compute them of.
class Pointers {
 public:
  Pointers(const Program& program, CellTable& cells)
      : program_(program), cells_(cells), to_(program.function->registers.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : program.function->instructions) {
        const RegisterUse use = register_use(instruction);
        const Cells value = value_of(instruction, use);
        for (const std::uint32_t r : use.writes) {
          changed = changed || (value & ~to_[r]) != 0;
          to_[r] |= value;
        }
      }
    }
  }

  /// Where an access may be; kAllCells where nothing is known.
  [[nodiscard]] Cells at(const ptx::Operand& operand) const {
    Cells where = operand.reg == ptx::kNoIndex ? 0 : to_[operand.reg];
    if (names_something(operand)) where |= named(operand, program_, cells_);
    return where == 0 || (where & kUnknown) != 0 ? kAllCells : where;
  }

 private:
  [[nodiscard]] Cells value_of(const ptx::Instruction& instruction, const RegisterUse& use) const {
    const Effect effect = describe(instruction).effect;
    if (effect == Effect::load || effect == Effect::atomic) return kUnknown;
    Cells value = 0;
    for (const std::uint32_t r : use.reads) value |= to_[r];
    for (const ptx::Operand& operand : instruction.operands) {
      if (names_something(operand)) value |= named(operand, program_, cells_);
    }
    return value;
  }

  const Program& program_;
  CellTable& cells_;
  std::vector<Cells> to_;
};

/// What an instruction that accesses memory does to the arrays that are followed.
void fill_memory(const ptx::Instruction& instruction, AccessKind access, const Pointers& pointers,
                 Step& step) {
  step.role = Role::memory;
  const ptx::Operand* address = address_of(instruction);
  const Cells where = address == nullptr ? kAllCells : pointers.at(*address);
  const Description does = describe(instruction);
  const bool global = does.space == ptx::Space::global || does.space == ptx::Space::constant;
  // A generic load may be one of shared memory, as those of Numba's kernels are.
  step.touches_shared = does.space == ptx::Space::generic && access != AccessKind::global_store &&
                        access != AccessKind::local_store;
  switch (access) {
    case AccessKind::shared_load:
    case AccessKind::shared_store:
    case AccessKind::shared_atomic:
      step.touches_shared = access != AccessKind::shared_store;
      if (access != AccessKind::shared_store) step.reads = where;
      if (access != AccessKind::shared_load) step.writes = where;
      // It may be another block's.
      step.is_root = access != AccessKind::shared_load && does.other_blocks;
      return;
    case AccessKind::global_to_shared:
      step.touches_shared = true;
      step.writes = where;  // the destination comes first
      return;
    case AccessKind::bulk_copy:
      step.touches_shared = true;
      step.reads = step.writes = kAllCells;
      step.is_root = true;
      return;
    case AccessKind::global_load:
    case AccessKind::local_load:
      if (!global) step.reads = where;
      return;
    case AccessKind::global_store:
    case AccessKind::local_store:
      if (!global) step.writes = where;
      step.is_root = access == AccessKind::global_store && (global || where == kAllCells);
      return;
    case AccessKind::global_atomic:
    case AccessKind::global_reduction:
      if (!global) step.reads = step.writes = where;
      step.is_root = global || where == kAllCells;
      return;
    case AccessKind::constant_load:
    case AccessKind::texture_load:
      step.is_root = step.registers.writes.empty();  // a surface's store
      return;
    case AccessKind::none:
      break;
  }
  // Parameters, and what the table has no access for.
  if (does.effect == Effect::load) {
    step.reads = where;
  } else if (does.effect == Effect::store) {
    step.writes = where;
  } else {
    step.reads = step.writes = kAllCells;
    step.is_root = true;
  }
}

Step step_of(const ptx::Instruction& instruction, AccessKind access, const Pointers& pointers) {
  Step step;
  step.registers = register_use(instruction);
  const Description does = describe(instruction);
  if (does.effect == Effect::harmless) return step;
  if (does.effect == Effect::call) {
    step.role = Role::call;
  } else if (transfers_control(does.control)) {
    step.role = Role::control;
  } else if (does.effect == Effect::barrier && step.registers.writes.empty()) {
    step.role = Role::barrier;
  } else if (access != AccessKind::none || address_of(instruction) != nullptr) {
    fill_memory(instruction, access, pointers, step);
  } else {
    step.role = Role::value;
    // Something that leaves no value has an effect that is not followed, if it is of anything.
    step.is_root = step.registers.writes.empty() && !step.registers.reads.empty();
  }
  return step;
}

std::vector<Cells> cells_of(const ptx::Operand& list, const Program& program, CellTable& cells) {
  std::vector<Cells> all;
  for (const ptx::Operand& element : list.elements) {
    const bool known = names_something(element);
    const Cells cell = known ? named(element, program, cells) : 0;
    all.push_back((cell & kUnknown) != 0 ? kAllCells : cell);
  }
  return all;
}

/// A call's lists of results and arguments.
CallLink link_of(const ptx::Instruction& call, const Program& program, CellTable& cells) {
  CallLink link;
  bool named_function = false;
  for (const ptx::Operand& operand : call.operands) {
    if (operand.kind != ptx::Operand::Kind::vector) {
      named_function = true;
    } else if (named_function) {
      link.arguments = cells_of(operand, program, cells);
    } else {
      link.results = cells_of(operand, program, cells);
    }
  }
  return link;
}

}  // namespace

WorkSlices::WorkSlices(const Kernel& kernel) : kernel_(kernel) {}
WorkSlices::~WorkSlices() = default;

namespace {

/// The function that a call instruction leads to.
/// @param known  false when it is only known at run time
const FunctionRef* callee_of(const Inst& in, bool& known) {
  const auto* site =
      in.run == run_unsupported ? nullptr : static_cast<const CallOperands*>(in.extra);
  known = site != nullptr && site->callee != nullptr;
  return known ? site->callee : nullptr;
}

}  // namespace

/// The slice of one launch.
class WorkSlices::Slice {
 public:
  Slice(const std::vector<const Facts*>& functions,
        const std::vector<std::vector<std::uint8_t>>& did)
      : functions_(functions), did_(did) {
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      const std::size_t count = functions_[f]->steps.size();
      needed_.emplace_back(count, false);
      registers_.emplace_back(functions_[f]->program->function->registers.size(), false);
      controllers_.push_back(find_controllers(f));
    }
    for (std::size_t f = 0; f < functions_.size(); ++f) add_roots(f);
    while (!open_.empty()) {
      const auto [f, i] = open_.back();
      open_.pop_back();
      follow(f, i);
    }
    mark_barriers();
  }

  [[nodiscard]] bool is_needed(std::size_t f, std::uint32_t i) const { return needed_[f][i]; }

 private:
  [[nodiscard]] bool executed(std::size_t f, std::uint32_t i) const {
    return (did_[f][i] & kExecuted) != 0;
  }

  void add_roots(std::size_t f) {
    const Facts& facts = *functions_[f];
    for (std::uint32_t i = 0; i < facts.steps.size(); ++i) {
      const Step& step = facts.steps[i];
      // What neither computes nor waits is not wasted work.
      if (step.role == Role::nothing) needed_[f][i] = true;
      if (step.is_root && (did_[f][i] & kSomeLanes) != 0) need(f, i);
    }
  }

  void need(std::size_t f, std::uint32_t i) {
    if (needed_[f][i] || !executed(f, i)) return;
    needed_[f][i] = true;
    open_.emplace_back(f, i);
  }

  void follow(std::size_t f, std::uint32_t i) {
    const Facts& facts = *functions_[f];
    const Step& step = facts.steps[i];
    for (const std::uint32_t r : step.registers.reads) need_register(f, r);
    need_cells(step.reads);
    for (const std::uint32_t branch : controllers_[f][i]) need(f, branch);
    if (const auto call = facts.calls.find(i); call != facts.calls.end()) {
      // A builtin's result is of its arguments.
      if (call->second.callee == nullptr) {
        for (const Cells cell : call->second.arguments) need_cells(cell);
      }
    }
    if (!entered_.insert(f).second) return;
    for (std::size_t g = 0; g < functions_.size(); ++g) {
      for (const auto& [at, link] : functions_[g]->calls) {
        if (link.callee == facts.program) need(g, at);
      }
    }
  }

  void need_register(std::size_t f, std::uint32_t r) {
    if (registers_[f][r]) return;
    registers_[f][r] = true;
    for (const std::uint32_t i : functions_[f]->writers[r]) need(f, i);
  }

  /// What was stored there may be read.
  void need_cells(Cells cells) {
    cells &= kAllCells & ~cells_;
    if (cells == 0) return;
    cells_ |= cells;
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      const Facts& facts = *functions_[f];
      for (std::uint32_t i = 0; i < facts.steps.size(); ++i) {
        if ((facts.steps[i].writes & cells) != 0) need(f, i);
      }
      for (const auto& [at, link] : facts.calls) pass_on(f, at, link, cells);
    }
  }

  /// Cells that a call fills: its results here, its arguments there.
  void pass_on(std::size_t f, std::uint32_t at, const CallLink& link, Cells cells) {
    if (!executed(f, at)) return;
    const Facts* callee = nullptr;
    for (const Facts* facts : functions_) {
      if (facts->program == link.callee) callee = facts;
    }
    for (std::size_t i = 0; i < link.results.size(); ++i) {
      if ((link.results[i] & cells) == 0) continue;
      need(f, at);
      if (callee != nullptr && i < callee->returns.size()) need_cells(callee->returns[i]);
    }
    if (callee == nullptr) return;
    const std::size_t count = std::min(link.arguments.size(), callee->parameters.size());
    for (std::size_t i = 0; i < count; ++i) {
      if ((callee->parameters[i] & cells) != 0) need_cells(link.arguments[i]);
    }
  }

  /// Barriers order what threads give each other through shared memory.
  void mark_barriers() {
    bool shared = false;
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      for (std::uint32_t i = 0; i < needed_[f].size(); ++i) {
        shared = shared || (needed_[f][i] && functions_[f]->steps[i].touches_shared);
      }
    }
    for (std::size_t f = 0; f < functions_.size() && shared; ++f) {
      for (std::uint32_t i = 0; i < needed_[f].size(); ++i) {
        if (functions_[f]->steps[i].role == Role::barrier) needed_[f][i] = true;
      }
    }
  }

  /// For each instruction, the branches that decide whether it is executed: those from which some
  /// lanes went where it always follows, and others where it need not.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> find_controllers(std::size_t f) const;

  const std::vector<const Facts*>& functions_;
  const std::vector<std::vector<std::uint8_t>>& did_;
  std::vector<std::vector<bool>> needed_, registers_;
  std::vector<std::vector<std::vector<std::uint32_t>>> controllers_;
  std::vector<std::pair<std::size_t, std::uint32_t>> open_;
  std::set<std::size_t> entered_;  // functions of which something is needed
  Cells cells_ = 0;
};

namespace {

struct Block {
  std::uint32_t first = 0, last = 0;  // [first, last)
  std::vector<std::size_t> next;
  Bits after;  // blocks that every way from here comes to, itself among them
};

void find_postdominators(std::vector<Block>& blocks) {
  const std::size_t words = blocks.size() / 64 + 1;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    blocks[b].after.assign(words, blocks[b].next.empty() ? 0 : ~std::uint64_t{0});
    blocks[b].after[b / 64] |= std::uint64_t{1} << (b % 64);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      Block& block = blocks[b];
      if (block.next.empty()) continue;
      Bits after = blocks[block.next.front()].after;
      for (const std::size_t n : block.next) {
        for (std::size_t w = 0; w < words; ++w) after[w] &= blocks[n].after[w];
      }
      after[b / 64] |= std::uint64_t{1} << (b % 64);
      if (after != block.after) {
        block.after = std::move(after);
        changed = true;
      }
    }
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> WorkSlices::Slice::find_controllers(std::size_t f) const {
  const Facts& facts = *functions_[f];
  const ptx::Function& function = *facts.program->function;
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<std::vector<std::uint32_t>> result(count);
  // Blocks of what was executed; a block ends where its instructions were executed differently.
  std::vector<Block> blocks;
  std::vector<std::size_t> block_of(count, ~std::size_t{0});
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!executed(f, i)) continue;
    const bool leads = facts.is_target[i] || i == 0 || !executed(f, i - 1) ||
                       ends_block(function.instructions[i - 1]);
    if (leads || blocks.empty()) blocks.push_back({.first = i, .last = i, .next = {}, .after = {}});
    block_of[i] = blocks.size() - 1;
    blocks.back().last = i + 1;
  }
  for (Block& block : blocks) {
    const std::uint32_t end = block.last - 1;
    const ptx::Instruction& instruction = function.instructions[end];
    const bool goes_on = falls_through(instruction) && end + 1 < count && executed(f, end + 1);
    const bool nobody_left = goes_on && !facts.is_target[end + 1] && (did_[f][end] & kAllGoOn) != 0;
    if (goes_on) block.next.push_back(block_of[end + 1]);
    if (nobody_left) continue;
    for (const std::uint32_t target : branch_targets(function, end)) {
      if (target < count && executed(f, target)) block.next.push_back(block_of[target]);
    }
    std::ranges::sort(block.next);
    block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
  }
  find_postdominators(blocks);
  for (const Block& from : blocks) {
    const bool may_end = ends_block(function.instructions[from.last - 1]) &&
                         branch_targets(function, from.last - 1).empty() && !from.next.empty() &&
                         (did_[f][from.last - 1] & kAllGoOn) == 0;
    if (from.next.size() < 2 && !may_end) continue;
    const auto self = static_cast<std::size_t>(&from - blocks.data());
    for (const std::size_t n : from.next) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const bool always = b != self && test(from.after, b) && !may_end;
        if (!test(blocks[n].after, b) || always) continue;
        for (std::uint32_t i = blocks[b].first; i < blocks[b].last; ++i) {
          if (result[i].empty() || result[i].back() != from.last - 1) {
            result[i].push_back(from.last - 1);
          }
        }
      }
    }
  }
  return result;
}

namespace {

std::size_t count_blocks(const ptx::Function& function) {
  return static_cast<std::size_t>(std::ranges::count_if(function.instructions, ends_block));
}

}  // namespace

/// Cells are numbered over all functions that ran, so all are looked at anew.
void WorkSlices::learn(std::span<const ExecutedProgram> programs) {
  facts_.clear();
  known_.clear();
  CellTable cells;
  for (const ExecutedProgram& ran : programs) {
    const Program& program = *ran.program;
    const ptx::Function& function = *program.function;
    auto facts = std::make_unique<Facts>();
    facts->program = &program;
    facts->of_index.assign(program.source.size(), ptx::kNoIndex);
    facts->gives_up =
        count_blocks(function) > kMostBlocks || function.instructions.size() > kMostInstructions;
    std::vector<AccessKind> access(function.instructions.size(), AccessKind::none);
    for (std::size_t i = 0; i < program.source.size(); ++i) {
      if (program.source[i] == nullptr) continue;
      const auto at = static_cast<std::uint32_t>(program.source[i] - function.instructions.data());
      facts->of_index[i] = at;
      if (program.access[i] != AccessKind::none) access[at] = program.access[i];
    }
    const Pointers pointers(program, cells);
    facts->writers.resize(function.registers.size());
    facts->is_target.assign(function.instructions.size() + 1, false);
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      facts->steps.push_back(step_of(function.instructions[i], access[i], pointers));
      for (const std::uint32_t r : facts->steps.back().registers.writes) {
        facts->writers[r].push_back(i);
      }
      for (const std::uint32_t target : branch_targets(function, i)) {
        facts->is_target[target] = true;
      }
    }
    for (const ptx::Variable& variable : function.parameters) {
      facts->parameters.push_back(cells.of(&variable));
    }
    for (const ptx::Variable& variable : function.returns) {
      facts->returns.push_back(cells.of(&variable));
    }
    for (const Inst& in : program.code) {
      const std::uint32_t at = facts->of_index[in.index];
      if (at == ptx::kNoIndex || facts->steps[at].role != Role::call) continue;
      CallLink& link = facts->calls[at] = link_of(function.instructions[at], program, cells);
      bool known = false;
      const FunctionRef* callee = callee_of(in, known);
      facts->gives_up = facts->gives_up || !known;
      if (!known) continue;
      const auto it = kernel_.programs.find(callee);
      if (it != kernel_.programs.end()) link.callee = it->second.get();
    }
    facts_[&program] = std::move(facts);
  }
}

const std::vector<std::vector<bool>>& WorkSlices::useful(
    std::span<const ExecutedProgram> programs) {
  const bool known = programs.size() == facts_.size() &&
                     std::ranges::all_of(programs, [&](const ExecutedProgram& ran) {
                       return facts_.contains(ran.program);
                     });
  if (!known) learn(programs);
  std::vector<const Facts*> functions;
  std::vector<std::vector<std::uint8_t>> did;
  std::string key;
  bool gives_up = false;
  for (const ExecutedProgram& ran : programs) {
    const Facts& facts = *facts_.at(ran.program);
    functions.push_back(&facts);
    gives_up = gives_up || facts.gives_up;
    std::vector<std::uint64_t> threads(facts.steps.size() + 1, 0);
    std::vector<std::uint8_t>& flags = did.emplace_back(facts.steps.size(), 0);
    for (std::size_t i = 0; i < facts.of_index.size(); ++i) {
      const std::uint32_t at = facts.of_index[i];
      if (at == ptx::kNoIndex) continue;
      const Counts& counts = ran.counts[i];
      threads[at] = std::max(threads[at], counts.threads);
      if (counts.executed != 0) flags[at] |= kExecuted;
      if (counts.threads > counts.predicated_off) flags[at] |= kSomeLanes;
    }
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (threads[i] != 0 && threads[i + 1] == threads[i]) flags[i] |= kAllGoOn;
    }
    key.append(flags.begin(), flags.end());
  }
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (known_.size() >= kMostKnown) known_.clear();
  std::vector<std::vector<bool>> result;
  std::unique_ptr<Slice> slice;
  if (!gives_up) slice = std::make_unique<Slice>(functions, did);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Facts& facts = *functions[f];
    std::vector<bool>& useful = result.emplace_back(facts.of_index.size(), true);
    for (std::size_t i = 0; i < useful.size() && slice != nullptr; ++i) {
      const std::uint32_t at = facts.of_index[i];
      useful[i] = at == ptx::kNoIndex || slice->is_needed(f, at);
    }
  }
  return known_[key] = std::move(result);
}

}  // namespace warpsim
