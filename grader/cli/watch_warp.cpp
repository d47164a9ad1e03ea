#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/visible_case.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/run/cases/recorded_case.h"
#include "grader/run/session/open_session.h"
#include "grader/show/report/watch_page.h"
#include "grader/submit/submission/checked_work.h"

// `warpgrade watch-warp`: pictures of what the threads of a submission do in one visible case.

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct WatchOptions {
  std::string lab;
  fs::path work;
  std::string case_name;
  std::uint32_t line = 0;
  fs::path output;
  std::string what;
  bool variables = false;
  RunOptions run = {.sandbox = SandboxMode::automatic};  // it is the student's own machine
};

/// The cases to look at, in this order: the one that is asked for, or all visible ones but that of
/// the measured time, which is large.
std::vector<const Case*> cases_to_watch(const Lab& lab, const std::string& name) {
  if (!name.empty()) {
    return {&require_visible_case(lab, name)};
  }
  std::vector<const Case*> cases = visible_cases(lab);
  if (cases.size() > 1) {
    std::erase_if(cases, [&](const Case* spec) { return spec->name == lab.performance_case; });
  }
  return cases;
}

bool runs_line(const RecordedCase& recorded, std::uint32_t line) {
  return line == 0 || std::ranges::binary_search(recorded.lines, line);
}

/// The first case with a finding that runs the line; else of those that run it, or else of all, the
/// one with the most recorded, in which costs are seen.
std::optional<RecordedCase> record(LabSession& session, const WatchOptions& options,
                                   const BuildResult& build, const std::vector<SourceFile>& sources,
                                   const fs::path& scratch) {
  std::optional<RecordedCase> best;
  for (const Case* spec : cases_to_watch(session.lab(), options.case_name)) {
    auto recorded = record_case(session, build, *spec, sources, scratch, options.what);
    if (!recorded) {
      continue;
    }
    const bool runs = runs_line(*recorded, options.line);
    const bool found = runs && recorded->has_findings;
    const bool ran = best && runs_line(*best, options.line);
    const bool is_better =
        best && (runs != ran ? runs : recorded->bytes.size() > best->bytes.size());
    if (!best || is_better || found) {
      best = std::move(recorded);
    }
    if (found) {
      break;
    }
  }
  return best;
}

/// "1 to 4, 7"
std::string ranges_of(const std::vector<std::uint32_t>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] == lines[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lines[i]);
    if (last > i) text += fmt::format(" to {}", lines[last]);
    i = last + 1;
  }
  return text;
}

fs::path page_beside(const fs::path& work) {
  const fs::path name = work.has_filename() ? work : work.parent_path();
  return name.stem().string() + ".watch.html";
}

ExitCode watch_warp(const WatchOptions& options) {
  check_what_to_record(options.what);
  const Installation installation = find_installation();
  Lab lab = load_code_lab(installation, options.lab);
  if (lab.program) {
    throw UsageError(
        fmt::format("lab {} is a whole program: run it with `warpsim --record page.html -- "
                    "./program`",
                    lab.id));
  }
  (void)cases_to_watch(lab, options.case_name);  // an unknown name is reported before anything runs
  const CheckedWork work = work_at(options.work, lab);
  for (const std::string& note : work.notes) {
    fmt::print(stderr, "note: {}\n", note);
  }
  const auto session = open_session(installation, std::move(lab), options.run);
  if (options.variables && session->toolchain().compiler.kind != CompilerKind::nvcc) {
    throw UsageError(
        "--variables needs nvcc: clang's optimised code does not say where variables are");
  }
  const ScratchFolder scratch;
  const BuildResult build =
      options.variables
          ? session->build_with_variables(work.submission.files, scratch.path() / "build")
          : session->build(work.submission.files, scratch.path() / "build");
  if (!build.ok()) {
    fmt::print(stderr, "{} does not compile: {}\n", options.work.string(), build.message);
    return ExitCode::not_yet;
  }
  const auto recorded = record(*session, options, build, work.submission.files, scratch.path());
  if (!recorded) {
    fmt::print(stderr, "{} runs no kernel{}, so there is nothing to draw\n", options.work.string(),
               options.case_name.empty() ? "" : fmt::format(" in case \"{}\"", options.case_name));
    return ExitCode::not_yet;
  }
  if (!runs_line(*recorded, options.line)) {
    throw UsageError(fmt::format(
        "no recorded block executes line {} of {}; lines that are executed in case \"{}\": {}. "
        "Another block is recorded with --record-what block=X:Y:Z",
        options.line, options.work.filename().string(), recorded->name,
        ranges_of(recorded->lines)));
  }
  const fs::path file = options.output.empty() ? page_beside(options.work) : options.output;
  const std::string title =
      fmt::format("{}, case \"{}\"{}", options.work.filename().string(), recorded->name,
                  options.variables ? ", compiled with -G" : "");
  write_file_atomically(file, file.extension() == ".html"
                                  ? watch_page(recorded->bytes, title, options.line)
                                  : recorded->bytes);
  fmt::print("What {} did in case \"{}\" is in {}\n", recorded->block, recorded->name,
             file.string());
  return ExitCode::passed;
}

}  // namespace

void add_watch_warp_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "watch-warp", "Write a page with pictures of what your threads do in one case");
  const auto options = std::make_shared<WatchOptions>();
  command->add_option("lab", options->lab, "the lab's id, as `warpgrade labs` lists it")
      ->required();
  command
      ->add_option("work", options->work,
                   "the .cu or .hip file (headers it includes are copied along), or the folder or "
                   "archive to submit")
      ->required();
  command->add_option("--case", options->case_name,
                      "one of the lab's visible cases (default: the first with a finding, or else "
                      "the one with the most recorded)");
  command->add_option("--line", options->line, "open the page at this source line")
      ->check(CLI::Range(1, 1 << 30));
  command->add_option("--output,-o", options->output,
                      "the file to write (default: <work>.watch.html); one that does not end in "
                      ".html is a recording for `warpsim --show`");
  command->add_flag("--variables", options->variables,
                    "compile with nvcc -G, without optimisation: the page has the values of "
                    "variables, and the counts of such a program");
  command->add_option(
      "--record-what", options->what,
      "which block, as `warpsim --record-what`: block=X:Y:Z, launch=N, kernel=NAME, "
      "bytes=N");
  add_compiler_option(*command, options->run.compiler);
  add_sandbox_option(*command, options->run.sandbox);
  command->callback([&action, options] { action = [options] { return watch_warp(*options); }; });
}

}  // namespace warpgrade
