#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/machine/device_launch.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/pointer_origins.h"
#include "emulator/machine/program.h"

namespace warpsim {

/// A parsed module and the addresses its variables got.
struct LoadedModule {
  ptx::Module ptx;
  std::string origin;
  std::uint32_t unit = 0;
  std::uint32_t max_registers = 0;  // ModuleSource
  std::string source_folder = {};  // MachineOptions
  std::unordered_map<std::string_view, Symbol*> symbols;  // global and constant variables
  std::unordered_map<std::string_view, FunctionRef*> functions;
  std::unordered_map<std::string_view, const ptx::Variable*> shared;  // module-scope __shared__
};

/// Static shared memory of a kernel as laid out for the emulator.
struct SharedLayout {
  std::vector<SharedArray> arrays;
  std::unordered_map<const ptx::Variable*, std::uint32_t> offset;
  std::uint32_t bytes = 0;  // emulated, guards included; dynamic shared starts here
  std::uint32_t hardware_bytes = 0;  // what a card would use for static arrays
  std::array<std::uint32_t, 2> reserved_offset = {};  // %reserved_smem_offset_0 and _1
};

struct Kernel {
  FunctionRef* ref = nullptr;
  KernelInfo info;
  SharedLayout shared;
  Program* entry = nullptr;  // null until the first launch
  bool has_calls = false;
  /// Shared pointers, as they may own a ChangedProgram.
  std::unordered_map<const FunctionRef*, std::shared_ptr<Program>> programs;
};

/// What the decoder may do to make a program faster; no result depends on it.
struct DecodeOptions {
  /// Instructions that give the same in every block may leave their place.
  bool computes_ahead = true;
  /// Registers that are never needed at the same time share a place.
  bool shares_registers = true;
  /// A register that is a copy of a value which never changes becomes a name for it.
  bool skips_copies = true;
  /// Compiles what is hot; null: everything is interpreted.
  NativeCode* native = nullptr;
};

/// Loads modules, gives variables addresses, and resolves names across modules.
class Linker {
 public:
  /// @param changes  an experiment's; null: none
  /// @param device  whose variables these are
  /// @param first  the linker of device 0, which has the managed variables; null: this is it
  Linker(GlobalMemory& memory, DecodeOptions decoding, std::shared_ptr<Changes> changes = nullptr,
         int device = 0, Linker* first = nullptr)
      : memory_(memory),
        decoding_(decoding),
        changes_(std::move(changes)),
        device_(device),
        first_(first) {}

  /// @throws LoadError
  void load(ModuleSource source);
  void load_lazily(ModuleSource source);

  [[nodiscard]] Kernel* find_kernel(std::string_view name, std::uint32_t unit);
  [[nodiscard]] Symbol* find_symbol(std::string_view name, std::uint32_t unit);

  /// The decoded form of a function for a kernel; decodes it at first use. Thread-safe.
  [[nodiscard]] Program& program(Kernel& kernel, FunctionRef& ref);

  /// A function by name as seen from a module; declares a builtin or an unresolved one at need.
  [[nodiscard]] FunctionRef* resolve_function(const LoadedModule& from, std::string_view name);
  [[nodiscard]] FunctionRef* function_at(std::uint64_t address) const;
  [[nodiscard]] Symbol* resolve_symbol(const LoadedModule& from, std::string_view name);
  /// What the addresses in a kernel's own text are computed from. Thread-safe.
  [[nodiscard]] std::shared_ptr<const PointerOrigins> origins(const Program& program);
  [[nodiscard]] GlobalMemory& memory() { return memory_; }
  [[nodiscard]] const DecodeOptions& decoding() const { return decoding_; }
  /// For functions that are not decoded yet.
  void decode_with(const DecodeOptions& decoding) { decoding_ = decoding; }
  [[nodiscard]] std::size_t program_count() const { return next_program_; }

  /// What the running kernel has asked of the device runtime.
  DeviceWorkQueue device_work;

 private:
  void load_pending(std::uint32_t unit);
  /// Parses a module and gives its names addresses; initial values come later.
  LoadedModule& add(ModuleSource source);
  void place_variables(LoadedModule& module);
  /// @throws LoadError when the card is full
  [[nodiscard]] GlobalMemory::Allocation* place(const ptx::Variable& variable,
                                                GlobalMemory::Kind kind);
  void initialise(const LoadedModule& module);
  FunctionRef* add_function(const LoadedModule* module, const ptx::Function* function,
                            std::string name);
  void prepare(Kernel& kernel);
  void lay_out_shared(Kernel& kernel);

  /// A name as the modules of its unit see it.
  using Name = std::pair<std::uint32_t, std::string>;
  GlobalMemory& memory_;
  DecodeOptions decoding_;
  std::shared_ptr<Changes> changes_;
  int device_ = 0;
  Linker* first_ = nullptr;
  std::vector<ModuleSource> pending_;
  std::vector<std::unique_ptr<LoadedModule>> modules_;
  std::vector<std::unique_ptr<FunctionRef>> functions_;
  std::vector<std::unique_ptr<Symbol>> symbols_;
  std::map<Name, FunctionRef*> global_functions_;  // visible or weak definitions
  std::map<Name, Symbol*> global_symbols_;
  std::map<Name, Symbol*> any_symbol_;  // for the runtime's look-ups
  std::map<Name, std::unique_ptr<Kernel>> kernels_;
  std::uint32_t next_program_ = 0;
  std::unordered_map<const ptx::Function*, std::shared_ptr<const PointerOrigins>> origins_;
  std::recursive_mutex decode_mutex_;
};

/// "vecadd(float const*, ...)" for a mangled name, or the name itself.
[[nodiscard]] std::string demangle(std::string_view name);

}  // namespace warpsim
