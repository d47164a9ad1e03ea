#include "emulator/machine/pointer_origins.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>

#include "emulator/isa/description.h"
#include "emulator/machine/context.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

constexpr std::size_t kPointerBytes = 8;

/// Registers of these types hold no address, nor a part of one.
bool holds_no_address(ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
    case ptx::Type::f16:
    case ptx::Type::f16x2:
    case ptx::Type::f32:
    case ptx::Type::f64:
      return true;
    default:
      return false;
  }
}

bool accesses_memory(const Description& does) {
  const bool global = does.space == ptx::Space::global || does.space == ptx::Space::generic ||
                      does.space == ptx::Space::constant;
  return global && (does.effect == Effect::load || does.effect == Effect::store ||
                    does.effect == Effect::atomic);
}

}  // namespace

PointerOrigins::PointerOrigins(const ptx::Function& kernel)
    : kernel_(kernel),
      of_register_(kernel.registers.size(), 0),
      of_address_(kernel.instructions.size(), kElsewhere) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& instruction : kernel.instructions) {
      const Set result = of_result(instruction);
      if (result == 0) continue;
      for (const std::uint32_t reg : register_use(instruction).writes) {
        if (holds_no_address(kernel.registers[reg].type)) continue;
        changed = changed || (of_register_[reg] | result) != of_register_[reg];
        of_register_[reg] |= result;
      }
    }
  }
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const ptx::Instruction& instruction = kernel.instructions[i];
    const ptx::Operand* const address = address_of(instruction);
    if (address != nullptr && accesses_memory(describe(instruction))) of_address_[i] = of(*address);
  }
}

PointerOrigins::Set PointerOrigins::of_address(std::uint32_t index) const {
  return index < of_address_.size() ? of_address_[index] : kElsewhere;
}

PointerOrigins::Set PointerOrigins::bit_of(const Source& source) {
  const auto known = std::ranges::find(sources_, source);
  const auto index = static_cast<std::uint32_t>(known - sources_.begin());
  if (index >= kMostSources) return kElsewhere;
  if (known == sources_.end()) sources_.push_back(source);
  return Set{1} << index;
}

PointerOrigins::Set PointerOrigins::of_name(std::string_view name) {
  // The address of a parameter is none of a global array.
  const bool parameter =
      std::ranges::find(kernel_.parameters, name, &ptx::Variable::name) != kernel_.parameters.end();
  return parameter ? kElsewhere : bit_of({.variable = name});
}

PointerOrigins::Set PointerOrigins::of(const ptx::Operand& operand) {
  Set set = operand.reg == ptx::kNoIndex ? 0 : of_register_[operand.reg];
  const bool has_name =
      operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address;
  if (has_name && operand.reg == ptx::kNoIndex && !operand.text.empty()) {
    set |= of_name(operand.text);
  }
  for (const ptx::Operand& element : operand.elements) set |= of(element);
  return set;
}

PointerOrigins::Set PointerOrigins::of_parameter(const ptx::Instruction& load) {
  const ptx::Operand& address = *address_of(load);
  const auto parameter = std::ranges::find(kernel_.parameters, address.text, &ptx::Variable::name);
  const bool fixed = kernel_.is_entry && address.reg == ptx::kNoIndex && address.offset >= 0 &&
                     parameter != kernel_.parameters.end();
  if (!fixed) return kElsewhere;
  Set set = 0;
  const std::size_t elements = std::max<std::size_t>(load.operands.front().elements.size(), 1);
  for (std::size_t i = 0; i < elements; ++i) {
    set |= bit_of({.parameter = static_cast<std::uint32_t>(parameter - kernel_.parameters.begin()),
                   .offset = static_cast<std::uint32_t>(address.offset + i * kPointerBytes),
                   .variable = {}});
  }
  return set;
}

PointerOrigins::Set PointerOrigins::of_result(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  switch (does.effect) {
    case Effect::pure:
    case Effect::collective: {
      Set set = 0;
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        if (role_of(does, instruction, i) == OperandRole::written) continue;
        set |= of(instruction.operands[i]);
      }
      return set;
    }
    case Effect::load:
    case Effect::atomic: {
      // What has fewer bytes is an index at most.
      const bool may_point = does.has_result && ptx::size_bytes(does.type) == kPointerBytes &&
                             !holds_no_address(does.type);
      if (!may_point) return 0;
      return does.space == ptx::Space::param ? of_parameter(instruction) : kElsewhere;
    }
    case Effect::call:
    case Effect::other:
      return kElsewhere;
    default:
      return 0;
  }
}

