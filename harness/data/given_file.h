#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/core/toml_table.h"

namespace warpgrade {

/// The contents of a program's file as a dataset has them, instead of how to generate them: an
/// input, or an output that is expected. Their format is the lab's.
struct GivenFile {
  std::string name;  // of the file below datasets/, for messages; empty: written in the dataset
  std::string text;  // the contents
};

/// A file in the folder of a dataset's files.
/// @param name  as the key `file` of the table has it
/// @throws LabError  if it leads outside the folder
[[nodiscard]] std::filesystem::path dataset_file(const TomlTable& table,
                                                 const std::filesystem::path& folder,
                                                 const std::string& name);

/// Reads the table `given` of a dataset: given.<name> = { file = "0/input.raw" } or
/// { text = "1 2 3" }.
/// @param folder  of the dataset's files
/// @throws LabError  also if a file cannot be read
[[nodiscard]] std::map<std::string, GivenFile> read_given_files(
    TomlTable table, const std::filesystem::path& folder);

}  // namespace warpgrade
