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

/// The last line that is not about progress.
std::string last_words(const std::string& err) {
  std::string last;
  for (const std::string_view line : split_lines(err)) {
    if (!line.empty() && !line.starts_with(kProgress) && !line.starts_with("note: ")) last = line;
  }
  return printable(last);
}

/// What `--format json` printed.
void read_result(const std::string& out, AttemptResult& result) {
  const auto json = nlohmann::json::parse(out);
  result.score = json.at("score").get<double>();
  result.max_score = json.at("max_score").get<double>();
  result.passed = json.at("passed").get<bool>();
  result.headline = json.at("headline").get<std::string>();
  result.problems = json.at("diagnostics").dump();
}

}  // namespace

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
    const std::string words = last_words(end.err);
    outcome.problem = words.empty()
                          ? fmt::format("The check ended with code {} and no message.", end.code)
                          : words;
    return outcome;
  }
  try {
    read_result(end.out, outcome.result);
    outcome.result.report = read_file(page);
  } catch (const std::exception& e) {
    outcome.problem = fmt::format("The check's result could not be read: {}", e.what());
  }
  return outcome;
}

}  // namespace warpgrade
