#include "grader/grade/profile_json.h"

#include "grader/core/text.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

ToolEnd end_from(const std::string& text) {
  for (const ToolEnd end : {ToolEnd::done, ToolEnd::missing, ToolEnd::not_permitted,
                            ToolEnd::out_of_time, ToolEnd::failed}) {
    if (slug(end) == text) {
      return end;
    }
  }
  return ToolEnd::not_run;
}

Json run_to_json(const ToolRun& run) {
  return {{"tool", run.tool},
          {"case", printable(run.name)},
          {"status", slug(run.end)},
          {"message", printable(run.message)},
          {"seconds", run.seconds}};
}

Json counts_to_json(const CardCounts& counts) {
  Json kernels = Json::array();
  for (const KernelReport& k : counts.kernels) {
    kernels.push_back({{"name", printable(k.name)},
                       {"launches", k.launches},
                       {"grid", k.grid},
                       {"block", k.block},
                       {"counters", k.counters}});
  }
  return {{"program", counts.program},
          {"case", printable(counts.name)},
          {"timed", counts.timed},
          {"shape", counts.shape},
          {"kernels", std::move(kernels)}};
}

CardCounts counts_from_json(const Json& j) {
  CardCounts counts{.program = j.at("program"),
                    .name = j.at("case"),
                    .timed = j.at("timed"),
                    .shape = j.at("shape").get<std::map<std::string, std::int64_t>>(),
                    .kernels = {}};
  for (const Json& k : j.at("kernels")) {
    counts.kernels.push_back({.name = k.at("name"),
                              .launches = k.at("launches"),
                              .grid = k.at("grid").get<std::vector<std::uint64_t>>(),
                              .block = k.at("block").get<std::vector<std::uint64_t>>(),
                              .counters = k.at("counters").get<std::map<std::string, double>>(),
                              .lines = {}});
  }
  return counts;
}

Json finding_to_json(const ToolFinding& f) {
  return {{"tool", f.tool},
          {"kind", f.kind},
          {"message", printable(f.message)},
          {"kernel", printable(f.kernel)},
          {"file", printable(f.file)},
          {"line", f.line},
          {"who", printable(f.who)},
          {"count", f.count}};
}

}  // namespace

Json profile_to_json(const std::optional<CardProfile>& profile) {
  if (!profile) {
    return nullptr;
  }
  Json runs = Json::array();
  for (const ToolRun& run : profile->runs) {
    runs.push_back(run_to_json(run));
  }
  Json counts = Json::array();
  for (const CardCounts& each : profile->counts) {
    counts.push_back(counts_to_json(each));
  }
  Json findings = Json::array();
  for (const ToolFinding& finding : profile->findings) {
    findings.push_back(finding_to_json(finding));
  }
  return {
      {"runs", std::move(runs)}, {"counts", std::move(counts)}, {"findings", std::move(findings)}};
}

std::optional<CardProfile> profile_from_json(const Json& grade) {
  const auto it = grade.find("profile");
  if (it == grade.end() || it->is_null()) {
    return std::nullopt;
  }
  CardProfile profile;
  for (const Json& run : it->at("runs")) {
    profile.runs.push_back({.tool = run.at("tool"),
                            .name = run.at("case"),
                            .end = end_from(run.at("status")),
                            .message = run.at("message"),
                            .seconds = run.at("seconds")});
  }
  for (const Json& counts : it->at("counts")) {
    profile.counts.push_back(counts_from_json(counts));
  }
  for (const Json& f : it->at("findings")) {
    profile.findings.push_back({.tool = f.at("tool"),
                                .kind = f.at("kind"),
                                .message = f.at("message"),
                                .kernel = f.at("kernel"),
                                .file = f.at("file"),
                                .line = f.at("line"),
                                .who = f.at("who"),
                                .count = f.at("count")});
  }
  return profile;
}

}  // namespace warpgrade
