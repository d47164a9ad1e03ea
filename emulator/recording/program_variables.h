#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/debug_info/dwarf.h"
#include "emulator/debug_info/storage.h"
#include "emulator/debug_info/types.h"
#include "emulator/machine/program.h"
#include "emulator/recording/variables.h"

// What the recorder needs of a function's variables, from the debug information of its module. It
// asks after each warp instruction, so all of this is found out once.

namespace warpsim::recording {

/// The variables of a function as it is executed.
class ProgramVariables {
 public:
  /// A variable that can be seen, and where its bytes are.
  struct Seen {
    std::uint32_t variable = 0;  // number in variables()
    debug::Storage storage;  // none: optimized out
    std::uint32_t offset = 0;  // bytes into the register
    bool operator==(const Seen&) const = default;
  };
  using View = std::vector<Seen>;

  /// What is known after an instruction.
  struct After {
    std::uint32_t view = 0;  // number in views()
    std::vector<std::uint32_t> written;  // registers of variables, by number in registers()
    std::vector<std::uint32_t> begun;  // of variables whose block begins with it
    bool is_sampled = false;  // it stays in the function
    bool stores = false;  // it may change local memory
    bool begins = false;  // the function
  };

  ProgramVariables(const LaunchState& launch, const Program& program, const debug::DebugInfo& info);

  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<View>& views() const { return views_; }
  /// @param index  of an instruction, Inst::index
  [[nodiscard]] const After& after(std::uint32_t index) const { return after_[index]; }
  /// Registers of variables, as indices of ptx::Function::registers, in order.
  [[nodiscard]] const std::vector<std::uint32_t>& registers() const { return registers_; }
  [[nodiscard]] std::uint32_t number_of_register(std::uint64_t reg) const;

 private:
  struct Part;  // of a variable: what has one number

  void add_parts(const debug::DebugVariable& variable, const debug::Type& type,
                 const std::string& name, std::uint64_t offset, int depth);
  void add_part(const debug::DebugVariable& variable, const debug::Type& type,
                const std::string& name, std::uint64_t offset);
  [[nodiscard]] bool sees(const Part& part, std::uint32_t instruction) const;
  [[nodiscard]] debug::Storage place_at(const Part& part, std::uint32_t instruction) const;
  [[nodiscard]] View view_after(std::uint32_t instruction, bool jumps,
                                const std::vector<std::uint32_t>& written) const;
  [[nodiscard]] std::vector<std::uint32_t> registers_begun(std::uint32_t instruction) const;
  void add_after(std::uint32_t index);

  const LaunchState* launch_;
  const Program* program_;
  std::vector<Part> parts_;  // in the order of variables_
  std::vector<Variable> variables_;
  std::vector<View> views_;
  std::vector<After> after_;
  std::vector<std::uint32_t> registers_;
};

/// Those of the functions of a launch.
class LaunchVariables {
 public:
  LaunchVariables();
  ~LaunchVariables();

  /// @returns null where the function has no debug information
  [[nodiscard]] const ProgramVariables* of(const LaunchState& launch, const Program& program);
  void clear();

 private:
  struct ModuleInfo;
  std::map<const LoadedModule*, std::unique_ptr<ModuleInfo>> modules_;
  std::map<const Program*, std::unique_ptr<ProgramVariables>> programs_;
};

}  // namespace warpsim::recording
