#include "emulator/recording/program_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/linker.h"

namespace warpsim::recording {
namespace {

using debug::DebugVariable;
using debug::Storage;
using debug::Type;

/// Arrays and structures with more numbers are left out: `float acc[4]` is of interest in each
/// step, a buffer is not.
constexpr std::uint64_t kMostParts = 8;
constexpr int kMostDepth = 4;
constexpr std::size_t kMostVariables = 128;  // of a function

VariableType variable_type(const Type& type) {
  switch (type.kind) {
    case Type::Kind::boolean:
      return VariableType::boolean;
    case Type::Kind::character:
      return VariableType::character;
    case Type::Kind::integer:
    case Type::Kind::enumeration:
      return VariableType::signed_integer;
    case Type::Kind::natural:
      return VariableType::unsigned_integer;
    case Type::Kind::real:
      return VariableType::floating;
    case Type::Kind::pointer:
      return VariableType::pointer;
    default:
      return VariableType::bits;
  }
}

bool is_number(const Type& type) {
  const bool known = type.is_number() || type.kind == Type::Kind::pointer;
  return known && type.size <= 8 && std::has_single_bit(type.size);
}

bool is_half(const Type& type) {
  return type.kind == Type::Kind::structure && type.name == "__half" && type.size == 2;
}

bool may_store(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  const bool writes = does.effect == Effect::store || does.effect == Effect::atomic;
  return writes && (does.space == ptx::Space::generic || does.space == ptx::Space::local);
}

}  // namespace

struct ProgramVariables::Part {
  const DebugVariable* variable = nullptr;
  std::uint64_t offset = 0;  // bytes into it
  std::uint32_t bytes = 0;
};

ProgramVariables::ProgramVariables(const LaunchState& launch, const Program& program,
                                   const debug::DebugInfo& info)
    : launch_(&launch), program_(&program) {
  for (const DebugVariable& variable : info.variables(debug::function_index(program))) {
    add_parts(variable, *variable.type, variable.name, 0, 0);
  }
  for (const Part& part : parts_) {
    for (const DebugVariable::Range& range : part.variable->ranges) {
      const Storage at = storage_of(launch, program, range.place);
      if (at.kind == Storage::Kind::reg)
        registers_.push_back(static_cast<std::uint32_t>(at.number));
    }
  }
  std::ranges::sort(registers_);
  registers_.erase(std::unique(registers_.begin(), registers_.end()), registers_.end());
  views_.emplace_back();
  for (std::uint32_t i = 0; i < program.source.size(); ++i) add_after(i);
}

std::uint32_t ProgramVariables::number_of_register(std::uint64_t reg) const {
  const auto found = std::ranges::lower_bound(registers_, reg);
  return static_cast<std::uint32_t>(found - registers_.begin());
}

void ProgramVariables::add_parts(const DebugVariable& variable, const Type& type,
                                 const std::string& name, std::uint64_t offset, int depth) {
  if (is_number(type) || is_half(type)) return add_part(variable, type, name, offset);
  if (depth == kMostDepth) return;
  if (type.kind == Type::Kind::array && type.count <= kMostParts) {
    for (std::uint64_t i = 0; i < type.count; ++i) {
      add_parts(variable, *type.target, fmt::format("{}[{}]", name, i),
                offset + i * type.target->size, depth + 1);
    }
  } else if (type.kind == Type::Kind::structure && type.members.size() <= kMostParts) {
    for (const Type::Member& member : type.members) {
      add_parts(variable, *member.type, name + "." + member.name, offset + member.offset,
                depth + 1);
    }
  }
}

void ProgramVariables::add_part(const DebugVariable& variable, const Type& type,
                                const std::string& name, std::uint64_t offset) {
  // Shared memory has a picture of its own, and is not the lanes'.
  for (const DebugVariable::Range& range : variable.ranges) {
    const Storage at = storage_of(*launch_, *program_, range.place);
    if (at.kind == Storage::Kind::shared || at.kind == Storage::Kind::global) return;
  }
  if (variables_.size() == kMostVariables) return;
  parts_.push_back({&variable, offset, static_cast<std::uint32_t>(type.size)});
  variables_.push_back({name, is_half(type) ? VariableType::floating : variable_type(type),
                        static_cast<std::uint32_t>(type.size)});
}

bool ProgramVariables::sees(const Part& part, std::uint32_t instruction) const {
  return instruction >= part.variable->begin && instruction < part.variable->end;
}

/// Where the part's bytes are while the instruction is next.
Storage ProgramVariables::place_at(const Part& part, std::uint32_t instruction) const {
  const debug::VariablePlace* const place =
      sees(part, instruction) ? part.variable->at(instruction) : nullptr;
  if (place == nullptr) return {};
  Storage at = storage_of(*launch_, *program_, *place);
  if (at.kind == Storage::Kind::reg) {
    const ptx::Type type = program_->function->registers[at.number].type;
    const std::size_t bytes = type == ptx::Type::pred ? 1 : ptx::size_bytes(type);
    const bool is_used =
        at.number < program_->register_slots.size() && program_->register_slots[at.number] >= 0;
    return is_used && part.offset + part.bytes <= bytes ? at : Storage{};
  }
  at.number += part.offset;
  return at;
}

/// What can be seen when the instruction is done: what the next one sees, and else what it sees
/// itself, unless it overwrites that. After a jump another one than the next comes.
ProgramVariables::View ProgramVariables::view_after(
    std::uint32_t instruction, bool jumps, const std::vector<std::uint32_t>& written) const {
  View view;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    Storage at = jumps ? Storage{} : place_at(part, instruction + 1);
    if (at.kind == Storage::Kind::none) {
      at = place_at(part, instruction);
      const bool overwritten =
          at.kind == Storage::Kind::reg &&
          std::ranges::find(written, number_of_register(at.number)) != written.end();
      if (overwritten) at = {};
    }
    if (at.kind == Storage::Kind::none && !sees(part, instruction)) continue;
    // A variable of an inner block hides others of its name.
    std::erase_if(view, [&](const Seen& seen) {
      return variables_[seen.variable].name == variables_[i].name;
    });
    const bool in_register = at.kind == Storage::Kind::reg;
    view.push_back({i, at, in_register ? static_cast<std::uint32_t>(part.offset) : 0});
  }
  return view;
}

