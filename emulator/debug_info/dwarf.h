#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/debug_info/debug_sections.h"
#include "emulator/debug_info/types.h"

namespace warpsim::debug {

/// Where a variable is: one step of a location description.
struct VariablePlace {
  enum class Kind : std::uint8_t {
    unknown,  // what the description says is not understood
    reg,  // `name` is a register
    symbol,  // `add` bytes into the variable, parameter or depot `name`
  } kind = Kind::unknown;
  std::string name;
  std::uint64_t add = 0;
};

struct DebugVariable {
  std::string name;
  const Type* type = nullptr;
  bool is_parameter = false;
  std::uint32_t begin = 0, end = ptx::kNoIndex;  // of its block: instructions of the function
  struct Range {
    std::uint32_t begin = 0, end = ptx::kNoIndex;  // instructions
    VariablePlace place;
  };
  std::vector<Range> ranges;  // empty: it is nowhere

  /// The place while the instruction is next; nothing: optimized out.
  [[nodiscard]] const VariablePlace* at(std::uint32_t instruction) const;
};

/// The variables of a module's functions, from its debug information.
class DebugInfo {
 public:
  /// @param types  gets the types
  DebugInfo(const ptx::Module& module, Types& types);
  ~DebugInfo();

  /// Of a function by its index in the module, outer blocks first.
  [[nodiscard]] const std::vector<DebugVariable>& variables(std::uint32_t function) const;
  /// Of the module: `__device__`, `__constant__`.
  [[nodiscard]] const std::vector<DebugVariable>& globals() const { return globals_; }
  [[nodiscard]] bool empty() const { return by_function_.empty(); }

 private:
  class Reader;
  std::map<std::uint32_t, std::vector<DebugVariable>> by_function_;
  std::vector<DebugVariable> globals_;
};

/// "%f1" for the number 0x256631: nvcc writes a register as its name, the first character in the
/// highest byte.
[[nodiscard]] std::string register_name(std::uint64_t number);

}  // namespace warpsim::debug
