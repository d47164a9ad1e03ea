#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emulator/cudart/edits_file.h"
#include "harness/case/case.h"

namespace warpgrade {

using warpsim::cudart::TriedEdit;

/// Edits of a submission's kernels, each tried on a case's call by the device process
/// (emulator/cudart/edit_trials.h), and whether the outputs are right with them.
struct TriedEdits {
  /// Half a sentence: why nothing can be learned from them; otherwise empty.
  std::string problem;
  bool unedited_is_right = false;
  std::vector<TriedEdit> edits;
  std::vector<bool> right;  // by edit
};

/// @param file      that the device process wrote
/// @param prepared  the case; its folder has the outputs of the run itself, which the work without
///   an edit has to give again, or nothing can be learned
/// @returns nothing if the file is missing or damaged
[[nodiscard]] std::optional<TriedEdits> read_tried_edits(const std::filesystem::path& file,
                                                         const PreparedCase& prepared);

/// What the device process is asked to try in place of edits: changed copies of kernels.
///
/// @param numbers  of the copies
/// @param ptx      the module that has them (emulator/machine/kernel_copies.h)
[[nodiscard]] std::string request_for_copies(const std::vector<std::string>& numbers,
                                             const std::string& ptx);

}  // namespace warpgrade