/// Registers of variables whose block begins with the instruction, but those that an outer variable
/// has, too.
std::vector<std::uint32_t> ProgramVariables::registers_begun(std::uint32_t instruction) const {
  std::set<std::uint64_t> begun, older;
  for (const Part& part : parts_) {
    if (!sees(part, instruction)) continue;
    std::set<std::uint64_t>& to = part.variable->begin == instruction ? begun : older;
    for (const DebugVariable::Range& range : part.variable->ranges) {
      const Storage at = storage_of(*launch_, *program_, range.place);
      if (at.kind == Storage::Kind::reg) to.insert(at.number);
    }
  }
  std::vector<std::uint32_t> registers;
  for (const std::uint64_t reg : begun) {
    if (!older.contains(reg)) registers.push_back(static_cast<std::uint32_t>(reg));
  }
  return registers;
}

void ProgramVariables::add_after(std::uint32_t index) {
  After& after = after_.emplace_back();
  const ptx::Instruction* const source = program_->source[index];
  if (source == nullptr) return;
  const std::uint32_t place = debug::text_place(*program_, index);
  const Control control = control_of(*source);
  after.is_sampled =
      control != Control::call && control != Control::leave && control != Control::trap;
  after.begins = place == 0;
  after.stores = may_store(*source);
  const auto add_registers = [&](const std::vector<std::uint32_t>& from,
                                 std::vector<std::uint32_t>& to) {
    for (const std::uint32_t reg : from) {
      const std::uint32_t number = number_of_register(reg);
      if (number < registers_.size() && registers_[number] == reg) to.push_back(number);
    }
  };
  add_registers(register_use(*source).writes, after.written);
  if (place != 0) add_registers(registers_begun(place), after.begun);
  View view = view_after(place, transfers_control(control), after.written);
  const auto known = std::ranges::find(views_, view);
  after.view = static_cast<std::uint32_t>(known - views_.begin());
  if (known == views_.end()) views_.push_back(std::move(view));
}

// -- modules --------------------------------------------------------------------------------------

struct LaunchVariables::ModuleInfo {
  explicit ModuleInfo(const ptx::Module& module) : info(module, types) {}
  debug::Types types;
  debug::DebugInfo info;
};

LaunchVariables::LaunchVariables() = default;
LaunchVariables::~LaunchVariables() = default;

const ProgramVariables* LaunchVariables::of(const LaunchState& launch, const Program& program) {
  const LoadedModule* const module = program.module;
  if (module->ptx.text == nullptr || module->ptx.text->find(".debug_info") == std::string::npos) {
    return nullptr;
  }
  auto& info = modules_[module];
  if (info == nullptr) info = std::make_unique<ModuleInfo>(module->ptx);
  if (info->info.variables(debug::function_index(program)).empty()) return nullptr;
  auto& made = programs_[&program];
  if (made == nullptr) made = std::make_unique<ProgramVariables>(launch, program, info->info);
  return made.get();
}

void LaunchVariables::clear() {
  programs_.clear();
}

}  // namespace warpsim::recording
