#include "grader/author/check/headlines.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/parallel.h"
#include "grader/judge/assess/assess.h"
#include "grader/judge/assess/assessment.h"
#include "grader/judge/assess/before_release.h"
#include "grader/judge/diagnose/claims.h"
#include "grader/judge/rubric/score.h"
#include "grader/run/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

nlohmann::ordered_json json_of(const Headline& headline) {
  return {
      {"pitfall", headline.pitfall}, {"summary", headline.summary}, {"untrue", headline.untrue}};
}

/// What visible cases showed: what a headline for students is made from.
Evidence of_visible(const Evidence& all) {
  Evidence shown = all;
  std::erase_if(shown.cases, [](const CaseOutcome& c) { return !c.report.visible; });
  shown.findings = fold_findings(shown.cases);
  return shown;
}

}  // namespace

Observed kept_evidence(LabSession& session, const Submission& program, const std::string& name,
                       const fs::path& folder) {
  const fs::path kept =
      folder / fmt::format("{}.{}.observed", name, slug(session.toolchain().compiler.kind));
  if (fs::exists(kept)) {
    if (std::optional<Observed> seen = observed_from_bytes(read_file(kept))) {
      return *std::move(seen);
    }
  }
  Observed seen = observe(session, program, "", 1);
  write_file_atomically(kept, to_bytes(seen));
  return seen;
}

Headlines headlines_of(const LabSession& session, const Submission& program, Observed seen) {
  fit_to_lab(session.lab(), seen);
  Evidence& evidence = seen.evidence;
  evidence.ladder = session.ladder();
  Headlines headlines;
  headlines.built = evidence.build_problem.empty();
  const std::vector<Item> items = score_items(evidence);
  const Assessment all = assessment_of(evidence, items, program.files, seen.explanation);
  headlines.all = {all.summary, all.pitfall};
  const BeforeRelease shown =
      before_release(evidence, items, std::move(seen.open), program.files, seen.explanation);
  headlines.shown = shown.hidden_cases == 0 ? headlines.all
                                            : Headline{.summary = shown.assessment.summary,
                                                       .pitfall = shown.assessment.pitfall};
  headlines.all.untrue =
      untrue_claims(headlines.all.summary, evidence, program.files, seen.explanation);
  headlines.shown.untrue =
      untrue_claims(headlines.shown.summary, of_visible(evidence), program.files, seen.explanation);
  return headlines;
}

ExitCode print_headlines(const HeadlinesRequest& request) {
  const Installation installation = find_installation();
  const std::unique_ptr<LabSession> session =
      open_session(installation, load_code_lab(installation, request.lab),
                   {.compiler = request.compiler, .device = DeviceRequest::emulator});
  session->cache_objects();
  fs::create_directories(request.evidence);
  std::vector<Headlines> headlines(request.files.size());
  parallel_for(request.files.size(), request.jobs, [&](std::size_t i) {
    const Submission program = submission_of_file(request.files[i], session->lab());
    headlines[i] = headlines_of(
        *session, program,
        kept_evidence(*session, program, request.files[i].stem().string(), request.evidence));
  });
  for (std::size_t i = 0; i < headlines.size(); ++i) {
    const nlohmann::ordered_json line = {{"program", request.files[i].stem().string()},
                                         {"built", headlines[i].built},
                                         {"all", json_of(headlines[i].all)},
                                         {"shown", json_of(headlines[i].shown)}};
    fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return ExitCode::passed;
}

}  // namespace warpgrade
