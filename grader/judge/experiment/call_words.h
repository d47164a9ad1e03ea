#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/changes/call_edit.h"
#include "grader/judge/experiment/edit_words.h"

namespace warpgrade {

/// What an edit of a call of the host is called in a sentence.
[[nodiscard]] EditWords words_of_call(const warpsim::CallEdit& edit,
                                      const std::vector<SourceFile>& sources);

/// As the source has them: two arguments of a launch that an edit exchanges. Nothing for other
/// edits, and where the source does not show them.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> exchanged_arguments(
    const warpsim::CallEdit& edit, const std::vector<SourceFile>& sources);

/// Whether an edit may as well undo a slip of a kernel: a call left out or made twice, or one more
/// or less where the source has a plain name, and not `n - 1`.
[[nodiscard]] bool is_weak(const warpsim::CallEdit& edit, const std::vector<SourceFile>& sources);

}  // namespace warpgrade
