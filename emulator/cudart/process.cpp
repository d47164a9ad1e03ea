#include "emulator/cudart/process.h"

#include <fmt/format.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/error_table.h"
#include "emulator/cudart/signals.h"
#include "emulator/report/report.h"
#include "emulator/report/size_limit.h"

namespace warpsim::cudart {
namespace {

pid_t watched_process = 0;
/// In a forked child: the parent had used the device, so that the child cannot.
bool forked_from_user = false;
/// In a forked child that may use the device: its report has a name of its own.
bool is_child = false;

Report report_of(const Runtime& runtime, std::span<const Finding> findings) {
  return {.card = &runtime.card,
          .checks = runtime.machine.options().checks,
          .kernels = runtime.machine.counters(),
          .findings = findings};
}

void write_json(const Settings& settings, const Report& report) {
  if (settings.json_path.empty()) return;
  const SizeLimitIsError limit;
  const std::string path =
      is_child ? fmt::format("{}.{}", settings.json_path, ::getpid()) : settings.json_path;
  const std::string failure = write_atomically(path, to_json(report).dump(1) + "\n");
  // The report is written after each bad kernel: one complaint is enough.
  static bool complained = false;
  if (failure.empty() || std::exchange(complained, true)) return;
  std::fprintf(stderr, "warpsim: %s\n", failure.c_str());
}

void find_unchecked_error(Runtime& runtime, int status) {
  const auto& unchecked = runtime.errors.unchecked();
  if (!unchecked) return;
  // A program that ends with a failure after a call failed has seen the call's result.
  if (!unchecked->by_launch && !unchecked->certain && status != 0) return;
  runtime.report(unchecked_error(resolve(unchecked->api, unchecked->frames),
                                 error_name(unchecked->error), unchecked->by_launch));
}

/// Libraries of the toolkit that bring machine code for cards only, and speak to the driver: their
/// calls fail here, with errors of their own.
void find_driver_libraries(Runtime& runtime) {
  std::set<std::string> found;
  const auto look_at = [](dl_phdr_info* info, std::size_t, void* names) {
    const std::string file = std::filesystem::path(info->dlpi_name).filename();
    const std::string library = file.substr(0, file.find(".so"));
    for (const std::string_view needs_driver :
         {"libcublas", "libcublasLt", "libcurand", "libcufft", "libcusparse", "libcusolver",
          "libcudnn", "libnvrtc", "libnppc"}) {
      if (library == needs_driver) static_cast<std::set<std::string>*>(names)->insert(library);
    }
    return 0;
  };
  ::dl_iterate_phdr(look_at, &found);
  // cuBLAS is of two libraries, which is one thing to say.
  if (!found.empty()) runtime.report(driver_library(*found.begin()));
}

/// Everything that the report says, when the program used no device at all.
void finish_without_runtime(const Settings& settings) {
  if (is_child) return;
  write_json(
      settings,
      {.card = settings.card, .checks = settings.machine.checks, .kernels = {}, .findings = {}});
  if (!settings.quiet) std::fputs(render_findings({}).c_str(), stderr);
}

/// @returns the exit code to end with instead of the program's own, or nothing
std::optional<int> finish(const Settings& settings, const std::optional<int>& status) {
  const SizeLimitIsError limit;
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) {
    finish_without_runtime(settings);
    return std::nullopt;
  }
  // Another thread may hang inside a call; the report matters more than its last word.
  std::unique_lock lock(runtime->mutex, std::defer_lock);
  (void)lock.try_lock_for(std::chrono::seconds(2));
  if (status) {
    find_leaks(*runtime);
    find_driver_libraries(*runtime);
    find_unchecked_error(*runtime, *status);
  }
  const std::vector<Finding> findings = runtime->findings.sorted();
  const Report report = report_of(*runtime, findings);
  write_json(settings, report);
  if (!settings.quiet) {
    if (settings.counters || settings.lines) {
      const TableStyle style = {
          .lines = settings.lines, .colour = wants_colour(STDERR_FILENO), .checks = report.checks};
      std::fputs(render_counters(report.kernels, style).c_str(), stderr);
    }
    std::fputs(render_findings(findings).c_str(), stderr);
  }
  return runtime->findings.has_errors() ? settings.error_exitcode : std::nullopt;
}

void at_exit(int status, void*) {
  // Not in a child of a process that used the device: what is known here is the parent's.
  if (::getpid() != watched_process) return;
  const auto code = finish(process_settings(), status);
  if (!code) return;
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(*code);
}

/// quick_exit runs no destructors, so nothing can be said about leaks.
void at_quick_exit() {
  if (::getpid() != watched_process) return;
  const auto code = finish(process_settings(), std::nullopt);
  if (!code) return;
  std::fflush(nullptr);
  ::_exit(*code);
}

/// A child that inherits a device in use must not touch it, as on a card; another thread may have
/// held the lock. A child of a process that had not used it yet is a program of its own.
void in_forked_child() {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) {
    watched_process = ::getpid();
    is_child = true;
    return;
  }
  forked_from_user = true;
  new (&runtime->mutex) std::recursive_timed_mutex;
  runtime->watch.after_fork();
}

void at_fatal_signal() {
  if (::getpid() != watched_process) return;
  (void)finish(process_settings(), std::nullopt);
}

/// Runs before every constructor of the program, so that the exit handler, as handlers run in
/// reverse order, comes after all of its destructors: what those free is no leak.
[[gnu::constructor]] void watch_process() {
  (void)process_settings();
  watched_process = ::getpid();
  ::on_exit(at_exit, nullptr);
  ::at_quick_exit(at_quick_exit);
  ::pthread_atfork(nullptr, nullptr, in_forked_child);
  watch_signals(at_fatal_signal);
}

}  // namespace

bool is_forked_from_user() {
  return forked_from_user;
}

void find_leaks(Runtime& runtime) {
  if (!runtime.settings.machine.checks.leaks) return;
  // After a fault nothing can be freed any more.
  if (runtime.errors.faulted()) return;
  for (const GlobalMemory::Allocation* allocation : runtime.memory.leaks()) {
    runtime.report(leak(*allocation, runtime.allocations.origin(*allocation)));
  }
}

void write_report(Runtime& runtime) {
  if (runtime.settings.json_path.empty() || !runtime.findings.has_errors()) return;
  const std::vector<Finding> findings = runtime.findings.sorted();
  write_json(runtime.settings, report_of(runtime, findings));
}

void report_unsupported(Runtime& runtime, const CallSite& site) {
  static auto& said = *new std::set<std::string>;  // calls may come after static destructors
  if (!said.insert(site.api).second) return;
  runtime.report(unsupported_api(site));
  if (runtime.settings.quiet) return;
  std::fprintf(stderr, "warpsim: %s is not supported by the emulator yet\n", site.api.c_str());
}

}  // namespace warpsim::cudart
