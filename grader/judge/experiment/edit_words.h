#pragma once

#include <string>
#include <vector>

#include "grader/record/grade/grade.h"
#include "harness/case/tried_edits.h"

namespace warpgrade {

/// An edit in a student's words, as after "with" and before "at line 42".
struct EditWords {
  std::string kind;  // "another comparison"
  std::string fix;  // "`<=` in place of `<`"; the same as `kind` where the source has neither
};

/// @param sources  of the submission; the line of the edit says how it spells what is replaced
[[nodiscard]] EditWords words_of(const TriedEdit& edit, const std::vector<SourceFile>& sources);

/// Whether an edit is of what the compiler made of a loop, and of nothing in the loop's line: its
/// test the other way round, which ends the loop after the first turn or before it, or a start
/// value that stands in another line.
[[nodiscard]] bool is_of_compiled_loop(const TriedEdit& edit,
                                       const std::vector<SourceFile>& sources);

}  // namespace warpgrade
