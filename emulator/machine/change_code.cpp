#include "emulator/machine/change_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/machine/change_operands.h"
#include "emulator/machine/code_edits.h"
#include "emulator/machine/control_flow.h"
#include "emulator/machine/editable_text.h"
#include "emulator/machine/liveness.h"
#include "emulator/machine/paths.h"
#include "emulator/machine/serialized_lanes.h"
#include "emulator/machine/source_lines.h"

namespace warpsim {
namespace {

bool is_barrier(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  return does.is_block_barrier() || does.is_cluster_barrier();
}

/// Reads or writes memory that threads share.
bool is_access(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  if (does.effect == Effect::atomic) return true;
  if (does.effect != Effect::load && does.effect != Effect::store) return false;
  return does.space == ptx::Space::generic || does.space == ptx::Space::global ||
         does.space == ptx::Space::shared;
}

// -- barriers -------------------------------------------------------------------------------------

struct Insertion {
  std::uint32_t at = 0;  // before this instruction
  bool jumps_come_by = true;  // branches to this instruction pass it, too
  bool outside_branch = false;
};

void shift_labels(std::vector<ptx::Operand>& operands, const Insertion& made) {
  for (ptx::Operand& operand : operands) {
    if (operand.kind == ptx::Operand::Kind::label && operand.target != ptx::kNoIndex) {
      const bool moves =
          operand.target > made.at || (operand.target == made.at && !made.jumps_come_by);
      operand.target += moves ? 1 : 0;
    }
    shift_labels(operand.elements, made);
  }
}

void insert(ptx::Function& function, const Insertion& made) {
  for (ptx::Instruction& instruction : function.instructions) {
    shift_labels(instruction.operands, made);
  }
  for (auto& [name, targets] : function.branch_tables) {
    for (std::uint32_t& target : targets) {
      target += target > made.at || (target == made.at && !made.jumps_come_by) ? 1 : 0;
    }
  }
  function.instructions.insert(function.instructions.begin() + made.at,
                               make_barrier(kAddedBarrier));
}

/// Where in a function the barriers of a change go, and what could not be done.
class BarrierPlaces {
 public:
  BarrierPlaces(const LoadedModule& module, const ptx::Function& function, const Change& change)
      : function_(function),
        behind_(change.kind == Change::Kind::barrier_after),
        of_line_(of_lines(module, function, change)) {}

