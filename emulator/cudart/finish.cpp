#include "emulator/cudart/finish.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/call_replay.h"
#include "emulator/cudart/edit_trials.h"
#include "emulator/cudart/error_table.h"
#include "emulator/cudart/virtual_memory.h"
#include "emulator/recording/page.h"
#include "emulator/recording/recorder.h"
#include "emulator/report/calls.h"
#include "emulator/report/report.h"
#include "emulator/report/size_limit.h"
#include "emulator/report/trace.h"

namespace warpsim::cudart {
namespace {

/// Appended to the name of a forked child's report.
std::string report_suffix;

Report report_of(const Runtime& runtime, std::span<const Finding> findings) {
  return {
      .card = &runtime.card,
      .checks = runtime.machine.options().checks,
      .kernels = runtime.machine.counters(),
      .findings = findings,
      .dropped_launches = runtime.dropped_launches,
      .call = runtime.data_flow.report() ? &*runtime.data_flow.report() : nullptr,
      .changes = runtime.settings.machine.changes.get(),
      .timeline = &runtime.time.timeline(),
      .transfers = &runtime.time.transfers(),
      .call_transfers = runtime.time.call_transfers() ? &*runtime.time.call_transfers() : nullptr};
}

/// Prints why it cannot be written.
void write_file(const std::string& path, const std::string& text) {
  const std::string failure = write_atomically(path + report_suffix, text);
  if (!failure.empty()) std::fprintf(stderr, "warpsim: %s\n", failure.c_str());
}

void write_trace(const Settings& settings, const Timeline& timeline) {
  if (settings.trace_path.empty()) return;
  write_file(settings.trace_path, to_trace(timeline).dump() + "\n");
}

void write_recording(const Runtime& runtime) {
  if (runtime.recorder == nullptr) return;
  recording::Recorder& recorder = *runtime.recorder;
  const recording::Recording recorded = recorder.recording(
      runtime.card.name, to_calls(runtime.time.timeline(), [&](const std::string& file) {
        return recorder.host_file_number(file);
      }));
  const std::string& path = runtime.settings.record_path;
  const SizeLimitIsError limit;
  write_file(path,
             path.ends_with(".html") ? recording::to_page(recorded) : recording::encode(recorded));
}

void write_json(const Settings& settings, const Report& report) {
  if (settings.json_path.empty()) return;
  const SizeLimitIsError limit;
  const std::string failure =
      write_atomically(settings.json_path + report_suffix, to_json(report).dump(1) + "\n");
  // The report is written after each kernel with findings: one message is enough.
  static bool complained = false;
  if (failure.empty() || std::exchange(complained, true)) return;
  std::fprintf(stderr, "warpsim: %s\n", failure.c_str());
}

/// The report for whoever started the program, on stderr or in a file.
void print(const Settings& settings, const Report& report) {
  const std::string text = render(report, settings.format);
  if (!settings.output_path.empty()) {
    write_file(settings.output_path, text);
  } else if (!settings.quiet) {
    std::fputs(text.c_str(), stderr);
  }
}

void find_unchecked_error(Runtime& runtime, int status) {
  const auto& unchecked = runtime.errors.unchecked();
  if (!unchecked) return;
  // A program that exits with a failure after a failed call has seen the call's result.
  if (!unchecked->by_launch && !unchecked->certain && status != 0) return;
  runtime.report(unchecked_error(resolve(unchecked->api, unchecked->frames),
                                 error_name(unchecked->error), unchecked->by_launch));
}

/// Libraries of the toolkit that contain machine code only and call the driver: their calls fail
/// here, with their own errors. NVRTC is a compiler, and needs neither a driver nor a card.
void find_driver_libraries(Runtime& runtime) {
  std::set<std::string> found;
  for (const std::string& file : HostProgram::get().libraries()) {
    const std::string library = file.substr(0, file.find(".so"));
    for (const std::string_view needs_driver :
         {"libcublas", "libcublasLt", "libcurand", "libcufft", "libcusparse", "libcusolver",
          "libcudnn", "libnppc"}) {
      if (library == needs_driver) found.insert(library);
    }
  }
  // cuBLAS consists of two libraries; one message is enough.
  if (!found.empty()) runtime.report(driver_library(*found.begin()));
}

/// In Python objects own memory: what they hold to the end is not a mistake, and the interpreter
/// does not collect it.
bool is_python() {
  const std::set<std::string> libraries = HostProgram::get().libraries();
  return std::ranges::any_of(libraries, [](const std::string& file) {
    return file.starts_with("libpython") || file.find(".cpython-") != file.npos;
  });
}

/// Writes the report of a program that did not use the device.
void finish_without_runtime(const Settings& settings) {
  if (!report_suffix.empty()) return;
  const Report report = {
      .card = settings.card, .checks = settings.machine.checks, .kernels = {}, .findings = {}};
  write_json(settings, report);
  write_trace(settings, Timeline(*settings.card, false, settings.devices));
  print(settings, report);
}

}  // namespace

void name_report_of_child() {
  report_suffix = fmt::format(".{}", ::getpid());
}

std::optional<int> finish(const std::optional<int>& status) {
  const Settings& settings = process_settings();
  const SizeLimitIsError limit;
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) {
    finish_without_runtime(settings);
    return std::nullopt;
  }
  // Another thread may hang in a call; the report must be written nevertheless.
  std::unique_lock lock(runtime->mutex, std::defer_lock);
  (void)lock.try_lock_for(std::chrono::seconds(2));
  if (status) {
    runtime->machine.finish();
    find_leaks(*runtime);
    find_driver_libraries(*runtime);
    find_unchecked_error(*runtime, *status);
  }
  const std::vector<Finding> findings = runtime->findings.sorted();
  const Report report = report_of(*runtime, findings);
  write_json(settings, report);
  write_trace(settings, runtime->time.timeline());
  write_recording(*runtime);
  if (!settings.quiet) {
    if (settings.counters || settings.lines) {
      const TableStyle style = {
          .lines = settings.lines, .colour = wants_colour(STDERR_FILENO), .checks = report.checks};
      std::fputs(render_counters(report.kernels, style).c_str(), stderr);
    }
    std::fputs(render_changes(report.changes).c_str(), stderr);
  }
  print(settings, report);
  const bool has_errors = runtime->findings.has_errors();
  // Last, so that nothing of it is in the report.
  if (status && runtime->record != nullptr &&
      runtime->announced.state() == AnnouncedCall::State::over) {
    if (runtime->other_inputs != nullptr) {
      replay(*runtime, *runtime->record, *runtime->other_inputs, settings.replay_path + ".outputs");
    } else {
      try_edits(*runtime, *runtime->record, settings.replay_path);
    }
    runtime->record = nullptr;
  }
  return has_errors ? settings.error_exitcode : std::nullopt;
}

