#include "grader/record/counters/emulator_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/record/read.h"
#include "grader/core/text.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{32} << 20;

/// Texts lose the folder of the sources, and are cut off where that is much too long.
record::Reader<record::Document::run, record::Trust::hostile>::Text without(std::string prefix) {
  return [prefix = std::move(prefix)](std::string text, std::size_t longest) {
    text = replace_all(std::move(text), prefix, "");
    text.resize(std::min(text.size(), longest));
    return printable(text);  // also escapes a character cut in the middle
  };
}

/// The part of a kernel that reached an output: other counters, the rest as in `all`.
KernelReport reaching_of(const KernelReport& all, const warpsim::ReachingReport& part) {
  KernelReport kernel = all;
  kernel.lines.clear();
  kernel.launches = part.launches;
  kernel.grid = part.grid;
  kernel.block = part.block;
  for (const auto& [name, value] : part.counters) {
    if (const auto it = kernel.counters.find(name); it != kernel.counters.end()) it->second = value;
  }
  return kernel;
}

std::string lane_of(const warpsim::OperationReport& operation, bool several_devices) {
  if (operation.kind == warpsim::OperationKind::host_wait) return "host";
  const std::string prefix = several_devices ? fmt::format("device {} ", operation.device) : "";
  return operation.stream == 0 ? prefix + "default stream"
                               : fmt::format("{}stream {}", prefix, operation.stream);
}

std::string engine_lane(warpsim::EngineKind engine, int device, bool several_devices) {
  return several_devices ? fmt::format("engine {} {}", slug(engine), device)
                         : fmt::format("engine {}", slug(engine));
}

/// Every operation is shown in its stream and on its engine, a copy between devices on both
/// engines.
CallTimeline timeline_of(const warpsim::TimelineReport& report) {
  constexpr std::size_t kMostBars = 400;
  constexpr std::size_t kEnginesOfOne = 3;
  const auto time = [](double ms) { return std::min(ms, 1e12); };
  const warpsim::CallInterval call =
      report.call.value_or(warpsim::CallInterval{.begin_ms = 0, .end_ms = report.end_ms});
  const double begin = time(call.begin_ms);
  CallTimeline timeline;
  timeline.ms = std::max(time(call.end_ms) - begin, 0.0);
  timeline.overlap_ms = time(report.overlap_ms);
  const bool several = report.engines.size() > kEnginesOfOne;
  for (const warpsim::OperationReport& operation : report.operations) {
    if (timeline.bars.size() + 3 > kMostBars) break;
    TimelineBar bar{.lane = lane_of(operation, several),
                    .kind = std::string(slug(operation.kind)),
                    .name = operation.name,
                    .begin_ms = std::max(0.0, time(operation.begin_ms) - begin),
                    .end_ms = std::max(0.0, time(operation.end_ms) - begin)};
    timeline.bars.push_back(bar);
    if (operation.engine == warpsim::EngineKind::none) continue;
    bar.lane =
        engine_lane(operation.engine, operation.from_device.value_or(operation.device), several);
    timeline.bars.push_back(bar);
    if (!operation.to_device) continue;
    bar.lane = engine_lane(warpsim::EngineKind::copy_to_device, *operation.to_device, several);
    timeline.bars.push_back(std::move(bar));
  }
  return timeline;
}

/// @returns false if the emulator did not write them
bool take_kernels(std::vector<KernelReport> kernels, EmulatorReport& report) {
  const auto reaching = static_cast<std::size_t>(std::ranges::count_if(
      kernels, [](const KernelReport& kernel) { return kernel.reaching.has_value(); }));
  if (reaching != 0 && reaching != kernels.size()) return false;
  if (reaching != 0) report.reaching.emplace();
  for (KernelReport& kernel : kernels) {
    for (KernelLine& line : kernel.lines) {
      std::erase_if(line.counters, [](const auto& entry) { return entry.second == 0; });
    }
    if (!kernel.reaching) continue;
    const warpsim::ReachingReport part = std::move(*kernel.reaching);
    kernel.reaching.reset();
    report.reaching->push_back(reaching_of(kernel, part));
  }
  report.kernels = std::move(kernels);
  return true;
}

/// @returns false if the emulator did not write them
bool take_findings(std::vector<ReportedFinding> findings, EmulatorReport& report) {
  for (ReportedFinding& finding : findings) {
    if (warpsim::find_finding_kind(finding.kind) == nullptr) return false;
    if (finding.is_lack_of_emulator()) finding.severity = "note";
  }
  report.findings = std::move(findings);
  return true;
}

std::optional<EmulatorReport> report_of(warpsim::RunReport run) {
  EmulatorReport report;
  report.device = run.device.name;
  if (!take_kernels(std::move(run.kernels), report)) return std::nullopt;
  if (!take_findings(std::move(run.findings), report)) return std::nullopt;
  report.call = std::move(run.call);
  if (run.call_transfers) {
    report.transfers = std::move(*run.call_transfers);
  } else if (run.transfers) {
    report.transfers = std::move(*run.transfers);
  }
  if (run.timeline) report.timeline = timeline_of(*run.timeline);
  if (run.changes) report.changes = std::move(*run.changes);
  return report;
}

}  // namespace

double modelled_time(const EmulatorReport& report, bool on_timeline) {
  if (!on_timeline) return report.total(kTimeMetric);
  return report.timeline ? report.timeline->ms : 0;
}

const ReportedFinding* EmulatorReport::find(warpsim::FindingKind kind) const {
  const auto it = std::find_if(findings.begin(), findings.end(),
                               [&](const ReportedFinding& f) { return f.is(kind); });
  return it == findings.end() ? nullptr : &*it;
}

double EmulatorReport::total(std::string_view metric) const {
  double sum = 0;
  for (const KernelReport& kernel : kernels) {
    sum += kernel.counter(metric);
  }
  return sum;
}

bool is_own(const std::string& file) {
  return !file.empty() && !file.starts_with('/');
}

std::optional<EmulatorReport> read_emulator_report(const fs::path& file,
                                                   const fs::path& source_folder,
                                                   bool instructions) {
  const std::optional<std::string> text = read_untrusted_file(file, kMaxReportBytes);
  if (!text) {
    return std::nullopt;
  }
  try {
    warpsim::RunReport run;
    record::Reader<record::Document::run, record::Trust::hostile>(
        without(source_folder.string() + "/"))
        .read(json::parse(*text), run);
    if (!instructions) {
      for (KernelReport& kernel : run.kernels) kernel.instructions.clear();
    }
    return report_of(std::move(run));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
