#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "emulator/tests/golden_runner/backend.h"
#include "emulator/tests/golden_runner/form_file.h"
#include "emulator/tests/golden_runner/module_file.h"

namespace warpsim::golden {

/// What came of a golden file.
struct Outcome {
  std::size_t ran = 0;  // forms or launches
  std::size_t skipped = 0;  // forms or launches that the device cannot run
  std::vector<std::string> failures;  // "add.golden:4: add.sat.s32: lane 0: ..."
};

/// Runs every form with all lanes active and again with every other lane off.
[[nodiscard]] Outcome run_forms(const FormFile& file, Backend& backend);
[[nodiscard]] Outcome run_module(const ModuleFile& file, Backend& backend);
/// Either of the two, by the file's extension. Files that cannot be read are a failure.
[[nodiscard]] Outcome run_golden(const std::filesystem::path& path, Backend& backend);

/// All golden files of a folder, in order.
[[nodiscard]] std::vector<std::filesystem::path> golden_files(const std::filesystem::path& folder);
/// The opcodes with modifiers that the file executes.
[[nodiscard]] std::set<std::string> executed_opcodes(const std::filesystem::path& path);

}  // namespace warpsim::golden
