#pragma once

#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The one thing to do first.
struct Diagnosis {
  std::string summary;  // one sentence
  std::string pitfall;  // page of docs/pitfalls, or empty
};

/// Finds the most likely cause of a failure from findings, the pattern of wrong elements, launches
/// and, to distinguish causes with the same symptom, the source.
[[nodiscard]] Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                                 const std::vector<SourceFile>& sources);

}  // namespace warpgrade
