#include "emulator/machine/linker.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "emulator/device/card.h"
#include "emulator/machine/address.h"
#include "emulator/machine/change_code.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/liveness.h"

namespace warpsim {
namespace {

FunctionRef::Builtin builtin_of(std::string_view name) {
  using Builtin = FunctionRef::Builtin;
  if (name == "vprintf") return Builtin::vprintf;
  if (name == "__assertfail") return Builtin::assertfail;
  if (name == "malloc") return Builtin::malloc;
  if (name == "free") return Builtin::free;
  if (name == "cudaGraphSetConditional") return Builtin::set_conditional;
  return Builtin::unresolved;
}

/// More than hardware takes, and little enough for offsets of 32 bits.
constexpr std::uint32_t kMaxParameterBytes = 64 * 1024;

bool is_global(ptx::Linkage linkage) {
  return linkage != ptx::Linkage::internal;
}

std::string variable_name(std::string_view mangled) {
  std::string name = demangle(mangled);
  // Function-scope statics demangle to "kernel(int)::tile": the variable is what a reader knows.
  if (const auto colon = name.rfind("::"); colon != name.npos) name = name.substr(colon + 2);
  return name;
}

/// Numba's kernels are in a namespace of its own, and all its functions have tags with a version
/// and its options, of a hundred letters: "cudapy::vecadd::add[abi:v1][abi:cw51cXTL...](...)".
std::string without_words_of_numba(std::string name) {
  constexpr std::string_view kNamespace = "cudapy::";
  constexpr std::string_view kTag = "[abi:";
  if (name.find("[abi:v") == name.npos) return name;
  for (std::size_t at = name.find(kTag); at != name.npos; at = name.find(kTag)) {
    const std::size_t end = name.find(']', at);
    name.erase(at, end == name.npos ? end : end - at + 1);
  }
  if (name.starts_with(kNamespace)) name.erase(0, kNamespace.size());
  return name;
}

}  // namespace

std::string demangle(std::string_view name) {
  int status = 0;
  const std::string text(name);
  // The demangler also knows types: a variable `s` would become "short".
  if (!text.starts_with("_Z")) return text;
  char* result = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (status != 0 || result == nullptr) return text;
  std::string demangled(result);
  std::free(result);
  return without_words_of_numba(std::move(demangled));
}

void Linker::load_lazily(ModuleSource source) {
  pending_.push_back(std::move(source));
}

void Linker::load_pending(std::uint32_t unit) {
  std::vector<ModuleSource> now;
  std::erase_if(pending_, [&](ModuleSource& next) {
    if (next.unit != unit) return false;
    now.push_back(std::move(next));
    return true;
  });
  std::vector<LoadedModule*> added;
  for (ModuleSource& next : now) added.push_back(&add(std::move(next)));
  // Initial values may hold addresses of functions and variables of any module of the unit.
  for (LoadedModule* module : added) initialise(*module);
}

void Linker::load(ModuleSource source) {
  initialise(add(std::move(source)));
}

LoadedModule& Linker::add(ModuleSource source) {
  const std::uint32_t unit = source.unit;
  auto module = std::make_unique<LoadedModule>();
  module->origin = std::move(source.origin);
  module->unit = unit;
  module->max_registers = source.max_registers;
  module->source_folder = std::move(source.source_folder);
  ptx::ParseError error;
  const std::string copy = source.ptx;
  auto parsed = ptx::parse(std::move(source.ptx), error);
  if (!parsed) {
    throw LoadError(fmt::format("the PTX of {} cannot be read: {}", module->origin,
                                error.render(module->origin, copy)));
  }
  module->ptx = std::move(*parsed);
  if (changes_ != nullptr) change_module(*module, *changes_);
  place_variables(*module);
  for (const auto& function : module->ptx.functions) {
    if (function.is_declaration) continue;
    FunctionRef* ref = add_function(module.get(), &function, std::string(function.name));
    module->functions[function.name] = ref;
    const Name name = {unit, ref->name};
    const bool first = !global_functions_.contains(name);
    if (is_global(function.linkage) && (first || function.linkage != ptx::Linkage::weak)) {
      global_functions_[name] = ref;
    }
    if (function.is_entry && !kernels_.contains(name)) {
      auto kernel = std::make_unique<Kernel>();
      kernel->ref = ref;
      kernels_[name] = std::move(kernel);
    }
  }
  modules_.push_back(std::move(module));
  return *modules_.back();
}

FunctionRef* Linker::add_function(const LoadedModule* module, const ptx::Function* function,
                                  std::string name) {
  auto ref = std::make_unique<FunctionRef>();
  ref->module = module;
  ref->function = function;
  ref->number = static_cast<std::uint32_t>(functions_.size() + 1);
  ref->name = std::move(name);
  functions_.push_back(std::move(ref));
  return functions_.back().get();
}

void Linker::place_variables(LoadedModule& module) {
  for (const auto& variable : module.ptx.variables) {
    if (variable.space == ptx::Space::shared) {
      module.shared[variable.name] = &variable;
      continue;
    }
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.linkage == ptx::Linkage::external) continue;
    const std::string name(variable.name);
    if (variable.linkage == ptx::Linkage::weak || variable.linkage == ptx::Linkage::common) {
      if (const auto it = global_symbols_.find({module.unit, name}); it != global_symbols_.end()) {
        module.symbols[variable.name] = it->second;
        continue;
      }
    }
    auto symbol = std::make_unique<Symbol>();
    symbol->name = name;
    symbol->constant = variable.space == ptx::Space::constant;
    symbol->managed = variable.managed;
    const auto kind = symbol->managed    ? GlobalMemory::Kind::managed
                      : symbol->constant ? GlobalMemory::Kind::constant
                                         : GlobalMemory::Kind::symbol;
    const Symbol* common = symbol->managed && first_ != nullptr
                               ? first_->find_symbol(variable.name, module.unit)
                               : nullptr;
    symbol->allocation = common != nullptr ? common->allocation : place(variable, kind);
    module.symbols[variable.name] = symbol.get();
    if (is_global(variable.linkage)) global_symbols_[{module.unit, name}] = symbol.get();
    any_symbol_.try_emplace({module.unit, name}, symbol.get());
    symbols_.push_back(std::move(symbol));
  }
}

