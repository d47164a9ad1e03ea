#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// An edit of a kernel's text that undoes one slip of its source: `<=` for `<`, another constant,
// another parameter. The compiler unrolls loops and repeats what a line says, so an edit is about
// all instructions that came from one place of the source and have the same in the same position.

namespace warpsim {

/// One edit. It says itself where it is made, so that it means the same in every run of a program,
/// and in every instance of a template.
struct CodeEdit {
  std::string file;  // its last part: "scan.cu"
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // 0: none is known
  std::string opcode;  // of the instructions, with all modifiers: "setp.ge.s32"
  /// What is replaced: `word`, one of the modifiers or the opcode; `guard`; `order`, of operands;
  /// or an operand by its number: "1" is the one after the result.
  std::string part;
  /// What stands there, and what replaces it. An operand is a number, a special register, a
  /// parameter of the kernel by its number ("p2"), or a value that is changed: "value" to "+1",
  /// "-1", "*4" or "negated", "address" to "+4", bytes.
  std::string from, to;
  std::uint32_t only = 0;  // of several such instructions of a function, this one, from 1; 0: all

  bool operator==(const CodeEdit&) const = default;
};

/// "FILE:LINE.COLUMN/OPCODE/PART/FROM/TO", and "#N" for a single one.
[[nodiscard]] std::string to_text(const CodeEdit& edit);

/// @returns nothing for another form
[[nodiscard]] std::optional<CodeEdit> parse_code_edit(std::string_view text);

/// What a student would call the change: "comparison", "number", "factor", "sign", "operator",
/// "variable", "index", "start value", "condition", "order" or "element".
[[nodiscard]] std::string_view kind_of(const CodeEdit& edit);

}  // namespace warpsim
