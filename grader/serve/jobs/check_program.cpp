#include "grader/serve/jobs/check_program.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/attached.h"
#include "grader/process/followed.h"
#include "grader/serve/playground.h"

namespace warpgrade {
namespace {

constexpr std::string_view kProgress = "progress: ";
constexpr std::string_view kError = "warpgrade: ";
constexpr std::string_view kStep = "\nThe step: ";
constexpr const char* kStateHome = "XDG_STATE_HOME";  // where attempts are recorded for `status`

}  // namespace

std::string why_failed(const FollowedEnd& end) {
  std::string said;
  bool is_error = false;  // from the line of the error on, which may have several
  for (const std::string_view line : split_lines(end.err)) {
    if (line.empty() || line.starts_with(kProgress) || line.starts_with("note: ")) continue;
    const bool begins = line.starts_with(kError);
    is_error = is_error || begins;
    if (begins || !is_error) said.clear();
    if (!said.empty()) said += '\n';
    said += printable(begins ? line.substr(kError.size()) : line);
  }
  if (is_error) return said;
  const auto json = nlohmann::json::parse(end.out, nullptr, /*allow_exceptions=*/false);
  if (json.is_object()) said = json.value("headline", said);
  return said.empty() ? fmt::format("The grader ended with code {} and no message.", end.code)
                      : said;
}

std::string with_step(const std::string& why, const std::string& step) {
  return step.empty() ? why : why + std::string(kStep) + step;
}

FailedAttempt failed_from(const std::string& text) {
  const std::size_t at = text.rfind(kStep);
  if (at == std::string::npos) return {.why = text, .step = {}};
  return {.why = text.substr(0, at), .step = text.substr(at + kStep.size())};
}

AttemptResult result_from(const std::string& json) {
  const auto result = nlohmann::json::parse(json);
  return {.score = result.value("score", 0.0),
          .max_score = result.value("max_score", 0.0),
          .passed = result.at("passed").get<bool>(),
          .headline = result.at("headline").get<std::string>(),
          .pitfall = result.at("pitfall").get<std::string>(),
          .problems = result.at("diagnostics").dump(),
          .report = {}};
}

CheckOutcome run_check(const CheckProgram& program, const std::string& lab, const FileSet& files,
                       const std::function<void(const std::string&)>& on_step,
                       const std::atomic<bool>& stop) {
  const ScratchFolder scratch;
  const std::filesystem::path work = scratch.path() / "work";
  const std::filesystem::path page = scratch.path() / "report.html";
  for (const auto& [name, content] : files) write_file_atomically(work / name, content);
  FollowedProgram run;
  const bool plays = lab == kPlayground;
  const PlaygroundRun played = plays ? playground_run(files) : PlaygroundRun{};
  run.argv = plays ? std::vector<std::string>{program.program, "run", played.program}
                   : std::vector<std::string>{program.program, "check", lab, "."};
  run.argv.insert(run.argv.end(),
                  {"--format", "json", "--html", page.string(), "--pictures", "--progress"});
  const std::vector<std::string>& options = plays ? program.run_options : program.options;
  run.argv.insert(run.argv.end(), options.begin(), options.end());
  if (!played.input.empty()) run.argv.insert(run.argv.end(), {"--input", played.input});
  if (plays) run.argv.emplace_back("--");
  run.argv.insert(run.argv.end(), played.arguments.begin(), played.arguments.end());
  run.environment = whole_environment();
  if (program.of_class) {
    std::erase_if(run.environment, [](const auto& entry) { return entry.first == kStateHome; });
    run.environment.emplace_back(kStateHome, scratch.path().string());
  }
  run.folder = work;
  std::string step;
  run.on_line = [&](std::string_view line) {
    if (!line.starts_with(kProgress)) return;
    step = printable(line.substr(kProgress.size()));
    on_step(step);
  };
  const FollowedEnd end = follow(run, stop);
  CheckOutcome outcome;
  outcome.stopped = end.stopped;
  if (end.stopped) return outcome;
  const bool graded = end.code == static_cast<int>(ExitCode::passed) ||
                      end.code == static_cast<int>(ExitCode::not_yet);
  if (!graded) {
    outcome.problem = with_step(why_failed(end), step);
    return outcome;
  }
  try {
    outcome.result = result_from(end.out);
    outcome.result.report = read_file(page);
  } catch (const std::exception& e) {
    outcome.problem = fmt::format("The check's result could not be read: {}", e.what());
  }
  return outcome;
}

}  // namespace warpgrade
