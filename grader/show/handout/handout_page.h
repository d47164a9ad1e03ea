#pragma once

#include <string>
#include <vector>

#include "grader/show/handout/student_files.h"

namespace warpgrade {

/// A lab's handout as one HTML page without requests: pictures inside, syntax colours, and the
/// pages that it links to as sections that open.
/// @param files  of handout_files()
[[nodiscard]] std::string handout_page(const Lab& lab, const std::vector<StudentFile>& files);

}  // namespace warpgrade
