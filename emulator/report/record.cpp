#include <algorithm>
#include <iterator>

#include "emulator/changes/changes.h"
#include "emulator/checkers/list.h"
#include "emulator/counters/cost_inputs.h"
#include "emulator/report/metrics.h"
#include "emulator/report/report.h"
#include "emulator/report/settings.h"

// What the emulator has seen, as the records of a report.

namespace warpsim {
namespace {

using Counters = std::map<std::string, double>;

template <class Source>
void add_metrics(Counters& target, std::span<const Metric<Source>> metrics, const Source& source,
                 const CheckOptions& checks) {
  for (const Metric<Source>& metric : metrics) {
    if (!is_counted(metric.needs, checks)) continue;
    std::visit([&](auto value) { target[std::string(metric.name)] = static_cast<double>(value); },
               metric.value(source));
  }
}

/// The counters of a line or an instruction that are not zero: most are.
Counters nonzero_counters(const Totals& totals, const CheckOptions& checks) {
  Counters counters;
  add_metrics(counters, all_metrics(), totals, checks);
  std::erase_if(counters, [](const auto& entry) { return entry.second == 0; });
  return counters;
}

template <class Extent>
std::vector<std::uint64_t> extents(const Extent& of) {
  return {std::begin(of), std::end(of)};
}

KernelLine record_of(const LineCounters& line, const CheckOptions& checks) {
  return {.file = line.file,
          .line = line.line,
          .counters = nonzero_counters(line.totals, checks),
          .cost = cost_inputs(line.totals)};
}

InstructionReport record_of(const InstructionCounters& one, const CheckOptions& checks) {
  return {.function = one.function,
          .index = one.index,
          .text = one.text,
          .file = one.file,
          .line = one.line,
          .counters = nonzero_counters(one.totals, checks)};
}

LaunchReport launches_of(const KernelCounters& shape) {
  return {.grid = extents(shape.grid), .block = extents(shape.block), .cost = cost_inputs(shape)};
}

Counters counters_of(const KernelCounters& kernel, const CheckOptions& checks) {
  Counters counters;
  add_metrics(counters, all_metrics(), kernel.totals, checks);
  add_metrics(counters, kernel_metrics(), kernel, checks);
  return counters;
}

/// Only counters that differ, usually none.
ReachingReport reaching_of(const KernelCounters& part, const Counters& all,
                           const CheckOptions& checks) {
  Counters counters = counters_of(part, checks);
  std::erase_if(counters, [&](const auto& entry) { return all.at(entry.first) == entry.second; });
  return {.launches = part.launches,
          .grid = extents(part.grid),
          .block = extents(part.block),
          .counters = std::move(counters)};
}

/// @param call_is_over  whether launches from now on reach no output
KernelReport record_of(const KernelCounters& kernel, const CheckOptions& checks,
                       bool call_is_over) {
  KernelReport report = {.name = kernel.name,
                         .launches = kernel.launches,
                         .grid = extents(kernel.grid),
                         .block = extents(kernel.block),
                         .counters = counters_of(kernel, checks),
                         .lines = {},
                         .file = kernel.file,
                         .occupancy_limiter = kernel.occupancy_limiter,
                         .registers_source = kernel.registers_source};
  for (const LineCounters& line : kernel.lines) report.lines.push_back(record_of(line, checks));
  if (kernel.shapes.empty()) report.shapes.push_back(launches_of(kernel));
  for (const KernelCounters& shape : kernel.shapes) report.shapes.push_back(launches_of(shape));
  if (call_is_over) {
    const KernelCounters none;
    report.reaching = reaching_of(kernel.reaching.empty() ? none : kernel.reaching.front(),
                                  report.counters, checks);
  }
  for (const InstructionCounters& one : kernel.instructions) {
    report.instructions.push_back(record_of(one, checks));
  }
  return report;
}

/// The enabled checks and counters, by their keys.
std::map<std::string, bool> enabled(const CheckOptions& checks) {
  std::map<std::string, bool> enabled;
  for (const CheckName& check : check_names()) {
    enabled[std::string(check.key)] = checks.*check.member;
  }
  const auto list = all_checkers();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].option == nullptr && is_on(checks, list, i)) {
      enabled[std::string(list[i].name)] = true;
    }
  }
  enabled["bounds"] = true;  // always on
  return enabled;
}

