#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/installation.h"

namespace warpgrade {

/// One of a dataset's files.
struct LibwbFile {
  std::string name;  // "input0.raw"
  std::string text;
};

/// "data/3": inputs in the order of the command line, and the expected output.
struct LibwbDataset {
  std::string name;  // of its folder: "3"
  double score = 1;  // its weight
  std::vector<LibwbFile> inputs;
  LibwbFile output;
};

/// A lab as courses that use libwb have it.
struct LibwbFolder {
  std::string title;
  std::string stub;  // template.cu, or solution.cu without the code between its marks
  std::string solution;  // empty: there is none
  std::string handout;  // empty: there is none
  std::vector<LibwbFile> linked;  // by the handout; their names are paths
  std::vector<std::string>
      decisions;  // what a person has to look at, a sentence with its file each
  std::string type;  // of -t; empty: not given
  bool has_scores = false;  // config.json gives the datasets' weights
  bool generated = false;  // the datasets were made by the folder's generator
  std::vector<LibwbDataset> datasets;
};

/// Reads such a folder: template.cu, solution.cu, description.markdown, config.json, and datasets
/// in data/, Dataset/ or dataset/. If there are none, dataset_generator.cpp or .c is compiled and
/// run, as its author's own program. An empty config.json counts as none, datasets that lack files
/// are left out, and the decisions say so.
///
/// @throws UsageError  if it is none, with what is missing
/// @throws EnvironmentError  if there is no compiler for the generator
[[nodiscard]] LibwbFolder read_libwb_folder(const std::filesystem::path& folder,
                                            const Installation& installation);

}  // namespace warpgrade
