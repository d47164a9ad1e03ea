#include "grader/labcheck/headlines.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/assess/assess.h"
#include "grader/cli/common.h"
#include "grader/core/installation.h"
#include "grader/diagnose/diagnose.h"
#include "grader/executor/parallel.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

KeptEvidence evidence_of(LabSession& session, const fs::path& program, const fs::path& kept) {
  if (!fs::exists(kept)) {
    const Submission submission = submission_of_file(program, session.lab());
    static_cast<void>(
        assess(session, submission, "", 1, [&](const Evidence& evidence, const PublicRuns& open) {
          write_evidence({evidence, open, submission.files}, kept);
        }));
    fmt::print(stderr, "{}: run\n", program.stem().string());
  }
  return read_evidence(kept, session.lab());
}

nlohmann::ordered_json json_of(const Headline& headline) {
  return {{"pitfall", headline.pitfall}, {"summary", headline.summary}};
}

}  // namespace

Headlines headlines_of(KeptEvidence kept) {
  const Evidence& evidence = kept.evidence;
  Headlines headlines;
  headlines.built = evidence.build_problem.empty();
  const std::vector<Item> items = score_items(evidence);
  const Diagnosis all = diagnose(evidence, items, kept.sources);
  headlines.all = {all.summary, all.pitfall};
  const BeforeRelease shown = before_release(evidence, items, std::move(kept.open), kept.sources);
  headlines.shown = shown.hidden_cases == 0
                        ? headlines.all
                        : Headline{.summary = shown.summary, .pitfall = shown.pitfall};
  return headlines;
}

ExitCode print_headlines(const HeadlinesRequest& request) {
  const Installation installation = find_installation();
  const std::unique_ptr<LabSession> session = open_session(
      installation, load_lab_by_id(installation, request.lab), DeviceRequest::emulator);
  fs::create_directories(request.evidence);
  std::vector<Headlines> headlines(request.files.size());
  parallel_for(request.files.size(), request.jobs, [&](std::size_t i) {
    const fs::path& program = request.files[i];
    headlines[i] = headlines_of(
        evidence_of(*session, program, request.evidence / (program.stem().string() + ".json")));
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
