#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "emulator/changes/code_edit.h"
#include "emulator/machine/editable_text.h"

namespace warpsim {

/// Edits that each undo one common slip, the most common ones first: another comparison, a number
/// that is one more or less, a neighbouring element, then other operators, parameters, indices and
/// start values, and last those of a single one of several instructions. The same for the same
/// texts.
///
/// @param functions  instructions without a line of the source are left out
/// @param most  the rest is dropped
[[nodiscard]] std::vector<CodeEdit> possible_edits(std::span<const EditableText> functions,
                                                   std::size_t most);

}  // namespace warpsim
