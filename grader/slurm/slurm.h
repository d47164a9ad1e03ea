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
  std::string time;  // a limit for one element, as sbatch takes it: "2:00:00"; empty: the default
  std::size_t processors = 1;  // of an element
  std::size_t at_once = 0;  // elements at the same time; 0: as many as the cluster gives
  std::vector<std::string> extra;  // more options for sbatch, "--account=cs101"
  int tries = 3;  // how often an element is submitted before it is given up
};

/// What a job array is made of. Elements are numbered from 0.
struct SlurmWork {
  std::size_t elements = 0;
  /// Runs an element: these words and the element's number. Absolute paths, as every node sees
  /// them.
  std::vector<std::string> command;
  /// A folder that every node sees: scripts, logs, and the number of the running job.
  std::filesystem::path folder;
  /// Collects what an element has written so far; true when that is all.
  std::function<bool(std::size_t)> collect;
  /// A message for the user.
  std::function<void(const std::string&)> note;
};

/// Runs a job array to its end, whatever the cluster does: an element that ended without all of its
/// results (its node failed, it ran out of time, somebody cancelled it) is submitted again.
///
/// @returns for each element that was given up, what the cluster said; empty for the others
/// @throws EnvironmentError  if there is no sbatch, or the cluster refuses the job or stays silent
/// @throws Interrupted       if the person asks us to stop; the job is cancelled first
[[nodiscard]] std::vector<std::string> run_on_slurm(const SlurmOptions& options,
                                                    const SlurmWork& work);

/// Cancels the job that a grader which was killed has left behind in this folder, if any, and waits
/// until it is gone.
/// @returns its number, or empty
std::string cancel_left_job(const std::filesystem::path& folder);

/// "0-9,12" of {0..9, 12}: how sbatch takes a list of elements.
[[nodiscard]] std::string index_ranges(const std::vector<std::size_t>& sorted);

}  // namespace warpgrade
