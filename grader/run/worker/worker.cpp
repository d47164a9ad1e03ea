#include "grader/run/worker/worker.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include "emulator/recording/recording.h"
#include "grader/build/python/build_python.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/usage.h"
#include "grader/run/cost_model/line_times.h"
#include "grader/run/device/gpu_lock.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/run/worker/device_process.h"
#include "grader/run/worker/worker_inputs.h"
#include "harness/case/decoy.h"

namespace warpgrade {
namespace {

constexpr std::chrono::seconds kCpuMargin{10};  // beyond the wall-clock limit
constexpr std::uint64_t kMemoryLimit = std::uint64_t{4} << 30;
/// For a worker of timed calls: many calls with data that fill a GPU, and every output kept.
constexpr std::chrono::seconds kTimedWallLimit{120};
constexpr std::uint64_t kTimedMemoryLimit = std::uint64_t{12} << 30;
constexpr std::uint64_t kTimedFolderLimit = std::uint64_t{8} << 30;
constexpr std::uint64_t kFileLimit = std::uint64_t{1} << 30;
constexpr std::uint64_t kFolderLimit = std::uint64_t{2} << 30;
constexpr std::size_t kProcessLimit = 128;  // includes threads if the kernel counts
constexpr std::size_t kWatchedProcessLimit = 512;  // ncu and its libraries have threads
constexpr std::size_t kOutputLimit = 64 * 1024;

}  // namespace

const ReportedFinding* WorkerRun::never_ends() const {
  if (!report) return nullptr;
  using enum warpsim::FindingKind;
  for (const warpsim::FindingKind kind : {instruction_budget, deadlock, mbarrier_deadlock}) {
    if (const ReportedFinding* found = report->find(kind)) return found;
  }
  return nullptr;
}

namespace {

/// The worker's process, without its limits.
///
/// @param folder    that it may write to
/// @param readable  more that it may read
ProcessSpec worker_process(const std::filesystem::path& program,
                           const std::filesystem::path& request,
                           const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& readable,
                           const Device& device) {
  ProcessSpec spec;
  spec.argv = {program.string(), request.string()};
  spec.folder = folder;
  spec.environment = base_environment();
  if (device.sandbox.on()) {
    std::erase_if(spec.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
    spec.confinement = Confinement{.sandbox = device.sandbox,
                                   .view = {.readable = {program, device.library_folder},
                                            .writable = {folder},
                                            .gpu = device.kind == DeviceKind::cuda}};
    std::vector<std::filesystem::path>& seen = spec.confinement->view.readable;
    if (is_python_program(program)) {
      for (std::filesystem::path& path : needs_of_python_program(program)) {
        seen.push_back(std::move(path));
      }
    }
    seen.insert(seen.end(), readable.begin(), readable.end());
  }
  if (device.kind == DeviceKind::emulator) {
    pass_on_sanitizer(spec);
    return spec;
  }
  spec.environment.emplace_back("LD_LIBRARY_PATH", device.library_folder.string());
  if (!device.uuid.empty()) {
    spec.environment.emplace_back("CUDA_VISIBLE_DEVICES", device.uuid);  // the one that is locked
  }
  return spec;
}

/// The limits that differ between kinds of workers.
ProcessLimits limits(std::chrono::seconds wall, std::chrono::seconds cpu, std::uint64_t memory,
                     std::size_t processes, std::uint64_t folder) {
  return {.wall = wall,
          .cpu = cpu,
          .resident_bytes = memory,
          .processes = processes,
          .folder_bytes = folder,
          .file_bytes = kFileLimit,
          .output_bytes = kOutputLimit};
}

/// Taken before the process starts, so that its time limit runs only while it has the GPU.
std::optional<FileLock> lock_gpu_of(const Device& device) {
  if (device.kind != DeviceKind::cuda || device.uuid.empty()) return std::nullopt;
  return lock_gpu(device.uuid);
}

ProcessResult run_and_count(const ProcessSpec& spec) {
  ProcessResult result = run_process(spec);
  count_processor_time(Work::worker, result.cpu_seconds);
  return result;
}

}  // namespace

namespace {

/// The emulator's report, and how the processes ended.
struct Emulated {
  ProcessResult process;  // the worker's
  std::string fault;  // of the device process: empty, or a sentence
};

/// Runs a worker with its device process.
Emulated run_emulated(ProcessSpec spec, const std::filesystem::path& program, const Device& device,
                      const std::filesystem::path& device_folder, const OtherInputs& other = {}) {
  DeviceProcess emulator(device, program, device_folder, spec.limits, other);
  emulator.connect(spec);
  Emulated run{.process = run_and_count(spec), .fault = {}};
  const ProcessResult& ended = emulator.finish();
  count_processor_time(Work::worker, ended.cpu_seconds);
  switch (ended.end) {
    case ProcessEnd::exited:
      if (ended.code != 0) {
        run.fault = fmt::format("The emulator's device process exited with code {}: {}", ended.code,
                                printable(ended.err.substr(0, 300)));
      }
      break;
    case ProcessEnd::out_of_memory:
    case ProcessEnd::out_of_time:
    case ProcessEnd::starved:
      // Kernels exceeded the limit, which counts as if the worker had.
      run.process.end = ended.end;
      break;
    case ProcessEnd::signalled:
      if (ended.code == SIGXCPU) {
        run.process.end = ended.end;
        run.process.code = ended.code;
        break;
      }
      [[fallthrough]];
    default:
      run.fault =
          fmt::format("The emulator's device process {}.", describe_end(ended, spec.limits));
  }
  return run;
}

/// The folder for the device's files: beside the worker's, which the worker may write to.
std::filesystem::path device_folder_of(const std::filesystem::path& folder) {
  return folder.string() + ".device";
}

/// A copy of a program in Python for one run, beside the folder that it may write to.
std::filesystem::path python_folder_of(const std::filesystem::path& folder) {
  return folder.string() + ".program";
}

/// Reads what the device process has left of a run.
void read_device_files(const std::filesystem::path& folder,
                       const std::filesystem::path& source_folder, bool instructions,
                       WorkerRun& run) {
  run.report = read_emulator_report(DeviceProcess::report_in(folder), source_folder, instructions);
  if (run.report) add_line_times(*run.report);
  if (run.process.end == ProcessEnd::out_of_time) {
    run.progress = read_progress_note(DeviceProcess::progress_in(folder));
  }
}

/// A whole program in place of a worker: its command line, its folder, its standard input.
void become_program(const ProgramCommand& command, ProcessSpec& spec) {
  spec.argv.resize(1);
  spec.argv.insert(spec.argv.end(), command.arguments.begin(), command.arguments.end());
  spec.folder = command.folder;
  spec.input = command.input;
  if (spec.confinement) spec.confinement->view.writable = {command.folder};
  spec.limits.output_bytes = std::max(spec.limits.output_bytes, command.output_bytes);
}

/// What a program cannot record of itself.
void record_end(const PreparedCase& prepared, const std::optional<ProgramCommand>& command,
                ProcessResult& process) {
  if (!command) return;
  if (process.end == ProcessEnd::exited) {
    record_program(
        prepared,
        {.code = process.code,
         .output = process.out,
         .output_cut = process.out_cut,
         .input_read = command->input.empty() ? std::nullopt : std::optional(process.input_read)});
  }
  process.out.resize(std::min(process.out.size(), kOutputLimit));  // for the report
}

WorkerRun run(const std::filesystem::path& built, const PreparedCase& prepared,
              const Device& device, const std::filesystem::path& built_from,
              const std::vector<std::string>& launcher, std::chrono::seconds wall,
              OtherInputs other) {
  const bool is_python = is_python_program(built);
  const std::filesystem::path program =
      is_python ? copy_python_program(built, python_folder_of(prepared.folder)) : built;
  const std::filesystem::path source_folder =
      is_python ? program.parent_path() / built_from.filename() : built_from;
  ProcessSpec spec = worker_process(program, prepared.request, prepared.folder, {}, device);
  spec.limits = limits(wall, wall + kCpuMargin, kMemoryLimit, kProcessLimit, kFolderLimit);
  WorkerRun run{.process = {},
                .limits = spec.limits,
                .report = std::nullopt,
                .progress = std::nullopt,
                .device_fault = {}};
  for (const auto& [theirs, ours] : prepared.descriptors) {
    spec.descriptors.push_back({.ours = ours, .theirs = theirs});
  }
  const std::optional<ProgramCommand> command = program_command(prepared);
  if (command) {
    become_program(*command, spec);
  }
  // A program opens its files itself. In Python the lock is another one (harness/python/entry.cpp).
  const bool locked = locks_workers(device) && launcher.empty() && !command;
  spec.argv.insert(spec.argv.begin(), launcher.begin(), launcher.end());
  if (device.kind == DeviceKind::cuda) {
    const std::optional<FileLock> gpu = lock_gpu_of(device);
    run.process = run_and_count(spec);
    record_end(prepared, command, run.process);
    return run;
  }
  // The submission's code may not open files; the files that it needs are open
  // (harness/worker/lockdown.h).
  if (locked || is_python) {
    spec.argv.emplace_back(locked ? "locked" : "open");
  }
  const std::filesystem::path folder = device_folder_of(prepared.folder);
  other.source_folder = source_folder;
  Emulated emulated = run_emulated(std::move(spec), program, device, folder, other);
  run.process = std::move(emulated.process);
  record_end(prepared, command, run.process);
  run.device_fault = std::move(emulated.fault);
  if (!command) {
    run.delivery = take_delivery(prepared, DeviceProcess::outputs_in(folder));
  }
  read_device_files(folder, source_folder, /*instructions=*/false, run);
  return run;
}

}  // namespace

WorkerRun run_worker(const std::filesystem::path& program, const PreparedCase& prepared,
                     const Device& device, const std::filesystem::path& source_folder,
                     const std::vector<std::string>& launcher, std::chrono::seconds wall) {
  return run(program, prepared, device, source_folder, launcher, wall, {});
}

WorkerRun run_program_of_no_lab(const std::filesystem::path& program, const ProgramCommand& command,
                                const Device& device, const std::filesystem::path& source_folder,
                                bool records) {
  ProcessSpec spec = worker_process(program, {}, command.folder, {}, device);
  spec.limits =
      limits(kWallLimit, kWallLimit + kCpuMargin, kMemoryLimit, kProcessLimit, kFolderLimit);
  become_program(command, spec);
  WorkerRun run{.process = {},
                .limits = spec.limits,
                .report = std::nullopt,
                .progress = std::nullopt,
                .device_fault = {}};
  const std::filesystem::path folder = device_folder_of(command.folder);
  Emulated emulated =
      run_emulated(std::move(spec), program, device, folder,
                   {.records = records ? std::optional<std::string>("") : std::nullopt,
                    .of_no_lab = true,
                    .source_folder = source_folder});
  run.process = std::move(emulated.process);
  run.device_fault = std::move(emulated.fault);
  read_device_files(folder, source_folder, /*instructions=*/true, run);
  return run;
}

std::string recording_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = DeviceProcess::recording_in(device_folder_of(folder));
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > warpsim::recording::kMostBytes) return {};
  return read_file(file);
}

