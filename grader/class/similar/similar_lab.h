#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/class/similar/earlier.h"
#include "grader/class/similar/similar_page.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What a student submitted for a lab.
struct SubmittedWork {
  std::string student;
  std::vector<SourceFile> files;
};

/// Which pairs are listed.
struct SimilarChoice {
  std::size_t pairs = 20;  // at most
  double least = 30;  // percent of similarity
};

/// Compares the submissions at a lab with each other and with earlier programs. What the lab hands
/// out does not count: the sources in its folder, and the code of its handout. Without submissions
/// the result is empty.
/// @throws UsageError  if a file of the lab cannot be read
[[nodiscard]] SimilarLab similar_of_lab(const Lab& lab, std::vector<SubmittedWork> submitted,
                                        const std::vector<EarlierProgram>& earlier,
                                        const SimilarChoice& choice);

}  // namespace warpgrade
