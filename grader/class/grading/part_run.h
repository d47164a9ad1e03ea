#pragma once

#include <functional>
#include <memory>
#include <string>

#include "grader/class/grading/class_work.h"
#include "grader/class/grading/part.h"
#include "grader/class/grading/task_grader.h"
#include "grader/core/error.h"

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
