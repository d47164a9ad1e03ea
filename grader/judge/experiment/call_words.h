#pragma once

#include <cstdint>
#include <vector>

#include "grader/judge/experiment/edit_words.h"

namespace warpgrade {

/// Whether the edit is one of a call of the host (emulator/changes/call_edit.h), and not of code.
[[nodiscard]] bool is_of_call(const TriedEdit& edit);

/// @param edit  of a call
[[nodiscard]] EditWords words_of_call(const TriedEdit& edit,
                                      const std::vector<SourceFile>& sources);

/// Whether an edit may as well undo a slip of a kernel: a call left out or made twice, or one more
/// or less where the source has a plain name, and not `n - 1`.
[[nodiscard]] bool is_weak(const TriedEdit& edit, const std::vector<SourceFile>& sources);

/// The line of the other call whose order is exchanged with this one; 0 for other edits.
[[nodiscard]] std::uint32_t other_line(const TriedEdit& edit);

}  // namespace warpgrade
