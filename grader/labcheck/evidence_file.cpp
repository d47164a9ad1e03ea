#include "grader/labcheck/evidence_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/grade/grade_json.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

/// A case with its kernels and findings, as a grade of this one case: grades have a format already.
Json json_of(const CaseOutcome& c) {
  Grade grade;
  grade.lab = "-";
  grade.lab_title = "-";
  grade.student = "-";
  grade.started = "2000-01-01T00:00:00Z";
  grade.items.resize(1);  // a grade has one at least
  grade.items.front().id = "-";
  grade.cases = {c.report};
  if (c.emulator) {
    grade.kernels = c.emulator->kernels;
    grade.findings = c.emulator->findings;
  }
  return {{"grade", to_json(grade)},
          {"pitfall", c.pitfall},
          {"emulator", c.emulator.has_value()},
          {"device", c.emulator ? c.emulator->device : ""},
          {"second", c.fails_as_second_call},
          {"early", c.ended_early}};
}

CaseOutcome case_from(const Json& json) {
  Grade grade = grade_from_json(json.at("grade"));
  CaseOutcome c;
  c.report = std::move(grade.cases.at(0));
  c.pitfall = json.at("pitfall");
  c.fails_as_second_call = json.at("second");
  c.ended_early = json.at("early");
  if (json.at("emulator").get<bool>()) {
    c.emulator = EmulatorReport{.device = json.at("device"),
                                .kernels = std::move(grade.kernels),
                                .findings = std::move(grade.findings)};
  }
  return c;
}

KeptEvidence evidence_from(const Json& json, const Lab& lab) {
  KeptEvidence kept;
  Evidence& evidence = kept.evidence;
  evidence.lab = &lab;
  evidence.build_problem = json.at("problem");
  evidence.emulated = json.at("emulated");
  const std::vector<std::string> open = json.at("open");
  for (const Json& each : json.at("cases")) {
    CaseOutcome c = case_from(each);
    c.spec = lab.find_case(c.report.name);
    if (c.spec == nullptr) {
      continue;
    }
    if (std::find(open.begin(), open.end(), c.report.name) != open.end()) {
      kept.open.cases.push_back(c);
    }
    evidence.cases.push_back(std::move(c));
  }
  evidence.findings = fold_findings(evidence.cases);
  if (const auto references = json.find("references"); references != json.end()) {
    for (const auto& [name, cost] : references->items()) {
      ReferenceCost& reference = evidence.references[name];
      reference.modelled_ms = cost.at("ms");
      reference.counters = cost.at("counters");
    }
  }
  kept.open.own = true;
  kept.open.costs = evidence.references;
  for (const Json& source : json.at("sources")) {
    kept.sources.push_back({.name = source.at("name"), .text = source.at("text")});
  }
  return kept;
}

}  // namespace

void write_evidence(const KeptEvidence& kept, const std::filesystem::path& file) {
  const Evidence& evidence = kept.evidence;
  Json json = {{"lab", evidence.lab->id},       {"problem", evidence.build_problem},
               {"emulated", evidence.emulated}, {"cases", Json::array()},
               {"references", Json::object()},  {"open", Json::array()},
               {"sources", Json::array()}};
  for (const CaseOutcome& c : evidence.cases) {
    json["cases"].push_back(json_of(c));
  }
  for (const auto& [name, cost] : evidence.references) {
    json["references"][name] = {{"ms", cost.modelled_ms}, {"counters", cost.counters}};
  }
  for (const CaseOutcome& c : kept.open.cases) {
    json["open"].push_back(c.report.name);
  }
  for (const SourceFile& source : kept.sources) {
    json["sources"].push_back({{"name", source.name}, {"text", source.text}});
  }
  write_file_atomically(file, json.dump());
}

KeptEvidence read_evidence(const std::filesystem::path& file, const Lab& lab) {
  try {
    return evidence_from(Json::parse(read_file(file)), lab);
  } catch (const Json::exception& e) {
    throw UsageError(
        fmt::format("{} is no evidence of a program ({}); delete it, and it is made again",
                    file.string(), e.what()));
  }
}

}  // namespace warpgrade
