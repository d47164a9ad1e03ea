#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// All files below a folder, sorted; none if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// A hash of all files that define a lab, its data files among them.
[[nodiscard]] std::string identity_of_lab(const Lab& lab);
/// As identity_of_lab(), without what lab.toml only says to students: its titles, hints and
/// sentences. Two labs with one such hash have the same verdicts, points and pitfalls.
/// @throws LabError  if lab.toml cannot be read
[[nodiscard]] std::string identity_of_rules(const Lab& lab);
/// A hash of the parts of a lab on which every build and run depends: the function, its header, the
/// golden function, the error model, what is allowed. Not its cases, points, tiers, hints and
/// clues.
[[nodiscard]] std::string identity_of_program(const Lab& lab);
/// A hash of a case's data, and of its own rules for judging outputs.
[[nodiscard]] std::string identity_of_case(const Case& spec);
/// A hash of the reference solution and of the cases for which its cost is needed.
/// @param measures  whether times are measured on a GPU, which has a separate case
[[nodiscard]] std::string identity_of_yardstick(const Lab& lab, bool measures);

}  // namespace warpgrade