GlobalMemory::Allocation* Linker::place(const ptx::Variable& variable, GlobalMemory::Kind kind) {
  GlobalMemory::Allocation* allocation = memory_.allocate(
      std::max<std::uint64_t>(variable.size_bytes, 1), kind, variable_name(variable.name), device_);
  if (allocation == nullptr) {
    throw LoadError(fmt::format("device variable '{}' of {} bytes does not fit on the card",
                                variable_name(variable.name), variable.size_bytes));
  }
  allocation->module_owned = true;
  std::memset(allocation->host, 0, allocation->size);
  const std::size_t given = std::min<std::size_t>(variable.initial.size(), allocation->size);
  if (given != 0) std::memcpy(allocation->host, variable.initial.data(), given);
  allocation->all_written = true;  // device variables without an initialiser are zero
  memory_.mark_written(*allocation, allocation->base, allocation->size);
  return allocation;
}

void Linker::initialise(const LoadedModule& module) {
  for (const auto& variable : module.ptx.variables) {
    if (variable.relocations.empty()) continue;
    const auto it = module.symbols.find(variable.name);
    if (it == module.symbols.end()) continue;
    if (it->second->managed && first_ != nullptr) continue;  // device 0 has set it
    for (const auto& relocation : variable.relocations) {
      std::uint64_t address = 0;
      if (const Symbol* target = resolve_symbol(module, relocation.symbol)) {
        address = target->allocation->base;
      } else if (const FunctionRef* function = resolve_function(module, relocation.symbol);
                 function != nullptr && function->builtin != FunctionRef::Builtin::unresolved) {
        address = kFunctionWindow + 16 * function->number;
      } else {
        throw LoadError(
            fmt::format("the initial value of '{}' refers to '{}', which no module "
                        "defines; build with -rdc=true only if all parts are linked",
                        variable_name(variable.name), demangle(relocation.symbol)));
      }
      address += static_cast<std::uint64_t>(relocation.addend);
      auto& allocation = *it->second->allocation;
      if (relocation.offset + relocation.size > allocation.size) continue;
      std::memcpy(allocation.host + relocation.offset, &address,
                  std::min<std::size_t>(relocation.size, sizeof address));
    }
  }
}

Kernel* Linker::find_kernel(std::string_view name, std::uint32_t unit) {
  load_pending(unit);
  const auto it = kernels_.find({unit, std::string(name)});
  if (it == kernels_.end()) return nullptr;
  Kernel& kernel = *it->second;
  if (kernel.info.name.empty()) prepare(kernel);
  return &kernel;
}

Symbol* Linker::find_symbol(std::string_view name, std::uint32_t unit) {
  load_pending(unit);
  const auto it = any_symbol_.find({unit, std::string(name)});
  return it == any_symbol_.end() ? nullptr : it->second;
}

