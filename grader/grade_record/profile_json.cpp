#include "grader/grade_record/profile_json.h"

#include "grader/core/text.h"
#include "grader/grade_record/json_arrays.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

Json run_to_json(const ToolRun& run) {
  return {{"tool", run.tool},
          {"case", printable(run.name)},
          {"status", slug(run.end)},
          {"message", printable(run.message)},
          {"seconds", run.seconds}};
}

ToolRun run_from_json(const Json& j) {
  return {.tool = j.at("tool"),
          .name = j.at("case"),
          .end = from_slug(j.at("status"), ToolEnd::not_run),
          .message = j.at("message"),
          .seconds = j.at("seconds")};
}

Json counted_to_json(const KernelReport& k) {
  return {{"name", printable(k.name)},
          {"launches", k.launches},
          {"grid", k.grid},
          {"block", k.block},
          {"counters", k.counters}};
}

KernelReport counted_from_json(const Json& j) {
  return {.name = j.at("name"),
          .launches = j.at("launches"),
          .grid = j.at("grid").get<std::vector<std::uint64_t>>(),
          .block = j.at("block").get<std::vector<std::uint64_t>>(),
          .counters = j.at("counters").get<std::map<std::string, double>>(),
          .lines = {}};
}

Json counts_to_json(const CardCounts& counts) {
  return {{"program", counts.program},
          {"case", printable(counts.name)},
          {"timed", counts.timed},
          {"shape", counts.shape},
          {"kernels", array_of(counts.kernels, counted_to_json)}};
}

CardCounts counts_from_json(const Json& j) {
  return {.program = j.at("program"),
          .name = j.at("case"),
          .timed = j.at("timed"),
          .shape = j.at("shape").get<std::map<std::string, std::int64_t>>(),
          .kernels = vector_of<KernelReport>(j.at("kernels"), counted_from_json)};
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

ToolFinding finding_from_json(const Json& j) {
  return {.tool = j.at("tool"),
          .kind = j.at("kind"),
          .message = j.at("message"),
          .kernel = j.at("kernel"),
          .file = j.at("file"),
          .line = j.at("line"),
          .who = j.at("who"),
          .count = j.at("count")};
}

}  // namespace

Json profile_to_json(const CardProfile& profile) {
  return {{"runs", array_of(profile.runs, run_to_json)},
          {"counts", array_of(profile.counts, counts_to_json)},
          {"findings", array_of(profile.findings, finding_to_json)}};
}

std::optional<CardProfile> profile_from_json(const Json& grade) {
  const auto it = grade.find("profile");
  if (it == grade.end() || it->is_null()) {
    return std::nullopt;
  }
  return CardProfile{.runs = vector_of<ToolRun>(it->at("runs"), run_from_json),
                     .counts = vector_of<CardCounts>(it->at("counts"), counts_from_json),
                     .findings = vector_of<ToolFinding>(it->at("findings"), finding_from_json)};
}

}  // namespace warpgrade