RunSummary summary_of(const Report& report) {
  const auto with = [&](Severity severity) {
    return static_cast<std::uint64_t>(
        std::ranges::count(report.findings, severity, &Finding::severity));
  };
  RunSummary summary = {.errors = with(Severity::error),
                        .warnings = with(Severity::warning),
                        .notes = with(Severity::note)};
  for (const KernelCounters& kernel : report.kernels) {
    summary.launches += kernel.launches;
    summary.modelled_ms += kernel.modelled_ms;
  }
  return summary;
}

std::vector<ChangeReport> records_of(const Changes& changes) {
  std::vector<ChangeReport> all;
  for (const ChangeNote& note : changes.notes()) {
    all.push_back({.change = note.change,
                   .places = note.places,
                   .outside_branch = note.outside_branch,
                   .problem = note.problem});
  }
  return all;
}

Counters counters_of(const TransferTotals& totals) {
  Counters counters;
  for (const TransferCounter& counter : transfer_counters()) {
    counters[std::string(counter.name)] = static_cast<double>(counter.value(totals));
  }
  return counters;
}

OperationReport record_of(const TimelineOperation& one) {
  OperationReport report = {.kind = one.kind,
                            .name = one.name,
                            .device = one.device,
                            .stream = one.stream,
                            .engine = one.engine,
                            .begin_ms = one.begin_ms,
                            .end_ms = one.end_ms,
                            .bytes = one.bytes,
                            .pageable = one.pageable};
  if (one.between) {
    report.from_device = one.between->from;
    report.to_device = one.between->to;
  }
  return report;
}

/// The first operations of the announced call, or of the run.
TimelineReport record_of(const Timeline& timeline) {
  TimelineReport report;
  report.end_ms = std::max(timeline.end_ms(), timeline.host_ms());
  report.overlap_ms = timeline.overlap_ms();
  report.left_out = timeline.left_out();
  report.call = timeline.call();
  for (const TimelineOperation& one : timeline.operations()) {
    if (report.call && (one.end_ms <= report.call->begin_ms || one.begin_ms > report.call->end_ms))
      continue;
    if (report.operations.size() < kMostOperations) {
      report.operations.push_back(record_of(one));
    } else {
      ++report.left_out;
    }
  }
  for (int device = 0; device < timeline.devices(); ++device) {
    for (const EngineKind engine :
         {EngineKind::kernels, EngineKind::copy_to_device, EngineKind::copy_to_host}) {
      report.engines.push_back(
          {.device = device, .engine = engine, .busy_ms = timeline.busy_ms(device, engine)});
    }
  }
  return report;
}

CardReport record_of(const Card& card) {
  return {.id = card.id,
          .name = card.name,
          .compute_capability = {card.major, card.minor},
          .multiprocessors = card.multiprocessors,
          .memory_bytes = card.memory_bytes};
}

}  // namespace

ReportedFinding record_of(const Finding& finding) {
  return {.pitfall = finding.pitfall,
          .kind = std::string(slug(finding.kind)),
          .severity = std::string(severity_name(finding.severity)),
          .file = finding.file,
          .line = finding.line,
          .column = finding.column,
          .other_file = finding.other_file,
          .other_line = finding.other_line,
          .kernel = finding.kernel,
          .message = finding.message,
          .where = finding.where,
          .who = finding.who,
          .got = finding.got,
          .want = finding.want,
          .next = finding.next,
          .offset = finding.access.offset,
          .width = finding.access.width,
          .array_bytes = finding.access.bytes,
          .detail = std::string(slug(finding.detail)),
          .count = finding.count,
          .cases = {}};
}

RunReport record_of(const Report& report) {
  RunReport run;
  run.device = record_of(*report.card);
  run.enabled = enabled(report.checks);
  for (const KernelCounters& kernel : report.kernels) {
    run.kernels.push_back(record_of(kernel, report.checks, report.call != nullptr));
  }
  for (const Finding& finding : report.findings) run.findings.push_back(record_of(finding));
  run.summary = summary_of(report);
  run.dropped_launches = report.dropped_launches;
  if (report.call != nullptr) run.call = *report.call;
  if (report.transfers != nullptr) run.transfers = counters_of(*report.transfers);
  if (report.call_transfers != nullptr) run.call_transfers = counters_of(*report.call_transfers);
  if (report.timeline != nullptr) run.timeline = record_of(*report.timeline);
  if (report.changes != nullptr) run.changes = records_of(*report.changes);
  return run;
}

}  // namespace warpsim
