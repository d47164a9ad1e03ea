#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::golden {

/// One form from a text with braces.
struct Expansion {
  std::string text;
  std::size_t first_choice = 0;  // which alternative of the first brace it has
};

/// Expands the braces in the opcodes of `instructions` ("add{.sat}.s32 %d, %a, %b; ..."), in the
/// notation that Row::forms and golden files share: ".{a,b}" is one of the two, "{.a,.b}" one of
/// the two or nothing (the first alternative). Braces among operands are left alone.
/// @throws std::runtime_error  for a brace that is never closed
[[nodiscard]] std::vector<Expansion> expand(std::string_view instructions);
/// How many alternatives the first brace of an opcode has; 1 without braces.
[[nodiscard]] std::size_t first_brace_size(std::string_view instructions);
/// The opcodes with modifiers ("add.sat.s32") of all instructions of an expanded text.
[[nodiscard]] std::vector<std::string> opcodes(std::string_view instructions);

}  // namespace warpsim::golden
