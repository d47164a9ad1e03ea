#pragma once

#include <filesystem>
#include <string>

#include "grader/grade/grade.h"
#include "grader/gradebook/gradebook.h"

namespace warpgrade {

/// A student's page: one file that opens offline. Hidden cases show no values. Everything that came
/// from a submission is escaped.
///
/// @param pitfalls  docs/pitfalls, whose pages are carried inside
[[nodiscard]] std::string feedback_page(const Grade& grade, const std::filesystem::path& pitfalls);

/// The class page, with links to the students' pages beside it.
[[nodiscard]] std::string class_page(const Gradebook& book, const std::filesystem::path& pitfalls);

}  // namespace warpgrade
