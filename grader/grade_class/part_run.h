#pragma once

#include <functional>
#include <memory>
#include <string>

#include "grader/core/error.h"
#include "grader/grade_class/class_work.h"
#include "grader/grade_class/part.h"
#include "grader/grade_class/task_grader.h"

namespace warpgrade {

/// In a process of the cluster: grades this part's tasks, and writes their results for the
/// submitting process, but no class tables.
///
/// @param make_grader  makes a grader, given a function for messages
void run_part(
    const Part& part, const ClassWork& work,
    const std::function<std::unique_ptr<TaskGrader>(std::function<void(const std::string&)>)>&
        make_grader);

}  // namespace warpgrade