WorkerRun run_with_decoy(const std::filesystem::path& program, const PreparedCase& prepared,
                         const CaseData& for_device, const Device& device,
                         const std::filesystem::path& source_folder) {
  return run(
      program, prepared, device, source_folder, {}, kWallLimit,
      {.use = OtherInputs::Use::for_kernels, .arrays = decoy_arrays(*prepared.data, for_device)});
}

ReplayedRun run_with_replay(const std::filesystem::path& program, const PreparedCase& prepared,
                            const CaseData& other, const Device& device,
                            const std::filesystem::path& source_folder, std::chrono::seconds wall) {
  ReplayedRun both = {.run = run(program, prepared, device, source_folder, {}, wall,
                                 {.use = OtherInputs::Use::for_replay,
                                  .arrays = decoy_arrays(*prepared.data, other)}),
                      .replay = std::nullopt};
  if (device.kind == DeviceKind::emulator) {
    const std::filesystem::path folder = device_folder_of(prepared.folder);
    both.replay = read_replay(DeviceProcess::replay_in(folder), prepared, other);
  }
  return both;
}

EditedRun run_with_edits(const std::filesystem::path& program, const PreparedCase& prepared,
                         const std::string& edits, const Device& device,
                         const std::filesystem::path& source_folder, std::chrono::seconds wall) {
  EditedRun both = {.run = run(program, prepared, device, source_folder, {}, wall,
                               {.arrays = {}, .edits = edits}),
                    .tried = std::nullopt};
  const std::filesystem::path folder = device_folder_of(prepared.folder);
  both.tried = read_tried_edits(DeviceProcess::edit_results_in(folder), prepared);
  return both;
}