bool AllowedArrays::allow(const Extent& extent) const {
  if (!known) return true;
  return std::ranges::any_of(arrays, [&](const Range& range) { return range.base == extent.base; });
}

const GlobalMemory::Allocation* AllowedArrays::nearest(std::uint64_t address) const {
  const auto distance = [&](const Range& range) {
    return address < range.base  ? range.base - address
           : address < range.end ? 0
                                 : address - range.end;
  };
  return std::ranges::min_element(arrays, {}, distance)->allocation;
}

namespace {

/// The address that a source has in a launch; 0: none.
std::uint64_t address_in(const LaunchState& launch, const PointerOrigins::Source& source) {
  if (!source.variable.empty()) {
    const Symbol* const symbol =
        launch.linker->resolve_symbol(*launch.program->module, source.variable);
    return symbol == nullptr ? 0 : symbol->allocation->base;
  }
  const KernelInfo& kernel = launch.program->kernel->info;
  const std::size_t at = kernel.parameter_offsets[source.parameter] + source.offset;
  std::uint64_t address = 0;
  if (at + sizeof address > launch.parameters.size()) return 0;
  std::memcpy(&address, launch.parameters.data() + at, sizeof address);
  return address;
}

AllowedArrays find_allowed(const LaunchState& launch, const PointerOrigins& origins,
                           PointerOrigins::Set set) {
  AllowedArrays allowed;
  if ((set & PointerOrigins::kElsewhere) != 0) return allowed;
  for (std::size_t i = 0; i < origins.sources().size(); ++i) {
    if ((set >> i & 1) == 0) continue;
    const PointerOrigins::Source& source = origins.sources()[i];
    const std::uint64_t address = address_in(launch, source);
    const Extent* const extent = launch.find(address);
    // An integer. A variable that the linker does not know is shared or local, and its address is
    // no array's.
    if (extent == nullptr) continue;
    // Several registrations may follow each other in one array of the program.
    if (extent->allocation->kind == GlobalMemory::Kind::registered) return {};
    allowed.arrays.push_back({extent->base, extent->end, extent->allocation});
    // An array may continue in the next mapping, which other devices may use, too.
    for (const Extent* next = extent; next->allocation->mapped;) {
      next = launch.find(next->end);
      if (next == nullptr || !next->allocation->mapped) break;
      allowed.arrays.push_back({next->base, next->end, next->allocation});
    }
    for (const Extent* before = extent; before->allocation->mapped;) {
      before = launch.find(before->base - 1);
      if (before == nullptr || !before->allocation->mapped) break;
      allowed.arrays.push_back({before->base, before->end, before->allocation});
    }
  }
  allowed.known = !allowed.arrays.empty();
  return allowed;
}

}  // namespace

namespace {

/// Grows with each launch: another one may be at the same address, of a machine that has the number
/// of its launches, too.
std::atomic<std::uint64_t> g_launches_begun = 0;

/// What this thread remembers of the launch that it runs.
struct Known {
  const LaunchState* launch = nullptr;
  std::uint64_t launches_begun = 0;  // when it was asked first
  std::shared_ptr<const PointerOrigins> origins;
  std::vector<std::unique_ptr<const AllowedArrays>> allowed;  // by instruction; null: not asked yet

  [[nodiscard]] bool is_of(const LaunchState& other) const {
    return launch == &other && launches_begun == g_launches_begun.load();
  }
};

}  // namespace

void forget_allowed_arrays() {
  ++g_launches_begun;
}

const AllowedArrays& allowed_arrays(const WarpContext& context, const Inst& in) {
  static const AllowedArrays kAny;
  thread_local Known known;
  const LaunchState& launch = *context.block->launch;
  const Program& program = *context.frame().program;
  if (&program != launch.program || program.source[in.index] == nullptr) return kAny;
  if (!known.is_of(launch)) {
    known = {&launch, g_launches_begun.load(), launch.linker->origins(program), {}};
    known.allowed.resize(program.source.size());
  }
  std::unique_ptr<const AllowedArrays>& allowed = known.allowed[in.index];
  if (allowed == nullptr) {
    const auto index = static_cast<std::uint32_t>(program.source[in.index] -
                                                  program.function->instructions.data());
    allowed = std::make_unique<const AllowedArrays>(
        find_allowed(launch, *known.origins, known.origins->of_address(index)));
  }
  return *allowed;
}

}  // namespace warpsim
