#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/class/slurm/slurm.h"
#include "grader/core/error.h"
#include "grader/run/session/run_options.h"
#include "grader/submit/submission/layout.h"

namespace warpgrade {

struct ClassOptions {
  std::filesystem::path submissions;
  std::filesystem::path out;
  std::string lab;  // empty: every lab with submissions
  std::size_t jobs = 1;
  RunOptions run = {.sandbox = SandboxMode::bubblewrap};
  std::string executor = "local";
  bool resume = false;
  bool tables = true;  // write the class's tables and page, too
  bool wait = false;  // for another grader that uses `out`
  bool pictures = false;  // record a visible case of each submission for its page
  bool dry_run = false;  // report what would change in `out`, and write nothing there
  std::filesystem::path secret_file;
  std::filesystem::path course;  // course.toml; empty: the one among the submissions, if any
  Layout layout = Layout::automatic;
  std::string student;  // the folder is the work of this student
  std::filesystem::path mapping;  // of intake; empty: mapping.csv among the submissions, if any
  std::string submitted_at;  // ISO 8601; empty: see grader/class/grading/intake.h
  std::string cache;  // folder of cached evidence, "none", or empty: see open_evidence_cache
  SlurmOptions slurm;
  std::size_t slurm_part_size = 0;  // grades per element of a job array; 0: chosen by their number
  std::filesystem::path part_folder;  // set in a process that grades a share of the class: its
  std::size_t part = 0;  // folder, and the number of the share
};

/// Grades every student's work for every lab and writes each grade as soon as it is finished, then
/// the class's tables and page, and prints the gradebook. If interrupted or out of disk space,
/// finished grades stay for --resume.
///
/// @returns passed if everything was graded, internal if any grade is an internal error
/// @throws UsageError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode grade_class(const ClassOptions& options);

}  // namespace warpgrade
