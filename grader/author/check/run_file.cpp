#include "grader/author/check/run_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "grader/author/check/stage.h"
#include "grader/build/compile/build.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "grader/run/worker/worker.h"
#include "harness/case/case.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr int kMostTimeOuts = 2;

/// The requested cases, in the lab's order.
std::vector<Case> chosen_cases(const Lab& lab, const std::vector<std::string>& names) {
  if (names.empty()) {
    return lab.cases;
  }
  std::vector<Case> chosen;
  for (const std::string& name : names) {
    const Case* spec = lab.find_case(name == "performance" ? lab.performance_case : name);
    if (spec == nullptr) {
      std::vector<std::string> known;
      for (const Case& each : lab.cases) {
        known.push_back('"' + each.name + '"');
      }
      throw UsageError(fmt::format("lab {} has no case '{}'; its cases are {}", lab.id,
                                   printable(name), join_and(known)));
    }
    chosen.push_back(*spec);
  }
  return chosen;
}

/// Builds, unless the folder has the program of identical sources from an earlier run.
BuildResult build_or_find(LabSession& session, const fs::path& file, const fs::path& folder) {
  if (is_in_python(session.lab())) {
    return session.build({{.name = file.filename().string(), .text = read_file(file)}},
                         folder / "build");
  }
  const fs::path program = folder / "program";
  const fs::path text = folder / "program.cu";
  const std::string source = read_file(file);
  // One compiler's program is never taken for the other's.
  const std::string made_by = session.toolchain().compiler.name();
  const fs::path maker = folder / "program.compiler";
  BuildResult build;
  if (fs::exists(program) && fs::exists(text) && read_file(text) == source && fs::exists(maker) &&
      read_file(maker) == made_by) {
    build.end = BuildEnd::built;
    build.source_folder = read_file(folder / "program.sources");
  } else {
    build = session.build({{.name = file.filename().string(), .text = source}}, folder / "build");
    if (!build.ok()) {
      return build;
    }
    fs::copy_file(build.program, program, fs::copy_options::overwrite_existing);
    fs::remove_all(folder / "build");
    write_file_atomically(folder / "program.sources", build.source_folder.string());
    write_file_atomically(maker, made_by);
    write_file_atomically(text, source);
  }
  build.program = program;
  return build;
}

json findings_of(const EmulatorReport& report) {
  json findings = json::array();
  for (const ReportedFinding& finding : report.findings) {
    findings.push_back({{"kind", finding.kind},
                        {"severity", finding.severity},
                        {"kernel", finding.kernel},
                        {"file", finding.file},
                        {"line", finding.line},
                        {"message", finding.message},
                        {"count", finding.count}});
  }
  return findings;
}

json kernels_of(const EmulatorReport& report) {
  json kernels = json::array();
  for (const KernelReport& kernel : report.kernels) {
    kernels.push_back(
        {{"name", kernel.name}, {"launches", kernel.launches}, {"counters", kernel.counters}});
  }
  return kernels;
}

/// The case's status; if the process did not complete, how it ended.
std::string status_of(const WorkerRun& run, const CaseResult& result) {
  if (run.process.end == ProcessEnd::out_of_time || run.never_ends() != nullptr) {
    return "never_ends";
  }
  return std::string(slug(result.status));
}

/// Whether it ran until it was stopped. A deadlock does not count, because the emulator detects it
/// at once.
bool used_up(const WorkerRun& run) {
  return run.process.end == ProcessEnd::out_of_time ||
         (run.report && run.report->find(warpsim::FindingKind::instruction_budget) != nullptr);
}

json describe(const Case& spec, const WorkerRun& run, const CaseResult& result) {
  std::uint64_t elements = 0;
  std::uint64_t wrong = 0;
  for (const OutputResult& output : result.outputs) {
    elements += output.comparison.count;
    wrong += output.comparison.mismatches;
  }
  json row = {{"name", spec.name},
              {"status", status_of(run, result)},
              {"message", result.message},
              {"process", describe_end(run.process, run.limits)},
              {"elements", elements},
              {"wrong_elements", wrong},
              {"seconds", run.process.seconds}};
  if (run.report) {
    row["card"] = run.report->device;
    row["findings"] = findings_of(*run.report);
    row["kernels"] = kernels_of(*run.report);
  }
  return row;
}

bool is_clean(const WorkerRun& run) {
  return !run.report || std::none_of(run.report->findings.begin(), run.report->findings.end(),
                                     [](const ReportedFinding& f) { return f.is_error(); });
}

}  // namespace

ExitCode run_file(const RunFileRequest& request) {
  if (!fs::exists(request.file)) {
    throw UsageError(fmt::format("there is no file '{}'", printable(request.file.string())));
  }
  const Installation installation = find_installation();
  Lab lab = load_code_lab(installation, request.lab);
  if (std::optional<Lab> variant = lab_of_stage(lab, request.file)) {
    lab = std::move(*variant);
  }
  const std::vector<Case> cases = chosen_cases(lab, request.cases);
  const auto session = open_session(installation, std::move(lab),
                                    {.compiler = request.compiler, .device = request.device});
  // Correctness does not depend on other users of the GPU, so its lock is not taken.
  Device device = session->device();
  device.uuid.clear();
  if (!request.card.empty()) device.card = request.card;

  const ScratchFolder scratch;
  const fs::path folder =
      request.build.empty() ? scratch.path() / "program" : fs::absolute(request.build);
  fs::create_directories(folder);
  const BuildResult build = build_or_find(*session, request.file, folder);
  // 2: statuses are spelled as in grade.json.
  json report = {{"schema", 2},
                 {"lab", request.lab},
                 {"file", request.file.filename().string()},
                 {"device", device.kind == DeviceKind::cuda ? device.name : "emulator"},
                 {"build", build.ok() ? "" : build.message},
                 {"cases", json::array()}};
  bool good = build.ok();
  if (!build.ok()) {
    fmt::print("{} does not build: {}\n", request.file.filename().string(), build.message);
  }
  int time_outs = 0;
  for (const Case& spec : build.ok() ? cases : std::vector<Case>{}) {
    if (time_outs == kMostTimeOuts) {
      break;
    }
    const PreparedCase prepared =
        prepare_case(session->data(spec, Secret{}), scratch.path() / "case");
    const WorkerRun run = run_worker(build.program, prepared, device, build.source_folder,
                                     request.launcher, request.limit);
    const CaseResult result = judge_case(prepared);
    fs::remove_all(prepared.folder);
    report["cases"].push_back(describe(spec, run, result));
    time_outs += used_up(run) ? 1 : 0;
    good = good && result.status == CaseStatus::passed && is_clean(run);
    fmt::print("{:<15} \"{}\" {}\n", status_of(run, result), spec.name, result.message);
    if (!request.launcher.empty()) {
      fmt::print("{}{}", run.process.out, run.process.err);
    }
  }
  if (!request.json.empty()) {
    write_file_atomically(request.json,
                          report.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  }
  return good ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
