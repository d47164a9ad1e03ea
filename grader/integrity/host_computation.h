#pragma once

#include <string>
#include <vector>

#include "grader/assess/case_outcome.h"
#include "grader/assess/lab_session.h"
#include "grader/build/build.h"
#include "grader/grade/grade.h"

namespace warpgrade {

/// Whether outputs that are right without kernels must have been computed by the host: they are
/// neither all zero nor a copy of an input.
[[nodiscard]] bool is_telling(const CaseData& data);

/// Finds cases whose outputs are right even when kernels do nothing: then the host computes them.
/// The performance case and one that the student cannot foresee are run once more, on an emulator
/// whose kernels are idle; if either comes out right, all that passed are. Those earn nothing.
/// Outputs that are all zero, a copy of an input, or have no elements, prove nothing and are left
/// out: a copy or a memset makes them, which is no host's computation.
///
/// @param draw  decides which case is drawn: the same for the same submission and secret
void catch_host_computation(LabSession& session, const BuildResult& build, const Secret& secret,
                            const std::string& draw, const std::filesystem::path& scratch,
                            std::vector<CaseOutcome>& cases, std::vector<IntegrityFlag>& flags);

}  // namespace warpgrade
