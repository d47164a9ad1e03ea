#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/changes/code_edit.h"
#include "emulator/machine/linker.h"
#include "emulator/ptx/module.h"

namespace warpsim {

/// A function's text, and what an edit needs to know of it: the place in the source that each
/// instruction came from, and what registers hold.
class EditableText {
 public:
  EditableText(const LoadedModule& module, const ptx::Function& function);

  struct Place {
    std::string file;  // its last part
    std::uint32_t line = 0, column = 0;  // line 0: none is known

    auto operator<=>(const Place&) const = default;
  };

  [[nodiscard]] const ptx::Function& function() const { return *function_; }
  /// Of an instruction; one without a place of its own is of the statement before it.
  [[nodiscard]] const Place& place(std::size_t instruction) const {
    return places_[numbers_[instruction]];
  }
  /// With all modifiers.
  [[nodiscard]] const std::string& opcode(std::size_t instruction) const {
    return opcodes_[instruction];
  }
  /// The special register or the parameter ("p2") whose value a register holds wherever it is read;
  /// empty: another value.
  [[nodiscard]] std::string held_by(std::uint32_t reg) const;
  /// 32-bit parameters that are loaded as a whole, by number.
  [[nodiscard]] const std::map<std::uint32_t, std::size_t>& loads() const { return loads_; }

  /// @param count  set to the number of instructions that were changed
  /// @returns nothing if the edit does not fit anywhere in the function
  [[nodiscard]] std::optional<ptx::Function> edited(const CodeEdit& edit, std::size_t& count) const;

 private:
  void find_places(const LoadedModule& module);
  void find_values();
  [[nodiscard]] bool is_meant(const CodeEdit& edit, std::size_t instruction) const;

  const ptx::Function* function_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> numbers_;  // of places, by instruction
  std::vector<std::string> opcodes_;
  std::map<std::uint32_t, std::string> held_;  // by register
  std::map<std::uint32_t, std::size_t> loads_;  // the instruction that loads a parameter
};

}  // namespace warpsim
