#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/class/grading/watched.h"
#include "grader/cli/attempt_log/attempt_log.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/watch/watch.h"
#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/core/own_command.h"
#include "grader/core/parallel.h"
#include "grader/core/source_names.h"
#include "grader/core/steps.h"
#include "grader/judge/assess/assess.h"
#include "grader/record/grade/grade_json.h"
#include "grader/run/session/open_session.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/show/report/feedback_page.h"
#include "grader/show/report/parameter_order.h"
#include "grader/show/report/terminal.h"
#include "grader/submit/submission/checked_work.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct CheckOptions {
  std::string lab;
  fs::path work;
  fs::path json;
  fs::path html;
  RunOptions run = {.sandbox = SandboxMode::automatic};  // it is the student's own machine
  bool watch = false;
  bool pictures = false;
  bool progress = false;
  DiagnosticFormat format = DiagnosticFormat::text;
};

std::string in_format(DiagnosticFormat format, const StudentView& shown) {
  switch (format) {
    case DiagnosticFormat::json:
      return as_json(shown);
    case DiagnosticFormat::sarif:
      return as_sarif(shown);
    case DiagnosticFormat::github:
      return as_github(shown);
    case DiagnosticFormat::text:
      break;
  }
  return terminal_feedback(shown, style_of_stdout());
}

/// The folder of the submission's files, as the student named it; empty for an archive.
std::string folder_of(const fs::path& work) {
  if (fs::is_directory(work)) return work.string();
  std::string stem;
  return is_archive(work, stem) ? "" : work.parent_path().string();
}

/// This command again, checking once.
ExitCode check_and_watch(const CheckOptions& options) {
  const ScratchFolder scratch;
  WatchRequest request;
  request.work = options.work;
  request.command = own_command();
  std::erase(request.command, "--watch");
  request.grade = options.json;
  if (request.grade.empty()) {
    request.grade = scratch.path() / "grade.json";
    request.command.insert(request.command.end(), {"--json", request.grade.string()});
  }
  return watch(request);
}

ExitCode check(const CheckOptions& options) {
  if (options.progress) print_steps();
  const Installation installation = find_installation();
  Lab lab = load_lab_by_id(installation, options.lab);
  const CheckedWork work = work_at(options.work, lab);
  for (const std::string& note : work.notes) {
    fmt::print(stderr, "note: {}\n", note);
  }
  const std::unique_ptr<LabSession> session =
      open_session(installation, std::move(lab), options.run);
  BuiltSubmission built;
  Grade grade = assess(*session, work.submission, "", available_processors(), &built);
  StudentView shown = view_in_check(grade);
  shown.parameters = parameter_order(session->lab());
  shown.folder = folder_of(options.work);
  fmt::print("{}", in_format(options.format, shown));
  log_attempt(shown, now_utc());
  if (!options.json.empty()) {
    remove_answers(grade);
    write_grade(grade, options.json);
  }
  if (!options.html.empty()) {
    if (options.pictures) begin_step("drawing pictures");
    const WatchedCase watched = options.pictures
                                    ? watch_case(*session, work.submission, shown.grade, built)
                                    : WatchedCase{};
    write_file_atomically(options.html, feedback_page(shown, {}, installation, {}, watched));
  }
  if (grade.status == GradeStatus::error) {
    return ExitCode::internal;
  }
  return grade.passed() ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("check", "Test your submission as it will be graded, with feedback");
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("lab", options->lab, "the lab's id, as `warpgrade labs` lists it")
      ->required();
  command
      ->add_option(
          "work", options->work,
          "the .cu, .hip or .py file (headers it includes are copied along), or the folder or "
          "archive to submit")
      ->required();
  command->add_option("--json", options->json, "write the grade to this file");
  command->add_option("--html", options->html, "write a page for the browser to this file");
  command->add_flag(
      "--pictures", options->pictures,
      "in the page of --html: pictures of what the threads did, from a further run of "
      "a visible case");
  add_run_options(*command, options->run);
  command->add_flag("--watch", options->watch,
                    "check again whenever a file of the submission is saved, until Ctrl-C");
  command->add_flag("--progress", options->progress,
                    "print each step on standard error, as lines `progress: case 3 of 12`");
  const auto& formats = kNamesOf<DiagnosticFormat>;
  command
      ->add_option_function<std::string>(
          "--format",
          [options](const std::string& name) {
            options->format = *from_slug<DiagnosticFormat>(name);
          },
          "what is printed: feedback for people (text), or problems for an editor (json, sarif) or "
          "GitHub's workflows (github)")
      ->check(CLI::IsMember(std::vector<std::string>(formats.begin(), formats.end())))
      ->type_name("")
      ->default_str("text");
  command->callback([&action, options] {
    action = [options] { return options->watch ? check_and_watch(*options) : check(*options); };
  });
}

}  // namespace warpgrade