  [[nodiscard]] bool has_accesses() const {
    for (std::uint32_t i = 0; i < of_line_.size(); ++i) {
      if (is_own(i)) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<Insertion> find(const ControlFlow& flow) const {
    std::map<std::uint32_t, Insertion> places;
    for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
      const ControlFlow::Block& block = flow.blocks()[b];
      for (std::uint32_t i = block.first; i < block.end; ++i) {
        if (!is_own(i)) continue;
        if (const auto place = behind_ ? behind(flow, b, i) : before(flow, b, i)) {
          places.emplace(place->at, *place);
        }
      }
    }
    std::vector<Insertion> found;
    for (const auto& [at, place] : places) found.push_back(place);
    return found;
  }

 private:
  /// An access of the line.
  [[nodiscard]] bool is_own(std::uint32_t i) const {
    return of_line_[i] && is_access(function_.instructions[i]);
  }
  [[nodiscard]] bool stops(std::uint32_t i) const {
    return is_access(function_.instructions[i]) || is_barrier(function_.instructions[i]);
  }

  /// Behind access `i` of block `b`, unless the line's next access follows.
  [[nodiscard]] std::optional<Insertion> behind(const ControlFlow& flow, std::uint32_t b,
                                                std::uint32_t i) const {
    const std::uint32_t meeting = flow.uniform_behind(b);
    if (meeting == ControlFlow::kNone) return std::nullopt;
    const ControlFlow::Block& block = flow.blocks()[meeting];
    Insertion place;
    place.outside_branch = meeting != b;
    place.at = place.outside_branch ? block.first : i + 1;
    place.jumps_come_by = place.outside_branch;
    for (std::uint32_t k = place.at; k < block.end; ++k) {
      if (stops(k)) return is_own(k) ? std::nullopt : std::optional(place);
    }
    // A barrier at the end of the function orders nothing.
    const Control last = describe(function_.instructions[block.end - 1]).control;
    if (last == Control::leave) return std::nullopt;
    return place;
  }

  /// In front of access `i` of block `b`, unless another of the line's comes right before it.
  [[nodiscard]] std::optional<Insertion> before(const ControlFlow& flow, std::uint32_t b,
                                                std::uint32_t i) const {
    const std::uint32_t meeting = flow.uniform_before(b);
    if (meeting == ControlFlow::kNone) return std::nullopt;
    const ControlFlow::Block& block = flow.blocks()[meeting];
    Insertion place;
    place.outside_branch = meeting != b;
    place.at = i;
    if (place.outside_branch) {
      place.at = block.end - (ends_block(function_.instructions[block.end - 1]) ? 1 : 0);
    }
    // A block's end where no branch stands is where others jump to.
    place.jumps_come_by = place.at < block.end;
    for (std::uint32_t k = place.at; k-- > block.first;) {
      if (stops(k)) return is_own(k) ? std::nullopt : std::optional(place);
    }
    // Nor does one at its beginning.
    if (block.previous.empty()) return std::nullopt;
    return place;
  }

  const ptx::Function& function_;
  bool behind_;
  std::vector<bool> of_line_;
};

bool uses_added_barrier(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      if (!is_barrier(instruction) || is_added(instruction) || instruction.operands.empty()) {
        continue;
      }
      const ptx::Operand& id = instruction.operands.front();
      if (id.kind != ptx::Operand::Kind::immediate || id.bits == kAddedBarrier) return true;
    }
  }
  return false;
}

void add_barriers(LoadedModule& module, const Change& change, Changes& changes) {
  if (uses_added_barrier(module.ptx)) {
    changes.problem(change, "the program may use the barrier that would be added");
    return;
  }
  for (ptx::Function& function : module.ptx.functions) {
    if (function.instructions.empty()) continue;
    const BarrierPlaces places(module, function, change);
    if (!places.has_accesses()) continue;
    std::vector<Insertion> found;
    for (const bool ends_count : {true, false}) {
      const ControlFlow flow(function, ends_count);
      if (flow.too_large()) {
        changes.problem(change, "the function is too large");
        break;
      }
      found = places.find(flow);
      if (!found.empty()) break;
    }
    if (found.empty()) {
      changes.problem(change, "all threads of a block meet nowhere around the line");
    }
    // From the end, so that places keep their numbers.
    for (auto it = found.rbegin(); it != found.rend(); ++it) {
      insert(function, *it);
      changes.made(change, 1, it->outside_branch);
    }
  }
}

// -- in turn --------------------------------------------------------------------------------------

/// The operand that says where in memory; null for forms with another number of operands.
const ptx::Operand* place_of(const ptx::Instruction& instruction) {
  return instruction.operands.size() == 2 ? address_of(instruction) : nullptr;
}

bool same_place(const ptx::Instruction& load, const ptx::Instruction& store) {
  const ptx::Operand* a = place_of(load);
  const ptx::Operand* b = place_of(store);
  if (a == nullptr || b == nullptr) return false;
  if (describe(load).space != describe(store).space) return false;
  return a->reg == b->reg && a->offset == b->offset && a->text == b->text &&
         a->variable == b->variable;
}

/// A load before `store` in its basic block that reads the place, such that the value stored
/// depends on it and the address is not computed anew.
std::optional<std::uint32_t> load_of(const ptx::Function& function,
                                     const std::vector<bool>& of_line,
                                     const std::vector<bool>& is_label, std::uint32_t store) {
  const ptx::Instruction& last = function.instructions[store];
  std::vector<std::uint32_t> needed = register_use(last).reads;
  for (std::uint32_t i = store; i-- > 0;) {
    if (is_label[i + 1]) return std::nullopt;
    const ptx::Instruction& instruction = function.instructions[i];
    if (ends_block(instruction) || is_barrier(instruction)) return std::nullopt;
    const RegisterUse use = register_use(instruction);
    const bool feeds = std::any_of(use.writes.begin(), use.writes.end(), [&](std::uint32_t reg) {
      return std::find(needed.begin(), needed.end(), reg) != needed.end();
    });
    const bool loads = describe(instruction).effect == Effect::load;
    if (feeds && loads && of_line[i] && same_place(instruction, last)) return i;
    const ptx::Operand* address = place_of(last);
    if (std::find(use.writes.begin(), use.writes.end(), address->reg) != use.writes.end()) {
      return std::nullopt;
    }
    if (feeds) needed.insert(needed.end(), use.reads.begin(), use.reads.end());
  }
  return std::nullopt;
}

std::vector<bool> labels_of(const ptx::Function& function) {
  std::vector<bool> is_label(function.instructions.size() + 1, false);
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (!ends_block(function.instructions[i])) continue;
    for (const std::uint32_t target : branch_targets(function, i)) is_label[target] = true;
  }
  return is_label;
}

