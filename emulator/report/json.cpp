#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/checkers/changes.h"
#include "emulator/report/metrics.h"
#include "emulator/report/report.h"
#include "emulator/report/settings.h"

namespace warpsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

template <class Source>
void add_metrics(Json& target, std::span<const Metric<Source>> metrics, const Source& source,
                 const CheckOptions& checks) {
  for (const Metric<Source>& metric : metrics) {
    if (!is_counted(metric.needs, checks)) continue;
    std::visit([&](auto value) { target[std::string(metric.name)] = value; }, metric.value(source));
  }
}

/// The counters of a line or an instruction that are not zero: most are.
Json nonzero_counters(const Totals& totals, const CheckOptions& checks) {
  Json counters = Json::object();
  for (const Metric<Totals>& metric : all_metrics()) {
    if (!is_counted(metric.needs, checks)) continue;
    std::visit(
        [&](auto value) {
          if (value != 0) counters[std::string(metric.name)] = value;
        },
        metric.value(totals));
  }
  return counters;
}

Json line_json(const LineCounters& line, const CheckOptions& checks) {
  return {{"file", line.file},
          {"line", line.line},
          {"counters", nonzero_counters(line.totals, checks)}};
}

Json instruction_json(const InstructionCounters& instruction, const CheckOptions& checks) {
  return {{"function", instruction.function},
          {"index", instruction.index},
          {"text", instruction.text},
          {"file", instruction.file},
          {"line", instruction.line},
          {"counters", nonzero_counters(instruction.totals, checks)}};
}

Json kernel_json(const KernelCounters& kernel, const CheckOptions& checks) {
  Json counters = Json::object();
  add_metrics(counters, all_metrics(), kernel.totals, checks);
  add_metrics(counters, kernel_metrics(), kernel, checks);
  Json lines = Json::array();
  for (const LineCounters& line : kernel.lines) lines.push_back(line_json(line, checks));
  Json result = {{"name", kernel.name},
                 {"launches", kernel.launches},
                 {"grid", kernel.grid},
                 {"block", kernel.block},
                 {"occupancy_limiter", kernel.occupancy_limiter},
                 {"registers_source", kernel.registers_source},
                 {"counters", std::move(counters)},
                 {"lines", std::move(lines)}};
  if (!kernel.instructions.empty()) {
    Json& instructions = result["instructions"] = Json::array();
    for (const InstructionCounters& instruction : kernel.instructions) {
      instructions.push_back(instruction_json(instruction, checks));
    }
  }
  return result;
}

Json finding_json(const Finding& finding) {
  return {{"kind", slug(finding.kind)}, {"severity", severity_name(finding.severity)},
          {"pitfall", finding.pitfall}, {"kernel", finding.kernel},
          {"file", finding.file},       {"line", finding.line},
          {"message", finding.message}, {"where", finding.where},
          {"who", finding.who},         {"got", finding.got},
          {"want", finding.want},       {"next", finding.next},
          {"count", finding.count}};
}

/// What was looked for and counted, by the names of `--check`.
Json enabled_json(const CheckOptions& checks) {
  Json enabled = Json::object();
  for (const CheckName& check : check_names()) {
    enabled[std::string(check.name)] = checks.*check.member;
  }
  enabled["bounds"] = true;  // nothing could run without
  return enabled;
}

Json summary_json(const Report& report) {
  const auto with = [&](Severity severity) {
    return std::ranges::count(report.findings, severity, &Finding::severity);
  };
  std::uint64_t launches = 0;
  double modelled_ms = 0;
  for (const KernelCounters& kernel : report.kernels) {
    launches += kernel.launches;
    modelled_ms += kernel.modelled_ms;
  }
  return {{"errors", with(Severity::error)},
          {"warnings", with(Severity::warning)},
          {"notes", with(Severity::note)},
          {"launches", launches},
          {"modelled_ms", modelled_ms}};
}

Json changes_json(const Changes& changes) {
  Json all = Json::array();
  for (const ChangeNote& note : changes.notes()) {
    all.push_back({{"change", note.change},
                   {"places", note.places},
                   {"outside_branch", note.outside_branch},
                   {"problem", note.problem}});
  }
  return all;
}

}  // namespace

Json to_json(const Report& report) {
  Json kernels = Json::array();
  for (const KernelCounters& kernel : report.kernels)
    kernels.push_back(kernel_json(kernel, report.checks));
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  const Card& card = *report.card;
  Json result = {{"schema", kSchema},
                 {"device",
                  {{"kind", "emulator"},
                   {"id", card.id},
                   {"name", card.name},
                   {"compute_capability", {card.major, card.minor}},
                   {"multiprocessors", card.multiprocessors},
                   {"memory_bytes", card.memory_bytes}}},
                 {"enabled", enabled_json(report.checks)},
                 {"kernels", std::move(kernels)},
                 {"findings", std::move(findings)},
                 {"summary", summary_json(report)}};
  if (report.changes != nullptr) result["changes"] = changes_json(*report.changes);
  return result;
}

}  // namespace warpsim
