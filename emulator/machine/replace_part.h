#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "emulator/machine/editable_text.h"

// What an edit does with one instruction.

namespace warpsim {

/// Whether `from` is what an instruction has in a part (CodeEdit).
[[nodiscard]] bool stands_in(const EditableText& text, std::size_t instruction,
                             std::string_view part, std::string_view from);

/// Makes an edit of an instruction in a copy of the function.
/// @param before  gets the instructions that compute the new operand, to be put before it
/// @returns false if nothing can be changed in this way
[[nodiscard]] bool replace_part(const EditableText& text, std::size_t instruction,
                                const CodeEdit& edit, ptx::Function& function,
                                std::vector<ptx::Instruction>& before);

/// The spelling of a constant in an edit: "7", "-1", "1.5f", "inf", "-FLT_MAX"; empty for
/// one that has none.
[[nodiscard]] std::string spelling_of(const ptx::Operand& immediate);

/// The number of bytes that one thread loads or stores with an instruction; 0 for others.
[[nodiscard]] std::uint32_t access_bytes(const ptx::Instruction& instruction);

}  // namespace warpsim
