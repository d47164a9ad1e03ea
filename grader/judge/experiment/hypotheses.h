#pragma once

#include <vector>

#include "grader/judge/experiment/candidates.h"

namespace warpgrade {

/// What may be wrong about the index of an access that leaves its array or reads uninitialized
/// memory, one candidate per hypothesis: another length of a row, row and column exchanged, threads
/// and blocks exchanged, bytes read as signed numbers. Nothing for cases without such an access.
void add_index_hypotheses(const std::vector<const CaseOutcome*>& failing,
                          const std::vector<SourceFile>& sources, std::vector<Candidate>& all);

/// Sizes in elements where a call of the host takes bytes, if an array has as many bytes as one of
/// the lab's has elements, or as many of its bytes were written: later ones are uninitialized, or
/// hold what an output held before the call.
void add_size_hypotheses(const std::vector<const CaseOutcome*>& failing, const Lab& lab,
                         std::vector<Candidate>& all);

}  // namespace warpgrade
