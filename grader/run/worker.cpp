#include "grader/run/worker.h"

#include <cstdlib>
#include <string>

#include "grader/run/gpu_lock.h"
#include "grader/run/usage.h"

namespace warpgrade {
namespace {

constexpr const char* kProgress = "progress";  // in a worker's folder
constexpr std::chrono::seconds kCpuMargin{10};  // beyond the clock, ends what escapes it
constexpr std::uint64_t kMemoryLimit = std::uint64_t{4} << 30;
/// Of a worker of timed calls: many calls, at a size that fills a GPU, every output kept.
constexpr std::chrono::seconds kTimedWallLimit{120};
constexpr std::uint64_t kTimedMemoryLimit = std::uint64_t{12} << 30;
constexpr std::uint64_t kTimedFolderLimit = std::uint64_t{8} << 30;
constexpr std::uint64_t kFileLimit = std::uint64_t{1} << 30;
constexpr std::uint64_t kFolderLimit = std::uint64_t{2} << 30;
constexpr std::size_t kProcessLimit = 128;  // threads too, where the kernel counts
constexpr std::size_t kWatchedProcessLimit = 512;  // ncu and its libraries have threads
constexpr std::size_t kOutputLimit = 64 * 1024;

/// The emulator of a sanitized build must have the sanitizer loaded before it, as we have.
void pass_on_sanitizer([[maybe_unused]] ProcessSpec& spec) {
#ifdef __SANITIZE_ADDRESS__
  for (const char* name : {"LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) {
      spec.environment.emplace_back(name, value);
    }
  }
#endif
}

}  // namespace

const ReportedFinding* WorkerRun::never_ends() const {
  if (!report) return nullptr;
  const ReportedFinding* budget = report->find(warpsim::FindingKind::instruction_budget);
  return budget != nullptr ? budget : report->find(warpsim::FindingKind::deadlock);
}

namespace {

/// The worker's process, all but its limits.
///
/// @param folder    that it may write to
/// @param readable  more that it may read
ProcessSpec worker_process(const std::filesystem::path& program,
                           const std::filesystem::path& request,
                           const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& readable, const Device& device,
                           const std::filesystem::path& report) {
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
    seen.insert(seen.end(), readable.begin(), readable.end());
  }
  spec.environment.emplace_back("LD_LIBRARY_PATH", device.library_folder.string());
  if (device.kind == DeviceKind::emulator) {
    // Cases run side by side, so one thread each; results do not depend on it. The budget ends a
    // kernel that never does, with the same verdict on every machine and well before the clock; the
    // longest right answer, one thread for a million elements, takes a third of it.
    spec.environment.insert(spec.environment.end(),
                            {{"WARPSIM_THREADS", "1"},
                             {"WARPSIM_BUDGET", "33554432"},
                             {"WARPSIM_CHECK", "all"},
                             {"WARPSIM_QUIET", "1"},
                             {"WARPSIM_JSON", report.string()},
                             {"WARPSIM_PROGRESS", (folder / kProgress).string()}});
    if (device.idle) {
      spec.environment.emplace_back("WARPSIM_IDLE", "1");
    }
    if (!device.card.empty()) {
      spec.environment.emplace_back("WARPSIM_CARD", device.card);
    }
    if (device.schedule_seed != 0) {
      spec.environment.emplace_back("WARPSIM_SEED", std::to_string(device.schedule_seed));
    }
    pass_on_sanitizer(spec);
  } else if (!device.uuid.empty()) {
    spec.environment.emplace_back("CUDA_VISIBLE_DEVICES", device.uuid);  // the one that is locked
  }
  return spec;
}

/// Of limits, what differs from one kind of worker to another.
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

/// Taken before the process starts, so that its clock runs only while it has the GPU for itself.
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

WorkerRun run_worker(const std::filesystem::path& program, const PreparedCase& prepared,
                     const Device& device, const std::filesystem::path& source_folder,
                     const std::vector<std::string>& launcher, std::chrono::seconds wall) {
  const std::filesystem::path report = prepared.folder / "emulator.json";
  ProcessSpec spec = worker_process(program, prepared.request, prepared.folder, {}, device, report);
  spec.argv.insert(spec.argv.begin(), launcher.begin(), launcher.end());
  spec.limits = limits(wall, wall + kCpuMargin, kMemoryLimit, kProcessLimit, kFolderLimit);
  const std::optional<FileLock> gpu = lock_gpu_of(device);
  WorkerRun run{.process = run_and_count(spec),
                .limits = spec.limits,
                .report = std::nullopt,
                .progress = std::nullopt};
  if (device.kind == DeviceKind::emulator) {
    run.report = read_emulator_report(report, source_folder);
    if (run.process.end == ProcessEnd::out_of_time) {
      run.progress = read_progress_note(prepared.folder / kProgress);
    }
  }
  return run;
}

ProcessResult run_timed_worker(const std::filesystem::path& program, const PreparedTiming& prepared,
                               const std::filesystem::path& inputs, const Device& device) {
  ProcessSpec spec = worker_process(program, prepared.request, prepared.folder, {inputs}, device,
                                    prepared.folder / "emulator.json");
  spec.limits =
      limits(kTimedWallLimit, kTimedWallLimit, kTimedMemoryLimit, kProcessLimit, kTimedFolderLimit);
  return run_and_count(spec);
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
  ProcessSpec spec =
      worker_process(program, request, folder, readable, device, folder / "emulator.json");
  spec.argv.insert(spec.argv.begin(), watcher.words.begin(), watcher.words.end());
  // A lock file that another user left in /tmp stops ncu; in a sandbox /tmp is its own.
  std::erase_if(spec.environment,
                [](const auto& entry) { return entry.first == "TMPDIR" || entry.first == "HOME"; });
  spec.environment.emplace_back("HOME", folder.string());
  spec.environment.emplace_back("TMPDIR", device.sandbox.on() ? "/tmp" : folder.string());
  spec.limits = limits(kWatchedWallLimit, 2 * kWatchedWallLimit, kTimedMemoryLimit,
                       kWatchedProcessLimit, kTimedFolderLimit);
  const std::optional<FileLock> gpu = lock_gpu_of(device);
  return run_and_count(spec);
}

}  // namespace warpgrade
