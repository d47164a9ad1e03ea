#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "emulator/changes/call_edit.h"
#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Looks for a line of a kernel in which one slip makes visible cases wrong: the device process
/// does the recorded work of the smallest failing case again, with hundreds of edits of the
/// kernels' code (emulator/machine/possible_edits.h) and of what the host's calls ask for
/// (emulator/changes/call_edit.h), one at a time. Those that make it right are tried on the other
/// cases.
///
/// What comes out is the weakest explanation, of no lab: another change than the one that is named
/// may be the one that was meant. Returns nothing if no edit makes all cases right that can be
/// tried, with at least half of the lost points; if such edits are in different lines; if the work
/// cannot be done again without the program; and for labs whose submissions are programs, of which
/// nothing is recorded.
///
/// @param ran      all cases of the submission
/// @param scratch         a folder for runs
/// @param beside_formula  a formula says what is computed, so that two lines, of which one is right
///   by accident, would add a doubt
[[nodiscard]] std::optional<Explanation> find_slip(LabSession& session, const BuildResult& build,
                                                   const std::vector<CaseOutcome>& ran,
                                                   const std::vector<SourceFile>& sources,
                                                   const std::filesystem::path& scratch,
                                                   bool beside_formula = false);

/// The same with edits of the structure of kernels (structural_edits.h), where nothing else gives
/// all outputs or makes all cases right.
[[nodiscard]] std::optional<Explanation> find_structural_slip(
    LabSession& session, const BuildResult& build, const std::vector<CaseOutcome>& ran,
    const std::vector<SourceFile>& sources, const std::filesystem::path& scratch);

/// A formula says what is computed, and the line of a slip where: both together; a general variant
/// gives way to the slip.
[[nodiscard]] Explanation with_slip(std::optional<Explanation> explanation, Explanation slip);

/// Whether an explanation is of this kind.
[[nodiscard]] bool is_slip(const Explanation& explanation);
/// The edit of a call of the host that such an explanation names; nothing for edits of code.
[[nodiscard]] std::optional<warpsim::CallEdit> call_of_slip(const Explanation& explanation);

}  // namespace warpgrade
