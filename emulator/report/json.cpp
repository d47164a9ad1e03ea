#include <nlohmann/json.hpp>

#include "emulator/record/schema.h"
#include "emulator/record/write.h"
#include "emulator/report/metrics.h"
#include "emulator/report/report.h"

namespace warpsim {
namespace {

using record::Document;
using record::Json;

/// The counters that a table has, by what they need.
class CounterNames {
 public:
  template <class Source>
  void add(std::span<const Metric<Source>> metrics) {
    for (const Metric<Source>& metric : metrics) {
      const std::string name(metric.name);
      properties[name] = {{"type", "number"}, {"minimum", 0}};
      by_need[static_cast<std::size_t>(metric.needs)].push_back(name);
    }
  }
  Json properties = Json::object();
  std::array<std::vector<std::string>, 3> by_need;
};

Json of_kernels(Json counters) {
  return {{"properties",
           {{"kernels", {{"items", {{"properties", {{"counters", std::move(counters)}}}}}}}}}};
}

/// What is counted with a check is in the report only if that check is on.
Json counted_if(const Json& enabled, const std::vector<std::string>& names) {
  return {{"if", {{"properties", {{"enabled", {{"properties", enabled}}}}}}},
          {"then", of_kernels({{"required", names}})},
          {"else", of_kernels({{"propertyNames", {{"not", {{"enum", names}}}}}})}};
}

}  // namespace

Json to_json(const Report& report) {
  return record::Writer<Document::run>::json(record_of(report));
}

Json run_schema() {
  record::SchemaWriter<Document::run> writer;
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Report of the emulator"},
                 {"description",
                  "What `warpsim --json FILE` writes: what every kernel did, and what was wrong. A "
                  "counter that ncu has carries ncu's metric name; docs/emulator.md defines the "
                  "others. Keys that are not here are of a later version: ignore them."}};
  schema.update(writer.object<RunReport>());
  schema["required"].push_back("enabled");
  schema["required"].push_back("summary");
  CounterNames of_lines;
  of_lines.add(all_metrics());
  CounterNames names = of_lines;
  names.add(kernel_metrics());
  schema["definitions"] = writer.definitions();
  const auto set = [&](const char* owner, Json properties) {
    Json& counters = schema["definitions"][owner]["properties"]["counters"];
    counters.erase("additionalProperties");
    counters["properties"] = std::move(properties);
    counters["additionalProperties"] = false;
  };
  set("KernelReport", names.properties);
  set("KernelLine", of_lines.properties);
  set("InstructionReport", of_lines.properties);
  schema["definitions"]["KernelReport"]["properties"]["counters"]["required"] = names.by_need[0];
  const Json on = {{"const", true}};
  schema["allOf"] = {counted_if({{"counters", on}}, names.by_need[1]),
                     counted_if({{"counters", on}, {"cache", on}}, names.by_need[2])};
  return schema;
}

}  // namespace warpsim
