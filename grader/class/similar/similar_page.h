#pragma once

#include <string>
#include <vector>

#include "grader/class/similar/similar.h"

namespace warpgrade {

/// The pairs of one lab.
struct SimilarLab {
  std::string lab;
  std::vector<ComparedWork> works;
  std::vector<SimilarPair> pairs;  // the most similar first
};

/// One self-contained page: a table of the pairs, and each pair side by side with shared passages
/// marked by colour and number. Opens offline; all students' text is escaped.
[[nodiscard]] std::string similar_page(const std::vector<SimilarLab>& labs);

/// A table for a terminal.
[[nodiscard]] std::string similar_text(const std::vector<SimilarLab>& labs);

}  // namespace warpgrade
