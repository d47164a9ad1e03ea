#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/class_table/gradebook.h"
#include "grader/grade_class/grade_class.h"

namespace warpgrade {

/// What of a class is to be graded on a cluster.
struct ClusterWork {
  const ClassOptions* options = nullptr;
  DeviceRequest device = DeviceRequest::emulator;
  std::vector<std::pair<std::string, std::string>> tasks;  // student and lab
  std::function<void(const GradeRow&)> done;  // a grade was written by a node
  std::function<void(std::size_t, const std::string&)> failed;  // the cluster gave this task up
  std::function<void(const std::string&)> note;
};

/// Cuts the work into parts, runs them as a Slurm job array of `warpgrade grade ... --part`, and
/// hands on every task exactly once. A grader that was killed may have left a job, which is
/// cancelled first.
/// @throws EnvironmentError, Interrupted
void grade_parts(const ClusterWork& work);

/// Tasks of one element, so that a class fills the cluster and no array is longer than Slurm takes.
[[nodiscard]] std::size_t part_size(std::size_t tasks, std::size_t wanted);

}  // namespace warpgrade
