#pragma once

#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

struct StudentFile {
  std::string name;  // in the student's folder: "README.md", "pitfalls/P1.md"
  std::string content;
};

/// The handout of a lab and all that it links to, so that every link works in a folder of its own:
/// the pages of docs/ that the handout links to and that those pages link to, all pitfalls, and the
/// pictures of these pages. A link that leads out of them becomes its text.
/// @throws EnvironmentError  if a page cannot be read
[[nodiscard]] std::vector<StudentFile> handout_files(const Installation& installation,
                                                     const Lab& lab);

}  // namespace warpgrade
