#include "emulator/cudart/process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/error_table.h"
#include "emulator/cudart/signals.h"
#include "emulator/report/report.h"

namespace warpsim::cudart {
namespace {

pid_t watched_process = 0;

Report report_of(const Runtime& runtime, std::span<const Finding> findings) {
  return {.card = &runtime.card, .kernels = runtime.machine.counters(), .findings = findings};
}

void write_json(const Settings& settings, const Report& report) {
  if (settings.json_path.empty()) return;
  const std::string failure = write_atomically(settings.json_path, to_json(report).dump(1) + "\n");
  if (!failure.empty()) std::fprintf(stderr, "warpsim: %s\n", failure.c_str());
}

void find_unchecked_error(Runtime& runtime, int status) {
  const auto& unchecked = runtime.errors.unchecked();
  if (!unchecked) return;
  // A program that ends with a failure after a call failed has seen the call's result.
  if (!unchecked->by_launch && status != 0) return;
  runtime.report(unchecked_error(resolve(unchecked->api, unchecked->frames),
                                 error_name(unchecked->error), unchecked->by_launch));
}

/// Everything that the report says, when the program used no device at all.
void finish_without_runtime(const Settings& settings) {
  write_json(settings, {.card = settings.card, .kernels = {}, .findings = {}});
  if (!settings.quiet) std::fputs(render_findings({}).c_str(), stderr);
}

/// @returns the exit code to end with instead of the program's own, or nothing
std::optional<int> finish(const Settings& settings, const std::optional<int>& status) {
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
    find_unchecked_error(*runtime, *status);
  }
  const std::vector<Finding> findings = runtime->findings.sorted();
  const Report report = report_of(*runtime, findings);
  write_json(settings, report);
  if (!settings.quiet) {
    if (settings.counters || settings.lines) {
      const TableStyle style = {.lines = settings.lines, .colour = wants_colour(STDERR_FILENO)};
      std::fputs(render_counters(report.kernels, style).c_str(), stderr);
    }
    std::fputs(render_findings(findings).c_str(), stderr);
  }
  return runtime->findings.has_errors() ? settings.error_exitcode : std::nullopt;
}

void at_exit(int status, void*) {
  // A forked child that ends by exit() has nothing to say: its work is the parent's copy.
  if (::getpid() != watched_process) return;
  const auto code = finish(process_settings(), status);
  if (!code) return;
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(*code);
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
  watch_signals(at_fatal_signal);
}

}  // namespace

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