void make_turns(Program& program, const Change& change, Changes& changes) {
  const ptx::Function& function = *program.function;
  const std::vector<bool> of_line = of_lines(*program.module, function, change);
  const std::vector<bool> is_label = labels_of(function);
  std::map<const ptx::Instruction*, std::pair<std::size_t, std::size_t>> code;  // first, last
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const ptx::Instruction* source = program.source[program.code[i].index];
    code.try_emplace(source, i, i).first->second.second = i;
  }
  std::uint32_t free = 0;  // first instruction after the last pair
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& store = function.instructions[i];
    const bool stores = describe(store).effect == Effect::store && is_access(store);
    if (!stores || !of_line[i] || place_of(store) == nullptr) continue;
    const auto load = load_of(function, of_line, is_label, i);
    if (!load || *load < free) continue;
    const auto first = code.find(&function.instructions[*load]);
    const auto last = code.find(&store);
    if (first == code.end() || last == code.end()) continue;
    Inst& start = program.code[first->second.first];
    program.in_turn[start.index] = {start.run, &program.code[last->second.second] + 1};
    start.run = run_in_turn;
    free = i + 1;
    changes.made(change);
  }
}

// -- edits ----------------------------------------------------------------------------------------

void edit_text(LoadedModule& module, const Change& change, Changes& changes) {
  for (ptx::Function& function : module.ptx.functions) {
    std::size_t count = 0;
    std::optional<ptx::Function> edited = EditableText(module, function).edited(change.edit, count);
    if (!edited) continue;
    swap_text(function, *edited);
    changes.made(change, count);
  }
}

// -- exchanged indices ----------------------------------------------------------------------------

void exchange_pairs(ChangedProgram& program, const Change& change) {
  const ptx::Function& function = *program.function;
  const std::vector<bool> of_line = of_lines(*program.module, function, change);
  for (Inst& access : program.code) {
    const ptx::Instruction* source = program.source[access.index];
    if (source == nullptr) continue;
    const std::ptrdiff_t i = source - function.instructions.data();
    const bool is_own = i >= 0 && i < std::ssize(of_line) && of_line[static_cast<std::size_t>(i)];
    const Description does = describe(*source);
    const bool moves = does.effect == Effect::load || does.effect == Effect::store;
    const ptx::Operand* place = place_of(*source);
    const bool scalar = source->operands.size() == 2 && source->operands[0].elements.empty() &&
                        source->operands[1].elements.empty();
    if (!is_own || !moves || access.width == 0 || place == nullptr || !scalar ||
        place->reg == ptx::kNoIndex) {
      continue;
    }
    if (does.space != ptx::Space::global && does.space != ptx::Space::constant &&
        does.space != ptx::Space::shared) {
      continue;
    }
    Handler& own = access.guarded != nullptr ? access.guarded : access.run;
    IndexPair& pair = program.index_pairs[access.index];
    pair.access = own;
    pair.change = &change;
    pair.space = does.space;
    pair.wide = does.space != ptx::Space::shared ||
                ptx::size_bytes(function.registers[place->reg].type) == 8;
    own = run_with_pair_exchanged;
  }
}

}  // namespace

std::vector<bool> of_lines(const LoadedModule& module, const ptx::Function& function,
                           const Change& change) {
  std::vector<bool> is_of;
  std::map<std::uint32_t, bool> known;  // by location
  bool last = false;
  for (const ptx::Instruction& instruction : function.instructions) {
    const std::uint32_t at = instruction.location;
    if (at != ptx::kNoIndex && module.ptx.locations[at].line != 0) {
      const auto [it, added] = known.try_emplace(at, false);
      if (added) {
        const ptx::SourceLocation* own = own_location(module, &module.ptx.locations[at]);
        it->second = change.is_about(file_of(module, own->file), own->line);
      }
      last = it->second;
    }
    is_of.push_back(last);
  }
  return is_of;
}

bool is_added(const ptx::Instruction& instruction) {
  return instruction.ptx_line == 0;
}

void change_module(LoadedModule& module, Changes& changes) {
  for (const Change& change : changes.list()) {
    switch (change.kind) {
      case Change::Kind::barrier_before:
      case Change::Kind::barrier_after:
        add_barriers(module, change, changes);
        break;
      case Change::Kind::edit:
        edit_text(module, change, changes);
        break;
      default:
        change_operands(module, change, changes);
        break;
    }
  }
}

void change_program(ChangedProgram& program, Changes& changes) {
  for (const Change& change : changes.list()) {
    if (change.kind == Change::Kind::in_turn) make_turns(program, change, changes);
    if (change.kind == Change::Kind::exchange_pair) exchange_pairs(program, change);
  }
}

}  // namespace warpsim
