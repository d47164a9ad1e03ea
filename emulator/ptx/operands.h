#pragma once

#include <string_view>
#include <vector>

#include "emulator/ptx/context.h"
#include "emulator/ptx/scopes.h"

namespace warpsim::ptx {

/// True for the registers that PTX defines itself: "tid.x", "laneid", "envreg3" (without the '%').
[[nodiscard]] bool is_special_register(std::string_view name);

/// Reads the operands of instructions and resolves their names in the scopes around them.
class OperandParser {
 public:
  OperandParser(Context& context, const Scopes& scopes) : lexer_(context.lexer), scopes_(scopes) {}

  /// One operand, a pair (p|q) included. Labels look like symbols here; the caller resolves them.
  [[nodiscard]] Operand parse();
  /// The elements after an opening brace or parenthesis, up to `close`.
  [[nodiscard]] Operand parse_vector(char close);

 private:
  Operand parse_single();
  Operand parse_address();
  Operand parse_number();
  Operand parse_name();
  Operand parse_register(const Token& name, const Scopes::Symbol& symbol);
  Operand parse_special(const Token& name);
  Operand parse_pair(Operand first);

  Lexer& lexer_;
  const Scopes& scopes_;
};

/// The index of a vector register's element by letter: 0 for "x" and "r". -1 for others.
[[nodiscard]] int element_position(std::string_view selector);

}  // namespace warpsim::ptx
