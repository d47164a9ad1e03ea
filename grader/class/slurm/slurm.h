#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade {

struct SlurmOptions {
  std::string partition;  // empty: the cluster's default
  std::string gres;  // "gpu:1"; empty: none
  std::string time;  // time limit of one element for sbatch: "2:00:00"; empty: the default
  std::size_t processors = 1;  // per element
  std::size_t at_once = 0;  // maximum of simultaneous elements; 0: no limit
  std::vector<std::string> extra;  // more options for sbatch, "--account=cs101"
  int tries = 3;  // how many times an element is submitted before giving up
};

/// A job array. Elements are numbered from 0.
struct SlurmWork {
  std::size_t elements = 0;
  /// The command of an element, to which its number is appended. Absolute paths, valid on every
  /// node.
  std::vector<std::string> command;
  /// A folder visible on every node: scripts, logs, and the number of the running job.
  std::filesystem::path folder;
  /// Collects the results that an element has written so far; returns whether they are complete.
  std::function<bool(std::size_t)> collect;
  /// A message for the user.
  std::function<void(const std::string&)> note;
};

/// Runs a job array to completion: an element that ended without all of its results (its node
/// failed, it timed out, it was cancelled) is submitted again.
///
/// @returns for each element that was given up, the cluster's message; empty for the others
/// @throws EnvironmentError  if there is no sbatch, or the cluster rejects the job or does not
/// respond
/// @throws Interrupted       if the user interrupts; the job is cancelled first
[[nodiscard]] std::vector<std::string> run_on_slurm(const SlurmOptions& options,
                                                    const SlurmWork& work);

/// Cancels the job that a killed grader has left behind in this folder, if any, and waits until it
/// has ended.
/// @returns its number, or empty
std::string cancel_left_job(const std::filesystem::path& folder);

/// "0-9,12" for {0..9, 12}: sbatch's syntax for a list of elements.
[[nodiscard]] std::string index_ranges(const std::vector<std::size_t>& sorted);

}  // namespace warpgrade
