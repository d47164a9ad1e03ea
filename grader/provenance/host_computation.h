#pragma once

#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/evidence/case_outcome.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// Whether outputs that are right without kernels must have been computed by the host: they are
/// neither all zero nor a copy of an input.
[[nodiscard]] bool is_telling(const CaseData& data);

/// Finds cases whose outputs the host computes, and takes their points.
///
/// The performance case and one that the student cannot foresee are run once more, as a decoy
/// (harness/case/decoy.h): kernels get other inputs than the host sees. Outputs that follow from
/// the host's inputs at most elements that tell were computed by the host. Then all cases that
/// passed are run so, and only those keep their points whose outputs follow from the device's
/// inputs. Outputs between these two, a decoy run that does not complete, and one that
/// launches other kernels than the case's own run are flagged for review and change no points.
///
/// A case whose inputs cannot be told apart, and one whose outputs are values of its inputs, which
/// the host may move as it likes before it copies them, is run with kernels that do nothing: if it
/// comes out right, the host computed it. There, outputs that are all zero, a copy of an input, or
/// have no elements, prove nothing: a copy or a memset makes them.
///
/// @param draw  decides which case is drawn and what the device gets: the same for the same
///   submission and secret
void catch_host_computation(LabSession& session, const BuildResult& build, const Secret& secret,
                            const std::string& draw, const std::filesystem::path& scratch,
                            std::vector<CaseOutcome>& cases, std::vector<IntegrityFlag>& flags);

}  // namespace warpgrade
