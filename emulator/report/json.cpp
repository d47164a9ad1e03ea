#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/changes/changes.h"
#include "emulator/checkers/list.h"
#include "emulator/counters/cost_inputs.h"
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

/// The cost model's inputs that are not zero.
Json cost_json(const CostInputs& inputs) {
  Json cost = Json::object();
  for (const CostField& field : cost_fields()) {
    if (inputs.*field.member != 0) cost[std::string(field.name)] = inputs.*field.member;
  }
  return cost;
}

Json line_json(const LineCounters& line, const CheckOptions& checks) {
  return {{"file", line.file},
          {"line", line.line},
          {"counters", nonzero_counters(line.totals, checks)},
          {"cost", cost_json(cost_inputs(line.totals))}};
}

/// Per launch configuration, because the modelled time is not a sum of counts.
Json shapes_json(const KernelCounters& kernel) {
  Json shapes = Json::array();
  const auto add = [&](const KernelCounters& shape) {
    shapes.push_back(
        {{"grid", shape.grid}, {"block", shape.block}, {"cost", cost_json(cost_inputs(shape))}});
  };
  if (kernel.shapes.empty()) add(kernel);
  for (const KernelCounters& shape : kernel.shapes) add(shape);
  return shapes;
}

Json instruction_json(const InstructionCounters& instruction, const CheckOptions& checks) {
  return {{"function", instruction.function},
          {"index", instruction.index},
          {"text", instruction.text},
          {"file", instruction.file},
          {"line", instruction.line},
          {"counters", nonzero_counters(instruction.totals, checks)}};
}

Json counters_json(const KernelCounters& kernel, const CheckOptions& checks) {
  Json counters = Json::object();
  add_metrics(counters, all_metrics(), kernel.totals, checks);
  add_metrics(counters, kernel_metrics(), kernel, checks);
  return counters;
}

/// The part of a kernel that reached an output: only counters that differ, usually none.
Json reaching_json(const KernelCounters& reaching, const Json& all, const CheckOptions& checks) {
  Json counters = Json::object();
  const Json own = counters_json(reaching, checks);
  for (const auto& [name, value] : own.items()) {
    if (all.at(name) != value) counters[name] = value;
  }
  return {{"launches", reaching.launches},
          {"grid", reaching.grid},
          {"block", reaching.block},
          {"counters", std::move(counters)}};
}

/// @param call_is_over  whether launches from now on reach no output
Json kernel_json(const KernelCounters& kernel, const CheckOptions& checks, bool call_is_over) {
  Json counters = counters_json(kernel, checks);
  Json reaching;
  if (call_is_over) {
    const KernelCounters none;
    reaching =
        reaching_json(kernel.reaching.empty() ? none : kernel.reaching.front(), counters, checks);
  }
  Json lines = Json::array();
  for (const LineCounters& line : kernel.lines) lines.push_back(line_json(line, checks));
  Json result = {{"name", kernel.name},
                 {"file", kernel.file},
                 {"launches", kernel.launches},
                 {"grid", kernel.grid},
                 {"block", kernel.block},
                 {"occupancy_limiter", kernel.occupancy_limiter},
                 {"registers_source", kernel.registers_source},
                 {"counters", std::move(counters)},
                 {"shapes", shapes_json(kernel)},
                 {"lines", std::move(lines)}};
  if (!reaching.is_null()) result["reaching"] = std::move(reaching);
  if (!kernel.instructions.empty()) {
    Json& instructions = result["instructions"] = Json::array();
    for (const InstructionCounters& instruction : kernel.instructions) {
      instructions.push_back(instruction_json(instruction, checks));
    }
  }
  return result;
}

Json finding_json(const Finding& finding) {
  return {{"kind", slug(finding.kind)},
          {"severity", severity_name(finding.severity)},
          {"pitfall", finding.pitfall},
          {"kernel", finding.kernel},
          {"file", finding.file},
          {"line", finding.line},
          {"column", finding.column},
          {"other_file", finding.other_file},
          {"other_line", finding.other_line},
          {"message", finding.message},
          {"where", finding.where},
          {"who", finding.who},
          {"got", finding.got},
          {"want", finding.want},
          {"next", finding.next},
          {"offset", finding.access.offset},
          {"width", finding.access.width},
          {"array_bytes", finding.access.bytes},
          {"detail", slug(finding.detail)},
          {"count", finding.count}};
}

