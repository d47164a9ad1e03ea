#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/class/grading/grade_class.h"
#include "grader/class/table/gradebook.h"

namespace warpgrade {

/// The part of a class to grade on a cluster.
struct ClusterWork {
  const ClassOptions* options = nullptr;
  CompilerRequest compiler = CompilerRequest::automatic;
  DeviceRequest device = DeviceRequest::emulator;
  std::vector<std::pair<std::string, std::string>> tasks;  // student and lab
  std::function<void(const GradeRow&)> done;  // a grade was written by a node
  /// The cluster could not run this task.
  std::function<void(std::size_t, const std::string&)> failed;
  std::function<void(const std::string&)> note;
};

/// Divides the work into parts, runs them as a Slurm job array of `warpgrade grade ... --part`, and
/// reports every task exactly once. First cancels a job left behind by a killed grader.
/// @throws EnvironmentError, Interrupted
void grade_parts(const ClusterWork& work);

/// Tasks per array element, such that a class fills the cluster and no array exceeds Slurm's limit.
[[nodiscard]] std::size_t part_size(std::size_t tasks, std::size_t wanted);

}  // namespace warpgrade
