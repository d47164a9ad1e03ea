#include "emulator/debug_info/storage.h"

#include <algorithm>
#include <string_view>

#include "emulator/machine/linker.h"

namespace warpsim::debug {
namespace {

Storage in_register(const Program& program, std::string_view name) {
  const auto& all = program.function->registers;
  const auto found = std::ranges::find(all, name, &ptx::Register::name);
  if (found == all.end()) return {};
  return {Storage::Kind::reg, static_cast<std::uint64_t>(found - all.begin())};
}

}  // namespace

/// A name of the PTX is a parameter, a local variable or depot, an array in shared memory, or a
/// variable of the device.
Storage storage_of(const LaunchState& launch, const Program& program, const VariablePlace& place) {
  if (place.kind == VariablePlace::Kind::reg) return in_register(program, place.name);
  if (place.kind != VariablePlace::Kind::symbol) return {};
  const ptx::Function& function = *program.function;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    if (function.parameters[i].name != place.name) continue;
    if (!function.is_entry) return {Storage::Kind::local, program.parameters[i].offset + place.add};
    return {Storage::Kind::parameter, program.kernel->info.parameter_offsets[i] + place.add};
  }
  for (std::size_t i = 0; i < function.variables.size(); ++i) {
    const ptx::Variable& variable = function.variables[i];
    if (variable.name != place.name || variable.space != ptx::Space::local) continue;
    return {Storage::Kind::local, program.variable_offsets[i] + place.add};
  }
  for (const auto& [variable, offset] : program.kernel->shared.offset) {
    if (variable->name == place.name) return {Storage::Kind::shared, offset + place.add};
  }
  if (const Symbol* symbol = launch.linker->resolve_symbol(*program.module, place.name)) {
    return {Storage::Kind::global, symbol->allocation->base + place.add};
  }
  return {};
}

std::uint32_t text_place(const Program& program, std::uint32_t instruction) {
  const ptx::Instruction* const source = program.source[instruction];
  const auto& all = program.function->instructions;
  return static_cast<std::uint32_t>(
      source == nullptr ? all.size() : static_cast<std::size_t>(source - all.data()));
}

std::uint32_t function_index(const Program& program) {
  return static_cast<std::uint32_t>(program.function - program.module->ptx.functions.data());
}

}  // namespace warpsim::debug
