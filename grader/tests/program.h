#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/files.h"
#include "grader/process/process.h"

namespace warpgrade::testing {

/// The sources under test, from CTest.
[[nodiscard]] std::filesystem::path source_folder();
/// The program under test.
[[nodiscard]] std::string program();

/// Runs warpgrade with these arguments, and with our environment plus `environment`.
[[nodiscard]] ProcessResult warpgrade(
    const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment = {});

/// Runs a shell script; `$W` is the program.
[[nodiscard]] ProcessResult shell(const std::string& script, const std::filesystem::path& folder,
                                  std::chrono::minutes limit = std::chrono::minutes(4));

/// Skips the calling test if bubblewrap does not work, as in a chroot or in containers without user
/// namespaces.
void need_sandbox();

/// Whether the commit selects this part of a family, counted from 0 (scripts/tests/in_turn.py).
[[nodiscard]] bool is_part(const std::string& family, std::size_t part, std::size_t parts);

/// Skips the calling test unless the commit selects this part of a family of slow tests.
void need_part(const std::string& family, std::size_t part, std::size_t parts);

/// The text of a program of reference/<lab>: "stages/04_tiled.cu", or "wrong/no_guard" whether it
/// is written whole or not.
[[nodiscard]] std::string reference_program(const std::string& lab, const std::string& name);

/// A correct submission for vecadd.
[[nodiscard]] std::string right_source();

[[nodiscard]] bool contains(std::string_view text, std::string_view part);

}  // namespace warpgrade::testing