std::string run_recorded(const std::filesystem::path& program, const PreparedCase& prepared,
                         const Device& device, const std::filesystem::path& source_folder,
                         const std::string& what) {
  (void)run(program, prepared, device, source_folder, {}, kWallLimit,
            {.arrays = {}, .records = what});
  return recording_of(prepared.folder);
}

ProcessResult run_timed_worker(const std::filesystem::path& program, const PreparedTiming& prepared,
                               const std::filesystem::path& inputs, const Device& device) {
  ProcessSpec spec = worker_process(program, prepared.request, prepared.folder, {inputs}, device);
  spec.limits =
      limits(kTimedWallLimit, kTimedWallLimit, kTimedMemoryLimit, kProcessLimit, kTimedFolderLimit);
  if (device.kind == DeviceKind::cuda) {
    return run_and_count(spec);
  }
  Emulated run = run_emulated(std::move(spec), program, device, device_folder_of(prepared.folder));
  if (!run.fault.empty()) {
    throw EnvironmentError(run.fault);
  }
  return std::move(run.process);
}

ProcessResult run_watched_worker(const std::filesystem::path& program,
                                 const std::filesystem::path& request,
                                 const std::filesystem::path& folder,
                                 const std::filesystem::path& inputs, const Device& device,
                                 const Watcher& watcher) {
  std::vector<std::filesystem::path> readable = watcher.readable;
  if (!inputs.empty()) {
    readable.push_back(inputs);
  }
  ProcessSpec spec = worker_process(program, request, folder, readable, device);
  spec.argv.insert(spec.argv.begin(), watcher.words.begin(), watcher.words.end());
  // A lock file that another user left in /tmp stops ncu; in a sandbox /tmp is its own.
  std::erase_if(spec.environment,
                [](const auto& entry) { return entry.first == "TMPDIR" || entry.first == "HOME"; });
  spec.environment.emplace_back("HOME", folder.string());
  spec.environment.emplace_back("TMPDIR", device.sandbox.on() ? "/tmp" : folder.string());
  spec.limits = limits(kWatchedWallLimit, 2 * kWatchedWallLimit, kTimedMemoryLimit,
                       kWatchedProcessLimit, kTimedFolderLimit);
  if (device.kind == DeviceKind::emulator) {  // a fake tool, in a test
    return run_emulated(std::move(spec), program, device, device_folder_of(folder)).process;
  }
  const std::optional<FileLock> gpu = lock_gpu_of(device);
  return run_and_count(spec);
}

}  // namespace warpgrade
