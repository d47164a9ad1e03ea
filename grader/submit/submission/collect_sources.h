#pragma once

#include <string>
#include <vector>

#include "grader/submit/submission/source_tree.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// Why an entry cannot be read as a text of a submission, or empty.
[[nodiscard]] std::string entry_problem(const std::string& name, const SourceTree::Entry& entry);

/// Takes programs and, following their includes, the other files that the build needs: into
/// `files`, with `notes`, or the `problem` of the submission. An include that Windows or another
/// layout of the folders would resolve is corrected in the text.
///
/// @param base      folder with '/' that the names of the files are relative to, or empty: the top
/// @param programs  relative to `base`
/// @returns false if a header is in the tree, but outside of `base`
[[nodiscard]] bool collect_sources(const SourceTree& tree, const std::string& base,
                                   const std::vector<std::string>& programs, const Lab& lab,
                                   Submission& submission);

}  // namespace warpgrade
