#pragma once

#include <string>

#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/core/installation.h"

namespace warpgrade {

/// The class page under the rules of the course, with links to the students' pages beside it: one
/// file that opens offline. Everything from a submission is escaped.
///
/// @param installation  whose pages of docs are embedded
[[nodiscard]] std::string class_page(const Gradebook& book, const ClassRecord& record,
                                     const Installation& installation);

}  // namespace warpgrade
