#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/case/case.h"

namespace warpgrade {

/// Where run_cases() and run_case() keep the outputs of a wrong case until the submission's scratch
/// folder is removed.
/// @param scratch  the folder that has the case's own
[[nodiscard]] std::filesystem::path kept_outputs_folder(const std::filesystem::path& scratch,
                                                        const Lab& lab, const Case& spec);

/// Puts the outputs of a case into that folder, if they are not large; those of a program as read
/// from its files. Of a program that left a file out, or a damaged one,
/// nothing is kept, and there is no folder.
/// @param scratch  as above
void keep_outputs(const PreparedCase& prepared, const std::filesystem::path& scratch);

/// The kept outputs by parameter; nothing if none were kept.
[[nodiscard]] std::optional<std::map<std::string, Array>> kept_outputs(
    const std::shared_ptr<const CaseData>& data, const std::filesystem::path& scratch);

}  // namespace warpgrade
