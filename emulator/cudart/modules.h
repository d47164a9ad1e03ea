#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/machine/launch.h"

namespace warpsim::cudart {

class Runtime;

/// One `__cudaRegisterFatBinary`: the device code of a translation unit, or of a linked program.
struct Module {
  const void* wrapper = nullptr;
  std::uint32_t unit = 0;  // its namespace in the machine
  bool loaded = false;
  bool is_library = false;  // cudaLibraryLoadData
  std::string problem;  // why it has no code to run, one sentence; empty if it has
};

/// What one device has of a kernel. Its attributes are those of cudaFuncSetAttribute, which a
/// program sets for each device (measured on two H100).
struct FunctionOnDevice {
  const Kernel* kernel = nullptr;  // null until it is first needed
  std::optional<std::uint64_t> dynamic_shared_limit;
  int preferred_carveout = -1;
  bool non_portable_cluster = false;  // clusters of more than 8 blocks
};

/// A kernel registered by the host program.
struct Function {
  std::string name;  // mangled
  Module* module = nullptr;
  const void* stub = nullptr;  // the host function that stands for it; null in a loaded module
  std::vector<FunctionOnDevice> devices;

  /// As which calls return it: the stub, as on a card (H200, 2026-11-30), or a handle.
  [[nodiscard]] void* known_as() { return stub != nullptr ? const_cast<void*>(stub) : this; }

  [[nodiscard]] FunctionOnDevice& on(int device) {
    const auto at = static_cast<std::size_t>(device);
    if (at >= devices.size()) devices.resize(at + 1);
    return devices[at];
  }
};

/// A device variable registered by the host program.
struct Variable {
  std::string name;  // mangled
  Module* module = nullptr;
  std::uint64_t size = 0;
  void** managed_pointer = nullptr;  // from where host code reads a managed variable's address
};

/// Everything registered before main or when a library was loaded. Nothing is parsed until a kernel
/// or a variable is used. Separate from the Runtime, because registration comes first and must be
/// cheap.
class ModuleTable {
 public:
  /// Never destroyed: host code may unregister after static destructors ran.
  [[nodiscard]] static ModuleTable& get();

  Module* add_module(const void* wrapper);
  /// A module loaded by the program itself, already in the machine.
  Module* add_loaded_module();
  [[nodiscard]] bool is_loaded_library(const Module* module);
  /// A kernel of such a module by its name; the same function each time.
  [[nodiscard]] Function* function_of(Module* module, const std::string& name);
  /// Forgets the module's functions and variables: its library is going away.
  void remove_module(const Module* module);
  void add_function(Module* module, const void* host_function, std::string name);
  void add_variable(Module* module, const void* shadow, Variable variable);

  /// By the address of the host stub, or by a handle that `find_function` returned. Null if
  /// neither.
  [[nodiscard]] Function* find_function(const void* host_function_or_handle);
  /// The variable whose host shadow contains the address, with the shadow's start.
  struct Shadow {
    Variable* variable = nullptr;
    std::uint64_t offset = 0;
  };
  [[nodiscard]] Shadow find_shadow(const void* pointer);
  /// The variable whose shadow starts here; null if none does.
  [[nodiscard]] Variable* find_variable(const void* shadow);

  /// The decoded kernel for a device; the first use loads every module registered so far.
  /// @returns null if the program contains no PTX for it: see `problem_of`
  /// @throws LoadError
  [[nodiscard]] const Kernel* resolve(Runtime& runtime, Function& function, int device);
  /// The device's copy of a variable; null as above. @throws LoadError
  [[nodiscard]] Symbol* resolve(Runtime& runtime, const Variable& variable, int device);
  /// @param module  null: of all modules
  [[nodiscard]] std::vector<const Variable*> managed_variables(const Module* module);
  /// The managed variable at an address, which is what host code has for it. @throws LoadError
  [[nodiscard]] const Variable* find_managed(Runtime& runtime, const void* address);
  /// Gives the module's managed variables their addresses. @throws LoadError
  void place_managed(Runtime& runtime, const Module* module);
  /// Why a registered kernel or variable has no code: one sentence.
  [[nodiscard]] static std::string problem_of(const Module& module, const std::string& name);

 private:
  void load_modules(Runtime& runtime);

  std::mutex mutex_;  // several threads may load libraries and register them
  std::vector<std::unique_ptr<Module>> modules_;
  std::uint32_t next_unit_ = 1;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;  // by host stub
  std::unordered_set<const void*> handles_;  // the same functions, by address
  std::unordered_map<const void*, std::unique_ptr<Variable>> variables_;
};

}  // namespace warpsim::cudart
