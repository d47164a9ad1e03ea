#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/core/toml_table.h"

namespace warpgrade {

/// Data that a dataset has as text, instead of how to generate them: an input, or an output that is
/// expected. Its format is the lab's.
struct Given {
  std::string file;  // relative to datasets/, for messages; empty: written in the dataset
  std::string text;  // the contents
};

/// Reads the table `given` of a dataset: given.<name> = { file = "x/0/input.raw" } or
/// { text = "1 2 3" }. Files are relative to the folder of the datasets, and may not leave it.
/// @throws LabError  also if a file cannot be read
[[nodiscard]] std::map<std::string, Given> read_given(TomlTable table,
                                                      const std::filesystem::path& folder);

}  // namespace warpgrade
