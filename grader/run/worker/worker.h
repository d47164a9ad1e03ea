#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/process/process.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/run/device/device.h"
#include "grader/run/worker/running_kernel.h"
#include "harness/case/case.h"
#include "harness/case/delivered.h"
#include "harness/case/program_run.h"
#include "harness/case/timed_case.h"

namespace warpgrade {

/// How long a worker may take, by the clock.
inline constexpr std::chrono::seconds kWallLimit{30};
/// And one that was stopped while its kernel went on from block to block (makes_progress()).
inline constexpr std::chrono::seconds kSlowWallLimit{120};

/// One run of a worker: how the process ended, and what the emulator saw.
struct WorkerRun {
  ProcessResult process;
  ProcessLimits limits;
  std::optional<EmulatorReport> report;  // of emulator runs
  std::optional<ProgressNote> progress;  // of emulator runs that were stopped: their progress
  std::string device_fault = {};  // why the device process failed, one sentence
  /// What the device process says of the call; nothing for programs and on a GPU.
  std::optional<Delivery> delivery = {};

  /// The emulator's finding of a kernel that does not end: it exceeded its instruction budget, or
  /// all of its threads wait. Null if there is none.
  [[nodiscard]] const ReportedFinding* never_ends() const;
};

/// Runs the program on one prepared case in a separate process; deterministic on the emulator. The
/// program's output is captured and never parsed. On the emulator the outputs in the case's folder
/// are then those of the device process.
///
/// @param source_folder  prefix to take off the file names of findings
/// @param launcher       prefix of the command line, such as a profiler
[[nodiscard]] WorkerRun run_worker(const std::filesystem::path& program,
                                   const PreparedCase& prepared, const Device& device,
                                   const std::filesystem::path& source_folder,
                                   const std::vector<std::string>& launcher = {},
                                   std::chrono::seconds wall = kWallLimit);

/// Runs a program that belongs to no lab, like a worker on the emulator.
/// @param command  its folder is there; the device's files come beside it
/// @param records  whether what blocks do is recorded, too (recording_of())
[[nodiscard]] WorkerRun run_program_of_no_lab(const std::filesystem::path& program,
                                              const ProgramCommand& command, const Device& device,
                                              const std::filesystem::path& source_folder,
                                              bool records);

/// The recording of a run with this working folder; empty if there is none. The caller has to check
/// it.
[[nodiscard]] std::string recording_of(const std::filesystem::path& folder);

/// A tool that runs a worker and observes it on the card.
struct Watcher {
  std::vector<std::string> words;  // command-line prefix
  std::vector<std::filesystem::path> readable;  // what it needs outside /usr
};

/// Runs a worker under such a tool, in the worker's own sandbox and with the GPU's lock. The
/// worker's folder is the tool's home and temporary folder, and the limits are wider.
///
/// @param inputs  the folder of a timed call's inputs; empty: `folder`
[[nodiscard]] ProcessResult run_watched_worker(const std::filesystem::path& program,
                                               const std::filesystem::path& request,
                                               const std::filesystem::path& folder,
                                               const std::filesystem::path& inputs,
                                               const Device& device, const Watcher& watcher);

/// How long a worker may take under such a tool: ncu replays each kernel about ten times, and
/// compute-sanitizer makes it a hundred times slower.
inline constexpr std::chrono::seconds kWatchedWallLimit{120};

/// Runs a program of timed calls (harness/case/timed_case.h) to its end. The caller must hold the
/// GPU's lock.
///
/// @param inputs  the folder of the inputs' files
[[nodiscard]] ProcessResult run_timed_worker(const std::filesystem::path& program,
                                             const PreparedTiming& prepared,
                                             const std::filesystem::path& inputs,
                                             const Device& device);

}  // namespace warpgrade
