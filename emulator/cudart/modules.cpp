#include "emulator/cudart/modules.h"

#include <fmt/format.h>

#include <utility>

#include "emulator/cudart/host_program.h"
#include "emulator/cudart/runtime.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {

ModuleTable& ModuleTable::get() {
  static ModuleTable* table = new ModuleTable;
  return *table;
}

Module* ModuleTable::add_module(const void* wrapper) {
  const std::lock_guard lock(mutex_);
  modules_.push_back(std::make_unique<Module>());
  modules_.back()->wrapper = wrapper;
  modules_.back()->unit = next_unit_++;
  return modules_.back().get();
}

Module* ModuleTable::add_loaded_module() {
  Module* module = add_module(nullptr);
  module->loaded = true;
  module->is_library = true;
  return module;
}

bool ModuleTable::is_loaded_library(const Module* module) {
  const std::lock_guard lock(mutex_);
  for (const auto& owned : modules_) {
    if (owned.get() == module) return module->is_library;
  }
  return false;
}

Function* ModuleTable::function_of(Module* module, const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, function] : functions_) {
      if (function->module == module && function->name == name) return function.get();
    }
  }
  // There is no host stub; a unique address is its handle.
  const auto* key = new char;  // lives as long as the process, like the table
  add_function(module, key, name);
  return find_function(key);
}

void ModuleTable::remove_module(const Module* module) {
  const std::lock_guard lock(mutex_);
  const auto belongs = [&](const auto& entry) { return entry.second->module == module; };
  for (const auto& [host, function] : functions_) {
    if (function->module == module) handles_.erase(function.get());
  }
  std::erase_if(functions_, belongs);
  std::erase_if(variables_, belongs);
  // The image that it would be read from is going away.
  for (const auto& owned : modules_) {
    if (owned.get() != module) continue;
    owned->loaded = true;
    owned->is_library = false;
  }
  forget_call_sites();
}

void ModuleTable::add_function(Module* module, const void* host_function, std::string name) {
  const std::lock_guard lock(mutex_);
  auto function = std::make_unique<Function>();
  function->name = std::move(name);
  function->module = module;
  function->stub = host_function;
  handles_.insert(function.get());
  functions_[host_function] = std::move(function);
}

void ModuleTable::add_variable(Module* module, const void* shadow, Variable variable) {
  const std::lock_guard lock(mutex_);
  variable.module = module;
  variables_[shadow] = std::make_unique<Variable>(std::move(variable));
}

Function* ModuleTable::find_function(const void* host_function_or_handle) {
  const std::lock_guard lock(mutex_);
  if (handles_.contains(host_function_or_handle)) {
    return static_cast<Function*>(const_cast<void*>(host_function_or_handle));
  }
  const auto found = functions_.find(host_function_or_handle);
  return found == functions_.end() ? nullptr : found->second.get();
}

ModuleTable::Shadow ModuleTable::find_shadow(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  for (const auto& [shadow, variable] : variables_) {
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(shadow);
    if (offset < variable->size) return {variable.get(), offset};
  }
  return {};
}

Variable* ModuleTable::find_variable(const void* shadow) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(shadow);
  return found == variables_.end() ? nullptr : found->second.get();
}

void ModuleTable::load_modules(Runtime& runtime) {
  const auto architecture =
      static_cast<std::uint32_t>(10 * runtime.card.major + runtime.card.minor);
  const std::lock_guard lock(mutex_);
  for (const auto& module : modules_) {
    if (std::exchange(module->loaded, true)) continue;
    fatbin::Images images = HostProgram::get().device_code(module->wrapper, architecture);
    for (fatbin::Image& image : images.images) {
      std::string origin = image.name.empty() ? "the program's device code" : image.name;
      runtime.machine.load_lazily({.ptx = std::move(image.ptx),
                                   .origin = std::move(origin),
                                   .unit = module->unit,
                                   .max_registers = image.max_registers});
    }
    if (!images.problems.empty()) module->problem = images.problems.front();
  }
}

const Kernel* ModuleTable::resolve(Runtime& runtime, Function& function, int device) {
  FunctionOnDevice& here = function.on(device);
  if (here.kernel == nullptr) {
    load_modules(runtime);
    here.kernel = runtime.machine.find_kernel(function.name, function.module->unit, device);
  }
  return here.kernel;
}

Symbol* ModuleTable::resolve(Runtime& runtime, const Variable& variable, int device) {
  load_modules(runtime);
  return runtime.machine.find_symbol(variable.name, variable.module->unit, device);
}

std::vector<const Variable*> ModuleTable::managed_variables(const Module* module) {
  const std::lock_guard lock(mutex_);
  std::vector<const Variable*> result;
  for (const auto& [shadow, variable] : variables_) {
    const bool meant = module == nullptr || variable->module == module;
    if (meant && variable->managed_pointer != nullptr) {
      result.push_back(variable.get());
    }
  }
  return result;
}

const Variable* ModuleTable::find_managed(Runtime& runtime, const void* address) {
  for (const Variable* variable : managed_variables(nullptr)) {
    const Symbol* const symbol = resolve(runtime, *variable, 0);
    if (symbol != nullptr && symbol->allocation->base == reinterpret_cast<std::uint64_t>(address)) {
      return variable;
    }
  }
  return nullptr;
}

void ModuleTable::place_managed(Runtime& runtime, const Module* module) {
  for (const Variable* variable : managed_variables(module)) {
    if (const Symbol* symbol = resolve(runtime, *variable, 0)) {
      HostProgram::get().write(reinterpret_cast<std::uint64_t>(variable->managed_pointer),
                               &symbol->allocation->base, sizeof symbol->allocation->base);
    }
  }
}

std::string ModuleTable::problem_of(const Module& module, const std::string& name) {
  if (!module.problem.empty()) return fmt::format("`{}`: {}", readable_name(name), module.problem);
  return fmt::format("`{}` is not in the PTX that the program carries", readable_name(name));
}

}  // namespace warpsim::cudart
