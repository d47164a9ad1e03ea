#include "grader/serve/jobs/check_program.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/attached.h"
#include "grader/process/followed.h"

namespace warpgrade {
namespace {

constexpr std::string_view kProgress = "progress: ";
constexpr const char* kStateHome = "XDG_STATE_HOME";  // where attempts are recorded for `status`

}  // namespace

std::string last_words(const FollowedEnd& end) {
  std::string last;
  for (const std::string_view line : split_lines(end.err)) {
    if (!line.empty() && !line.starts_with(kProgress) && !line.starts_with("note: ")) last = line;
  }
  return last.empty() ? fmt::format("The grader ended with code {} and no message.", end.code)
                      : printable(last);
}

AttemptResult result_from(const std::string& json) {
  const auto result = nlohmann::json::parse(json);
  return {.score = result.at("score").get<double>(),
          .max_score = result.at("max_score").get<double>(),
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
  run.argv = {program.program, "check",  lab,           ".",          "--format",
              "json",          "--html", page.string(), "--pictures", "--progress"};
  run.argv.insert(run.argv.end(), program.options.begin(), program.options.end());
  run.environment = whole_environment();
  if (program.of_class) {
    std::erase_if(run.environment, [](const auto& entry) { return entry.first == kStateHome; });
    run.environment.emplace_back(kStateHome, scratch.path().string());
  }
  run.folder = work;
  run.on_line = [&](std::string_view line) {
    if (line.starts_with(kProgress)) on_step(printable(line.substr(kProgress.size())));
  };
  const FollowedEnd end = follow(run, stop);
  CheckOutcome outcome;
  outcome.stopped = end.stopped;
  if (end.stopped) return outcome;
  const bool graded = end.code == static_cast<int>(ExitCode::passed) ||
                      end.code == static_cast<int>(ExitCode::not_yet);
  if (!graded) {
    outcome.problem = last_words(end);
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