/// The enabled checks and counters, by their keys.
Json enabled_json(const CheckOptions& checks) {
  Json enabled = Json::object();
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

Json writer_json(const OutputWriter& writer) {
  return {{"kind", slug(writer.kind)},       {"name", writer.name},
          {"launch", writer.launch},         {"file", writer.from.file},
          {"line", writer.from.line},        {"bytes", writer.bytes},
          {"varied", writer.varied},         {"inputs", writer.inputs},
          {"host_bytes", writer.host_bytes}, {"unexplained_bytes", writer.unexplained_bytes}};
}

Json call_json(const CallReport& call) {
  Json outputs = Json::array();
  for (const OutputOrigin& output : call.outputs) {
    Json writers = Json::array();
    for (const OutputWriter& writer : output.writers) writers.push_back(writer_json(writer));
    outputs.push_back({{"name", output.name},
                       {"bytes", output.bytes},
                       {"writers", std::move(writers)},
                       {"more_writers", output.more_writers}});
  }
  Json copies = Json::array();
  for (const InputCopy& copy : call.input_copies) {
    copies.push_back({{"input", copy.input},
                      {"api", copy.api},
                      {"file", copy.from.file},
                      {"line", copy.from.line},
                      {"bytes", copy.bytes}});
  }
  return {{"followed", call.followed},
          {"outputs", std::move(outputs)},
          {"input_copies", std::move(copies)}};
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

Json transfers_json(const TransferTotals& totals) {
  Json counters = Json::object();
  for (const TransferCounter& counter : transfer_counters()) {
    counters[std::string(counter.name)] = counter.value(totals);
  }
  return counters;
}

Json operation_json(const TimelineOperation& one) {
  Json json = {{"kind", slug(one.kind)}, {"name", one.name},           {"device", one.device},
               {"stream", one.stream},   {"engine", slug(one.engine)}, {"begin_ms", one.begin_ms},
               {"end_ms", one.end_ms}};
  if (one.bytes != 0) json["bytes"] = one.bytes;
  if (one.pageable) json["pageable"] = true;
  if (one.between) {
    json["from_device"] = one.between->from;
    json["to_device"] = one.between->to;
  }
  return json;
}

/// The first operations of the announced call, or of the run.
Json timeline_json(const Timeline& timeline) {
  constexpr std::size_t kMost = 1000;
  Json operations = Json::array();
  std::uint64_t left_out = timeline.left_out();
  const auto& call = timeline.call();
  for (const TimelineOperation& one : timeline.operations()) {
    if (call && (one.end_ms <= call->begin_ms || one.begin_ms > call->end_ms)) continue;
    if (operations.size() < kMost) {
      operations.push_back(operation_json(one));
    } else {
      ++left_out;
    }
  }
  Json engines = Json::array();
  for (int device = 0; device < timeline.devices(); ++device) {
    for (const EngineKind engine :
         {EngineKind::kernels, EngineKind::copy_to_device, EngineKind::copy_to_host}) {
      engines.push_back({{"device", device},
                         {"engine", slug(engine)},
                         {"busy_ms", timeline.busy_ms(device, engine)}});
    }
  }
  Json json = {{"end_ms", std::max(timeline.end_ms(), timeline.host_ms())},
               {"overlap_ms", timeline.overlap_ms()},
               {"engines", std::move(engines)},
               {"operations", std::move(operations)},
               {"left_out", left_out}};
  if (call) json["call"] = {{"begin_ms", call->begin_ms}, {"end_ms", call->end_ms}};
  return json;
}

}  // namespace

Json to_json(const Report& report) {
  Json kernels = Json::array();
  for (const KernelCounters& kernel : report.kernels)
    kernels.push_back(kernel_json(kernel, report.checks, report.call != nullptr));
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
  if (report.dropped_launches != 0) result["dropped_launches"] = report.dropped_launches;
  if (report.call != nullptr) result["call"] = call_json(*report.call);
  if (report.transfers != nullptr) result["transfers"] = transfers_json(*report.transfers);
  if (report.call_transfers != nullptr) {
    result["call_transfers"] = transfers_json(*report.call_transfers);
  }
  if (report.timeline != nullptr) result["timeline"] = timeline_json(*report.timeline);
  if (report.changes != nullptr) result["changes"] = changes_json(*report.changes);
  return result;
}

}  // namespace warpsim
