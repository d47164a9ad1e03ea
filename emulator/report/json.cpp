#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/report/metrics.h"
#include "emulator/report/report.h"

namespace warpsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

void add_metrics(Json& target, const CounterView& view) {
  for (const Metric& metric : all_metrics()) {
    std::visit([&](auto value) { target[std::string(metric.name)] = value; }, metric.value(view));
  }
}

Json line_json(const LineCounters& line) {
  Json counters = Json::object();
  add_metrics(counters, CounterView::of(line));
  return {{"file", line.file}, {"line", line.line}, {"counters", std::move(counters)}};
}

Json kernel_json(const KernelCounters& kernel) {
  Json counters = Json::object();
  add_metrics(counters, CounterView::of(kernel));
  counters["blocks"] = kernel.blocks;
  counters["threads"] = kernel.threads;
  counters["barriers"] = kernel.barriers;
  counters["flops_f32"] = kernel.flops_f32;
  counters["flops_f64"] = kernel.flops_f64;
  counters["modelled_ms"] = kernel.modelled_ms;
  counters["launch__registers_per_thread"] = kernel.registers;
  counters["launch__shared_mem_per_block_static"] = kernel.static_shared_bytes;
  counters["launch__shared_mem_per_block_dynamic"] = kernel.dynamic_shared_bytes;
  counters["sm__maximum_warps_per_active_cycle_pct"] = 100.0 * kernel.theoretical_occupancy;
  Json lines = Json::array();
  for (const LineCounters& line : kernel.lines) lines.push_back(line_json(line));
  return {{"name", kernel.name},
          {"launches", kernel.launches},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"occupancy_limiter", kernel.occupancy_limiter},
          {"counters", std::move(counters)},
          {"lines", std::move(lines)}};
}

Json finding_json(const Finding& finding) {
  return {{"kind", finding.kind},       {"severity", severity_name(finding.severity)},
          {"pitfall", finding.pitfall}, {"kernel", finding.kernel},
          {"file", finding.file},       {"line", finding.line},
          {"message", finding.message}, {"where", finding.where},
          {"who", finding.who},         {"got", finding.got},
          {"want", finding.want},       {"next", finding.next},
          {"count", finding.count}};
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

}  // namespace

Json to_json(const Report& report) {
  Json kernels = Json::array();
  for (const KernelCounters& kernel : report.kernels) kernels.push_back(kernel_json(kernel));
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  const Card& card = *report.card;
  return {{"schema", kSchema},
          {"device",
           {{"kind", "emulator"},
            {"id", card.id},
            {"name", card.name},
            {"compute_capability", {card.major, card.minor}},
            {"multiprocessors", card.multiprocessors},
            {"memory_bytes", card.memory_bytes}}},
          {"kernels", std::move(kernels)},
          {"findings", std::move(findings)},
          {"summary", summary_json(report)}};
}

}  // namespace warpsim
