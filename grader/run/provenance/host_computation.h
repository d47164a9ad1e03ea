#pragma once

#include <string>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/grade/grade.h"
#include "grader/run/cases/replays.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// The inputs of replays: of the performance case, and of one that the draw chooses from `cases`.
[[nodiscard]] Replays::Inputs replay_inputs(LabSession& session,
                                            const std::vector<const Case*>& cases,
                                            const std::string& draw);

/// Finds cases whose outputs the host computes, and takes away their points; flags odd origins of
/// outputs (data_origin.h), unless a replay of the case shows that the device computed them.
///
/// The performance case and an unpredictable one are looked at. After their own run the device
/// process has done the work of the call again with other inputs and without the program
/// (harness/case/replay.h). Outputs that are right for those inputs were computed by the device.
/// If others, and more of the device's data came back to the host in between than the lab allows,
/// they were computed with the host's help. Otherwise the case runs again as a decoy
/// (harness/case/decoy.h), in which kernels get different inputs than the host sees. If most
/// elements that distinguish the two match the host's inputs, the host computed them.
///
/// Then all cases that passed are looked at, by their replays if one of these has shown it, and
/// only those whose outputs the device computed keep their points. Decoy runs with outputs in
/// between, that do not complete, and that launch other kernels than the case's own run are flagged
/// for review and change no points.
///
/// A case whose inputs cannot be distinguished, or whose outputs are values of its inputs, which
/// the host may legitimately move before copying them, runs with kernels that do nothing: if the
/// outputs are right, the host computed them. Outputs for which zeros or a copy of an input pass,
/// or that are empty, prove nothing, since a copy or a memset can make them; nor does a case that
/// the reference passes in this way.
///
/// In a lab that allows work on the host (Lab::host_work) other inputs show nothing, as the host
/// may convert them first: there only the last of these is done.
///
/// @param draw  seed for the random case and the device's inputs: the same for the same submission
///   and secret, and the one that replay_inputs() had
void catch_host_computation(LabSession& session, const BuildResult& build, const Secret& secret,
                            const std::string& draw, const Replays& replays,
                            const std::filesystem::path& scratch, std::vector<CaseOutcome>& cases,
                            std::vector<IntegrityFlag>& flags);

}  // namespace warpgrade