FunctionRef* Linker::resolve_function(const LoadedModule& from, std::string_view name) {
  if (const auto it = from.functions.find(name); it != from.functions.end()) return it->second;
  const std::string text(name);
  if (const auto it = global_functions_.find({from.unit, text}); it != global_functions_.end()) {
    return it->second;
  }
  const auto builtin = builtin_of(name);
  FunctionRef* ref = add_function(nullptr, nullptr, text);
  ref->builtin = builtin;
  if (builtin != FunctionRef::Builtin::unresolved) global_functions_[{from.unit, text}] = ref;
  return ref;
}

FunctionRef* Linker::function_at(std::uint64_t address) const {
  if (!in_window(address, kFunctionWindow) || address % 16 != 0) return nullptr;
  const std::uint64_t number = (address - kFunctionWindow) / 16;
  if (number == 0 || number > functions_.size()) return nullptr;
  return functions_[number - 1].get();
}

Symbol* Linker::resolve_symbol(const LoadedModule& from, std::string_view name) {
  if (const auto it = from.symbols.find(name); it != from.symbols.end()) return it->second;
  const auto it = global_symbols_.find({from.unit, std::string(name)});
  return it == global_symbols_.end() ? nullptr : it->second;
}

std::shared_ptr<const PointerOrigins> Linker::origins(const Program& program) {
  const std::lock_guard lock(decode_mutex_);
  std::shared_ptr<const PointerOrigins>& known = origins_[program.function];
  if (known == nullptr) known = std::make_shared<const PointerOrigins>(*program.function);
  return known;
}

void Linker::prepare(Kernel& kernel) {
  const ptx::Function& function = *kernel.ref->function;
  KernelInfo& info = kernel.info;
  info.name = kernel.ref->name;
  info.demangled = demangle(kernel.ref->name);
  info.ptx_version = kernel.ref->module->ptx.target;
  info.limits = function.limits;
  // As nvcc does it: the option gives way to a kernel's own bounds.
  if (info.limits.max_registers == 0 && info.limits.max_threads[0] == 0) {
    info.limits.max_registers = kernel.ref->module->max_registers;
  }
  std::uint32_t offset = 0;
  for (const auto& parameter : function.parameters) {
    if (parameter.size_bytes > kMaxParameterBytes || offset > kMaxParameterBytes) {
      throw LoadError(fmt::format("{} has more than {} bytes of parameters", info.demangled,
                                  kMaxParameterBytes));
    }
    const std::uint32_t align = std::max<std::uint32_t>(parameter.align, 1);
    offset = (offset + align - 1) / align * align;
    info.parameter_offsets.push_back(offset);
    info.parameter_sizes.push_back(static_cast<std::uint32_t>(parameter.size_bytes));
    offset += static_cast<std::uint32_t>(parameter.size_bytes);
  }
  for (const auto& variable : function.variables) {
    if (variable.space == ptx::Space::local) info.local_bytes += variable.size_bytes;
  }
  for (const auto& variable : kernel.ref->module->ptx.variables) {
    if (variable.space == ptx::Space::constant) info.constant_bytes += variable.size_bytes;
  }
  // ptxas needs a few registers beyond the values (addresses of parameters, the stack) and hands
  // them out in eights; no kernel gets fewer than 16.
  info.registers = std::max(16u, (register_demand(function).peak + 6 + 7) / 8 * 8);
  if (info.limits.max_registers != 0) {
    info.registers = std::min(info.registers, info.limits.max_registers);
  }
  const auto threads_of = [](const std::uint32_t(&extent)[3]) {
    return std::uint64_t{extent[0]} * extent[1] * extent[2];
  };
  const std::uint64_t threads =
      std::max(threads_of(info.limits.max_threads), threads_of(info.limits.required_threads));
  info.registers =
      std::min(info.registers, registers_within_bounds(threads, info.limits.min_blocks_per_sm));
  lay_out_shared(kernel);
  info.static_shared_bytes = kernel.shared.hardware_bytes;
}

Program& Linker::program(Kernel& kernel, FunctionRef& ref) {
  const std::lock_guard lock(decode_mutex_);
  auto& slot = kernel.programs[&ref];
  if (!slot) {
    const auto changed = changes_ == nullptr ? nullptr : std::make_shared<ChangedProgram>();
    slot = changed == nullptr ? std::make_shared<Program>() : changed;
    slot->id = next_program_++;
    Decoder(*this, kernel, ref, *slot).decode();
    if (changed != nullptr) change_program(*changed, *changes_);
    slot->may_drop_values = decoding_.shares_registers && changed == nullptr;
    if (decoding_.native != nullptr) slot->native = decoding_.native->prepare(*slot);
  }
  return *slot;
}

}  // namespace warpsim