void find_leaks(Runtime& runtime, std::optional<int> device) {
  if (!runtime.settings.machine.checks.leaks) return;
  // Arrays own their memory, and the interpreter frees it when it ends, or not at all. After the
  // call of a harness, which has let go of all that nothing refers to, what is left is kept.
  if (is_python() && runtime.announced.state() != AnnouncedCall::State::over) return;
  // After a fault nothing can be freed.
  if (runtime.errors.faulted()) return;
  for (const GlobalMemory::Allocation* allocation : runtime.memory.leaks()) {
    if (device && allocation->device != *device) continue;
    runtime.report(leak(*allocation, runtime.allocations.origin(*allocation)));
  }
  // It does not belong to a device: a reset keeps it.
  if (!device) find_virtual_memory_leaks(runtime);
  for (Finding& finding : runtime.call_memory.freed_since(runtime.memory)) {
    runtime.report(std::move(finding));
  }
}

void write_report(Runtime& runtime) {
  if (runtime.settings.json_path.empty() || !runtime.findings.has_errors()) return;
  const std::vector<Finding> findings = runtime.findings.sorted();
  write_json(runtime.settings, report_of(runtime, findings));
}

void report_unsupported(Runtime& runtime, const CallSite& site, std::string_view result) {
  static auto& said = *new std::set<std::string>;  // calls may come after static destructors
  if (!said.insert(site.api).second) return;
  runtime.report(unsupported_api(site, result));
  if (runtime.settings.quiet) return;
  std::fprintf(stderr, "warpsim: %s is not supported by the emulator yet\n", site.api.c_str());
}

}  // namespace warpsim::cudart
