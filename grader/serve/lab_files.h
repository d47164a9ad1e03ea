#pragma once

#include <string>
#include <vector>

#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A file of a lab's page.
struct LabFile {
  std::string name;
  std::string original;  // as the lab gives it
  bool read_only = false;
};

/// What `warpgrade start` gives: the files to submit, and the lab's header to read.
[[nodiscard]] std::vector<LabFile> files_of(const Lab& lab);

/// The submission in a request's body: {"files": {"vecadd.cu": "..."}}.
/// @param problem  what is wrong, a sentence, if the result is empty
[[nodiscard]] FileSet read_files(const Lab& lab, const std::string& body, std::string& problem);

}  // namespace warpgrade
