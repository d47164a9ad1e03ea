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

}  // namespace warpgrade
