#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/judge/experiment/slip_search.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Which edits of the source are tried.
enum class SourceSlips : std::uint8_t { all, that_name_mistakes };

/// Looks for slips in the source of kernels: each edit (source_edits.h) is made in a copy of the
/// kernels, all copies are compiled at once, and the device process puts one after the other in the
/// place of the kernels that the call launches.
///
/// @returns those that make the smallest failing case right, with what they did in the others;
///   none if the submission has several programs or kernels that are templates, if the copies do
///   not compile, or if unchanged copies give other outputs than the run
[[nodiscard]] std::vector<Slip> source_slips(LabSession& session, const BuildResult& build,
                                             const SlipCases& cases,
                                             const std::vector<SourceFile>& sources,
                                             const std::filesystem::path& scratch,
                                             SourceSlips which);

/// The same with more edits (structural_edits.h), of which each copy has several
/// (choosing_copies.h).
[[nodiscard]] std::vector<Slip> chosen_slips(LabSession& session, const BuildResult& build,
                                             const SlipCases& cases,
                                             const std::vector<SourceFile>& sources,
                                             const std::filesystem::path& scratch);

}  // namespace warpgrade
