#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/author/check/cost.h"
#include "grader/author/check/headlines.h"
#include "grader/author/check/labcheck.h"
#include "grader/author/check/ladder.h"
#include "grader/author/check/run_file.h"
#include "grader/author/check/show_program.h"
#include "grader/author/new/new_lab.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "grader/submit/questions/score_questions.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMaxSecretBytes = std::size_t{1} << 20U;

ExitCode new_lab(const std::string& id, const std::string& kind) {
  const Installation installation = find_installation();
  fmt::print("In {}:\n", installation.root.string());
  for (const std::filesystem::path& file : make_new_lab(installation.root, id, kind)) {
    fmt::print("  {}\n", file.string());
  }
  fmt::print(
      "Fill in the places marked TODO, and run `warpgrade lab check {}` to see what is\n"
      "missing. docs/adding-a-lab.md walks through an example of each kind of lab.\n",
      id);
  return ExitCode::passed;
}

struct QuestionsOptions {
  std::string lab;
  std::string student;
  std::filesystem::path secret_file;
};

ExitCode print_questions(const QuestionsOptions& options) {
  const Lab lab = load_lab_by_id(find_installation(), options.lab);
  if (lab.questions.empty()) {
    throw UsageError(fmt::format("lab {} has no questions", lab.id));
  }
  const std::string secret =
      options.secret_file.empty() ? "" : read_file(options.secret_file, kMaxSecretBytes);
  const DrawKey key = {.course = public_draw_id(secret), .student = options.student};
  if (!key.course.empty()) {
    fmt::print("draw id of the course: {}\n", key.course);
  }
  fmt::print("{}", answered_questions(lab, key));
  return ExitCode::passed;
}

void add_questions_command(CLI::App& command, Action& action) {
  CLI::App* questions = command.add_subcommand(
      "questions", "For staff: the questions with a student's numbers, answers and solutions");
  const auto options = std::make_shared<QuestionsOptions>();
  questions->add_option("lab", options->lab, "the lab's id")->required();
  questions->add_option("--student", options->student, "whose numbers; the name in the roster");
  questions->add_option("--secret-file", options->secret_file, "the course's secret");
  questions->callback(
      [&action, options] { action = [options] { return print_questions(*options); }; });
}

void add_run_file_command(CLI::App& command, Action& action) {
  CLI::App* run = command.add_subcommand(
      "run", "Run one program on a lab's cases, optionally under a profiler or a checker");
  const auto request = std::make_shared<RunFileRequest>();
  run->add_option("lab", request->lab, "the lab's id")->required();
  run->add_option("file", request->file, "a .cu or .py file")->required();
  run->add_option("--case", request->cases, "only this case; may be repeated (default: all)")
      ->allow_extra_args(false);
  add_compiler_option(*run, request->compiler);
  add_device_option(*run, request->device);
  run->add_option("--card", request->card, "card to emulate");
  run->add_option("--build", request->build, "keep the program here, and reuse it the next time");
  run->add_option("--json", request->json, "write the results to this file");
  const auto seconds = std::make_shared<int>(static_cast<int>(request->limit.count()));
  run->add_option("--limit", *seconds, "time limit per case in seconds")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  run->add_option("tool", request->launcher, "after --: a profiler or checker and its options");
  run->callback([&action, request, seconds] {
    request->limit = std::chrono::seconds(*seconds);
    action = [request] { return run_file(*request); };
  });
}

void add_show_command(CLI::App& command, Action& action) {
  CLI::App* show = command.add_subcommand(
      "show", "Print a wrong program, which may be stored as what differs from a right one");
  const auto request = std::make_shared<ShowRequest>();
  show->add_option("lab", request->lab, "the lab's id")->required();
  show->add_option("name", request->name, "the program: a file of reference/<lab>/wrong");
  CLI::Option* diff = show->add_flag("--diff", request->diff,
                                     "Print what differs from the program it is made from");
  show->add_option("--into", request->into, "write the program, or all, into this folder")
      ->excludes(diff);
  show->callback([&action, request] { action = [request] { return show_program(*request); }; });
}

void add_headlines_command(CLI::App& command, Action& action) {
  CLI::App* headlines = command.add_subcommand(
      "headlines", "Print the headline of each program's report, one line of JSON per program");
  const auto request = std::make_shared<HeadlinesRequest>();
  headlines->add_option("lab", request->lab, "the lab's id")->required();
  headlines->add_option("files", request->files, ".cu files")->required();
  headlines->add_option("--evidence", request->evidence, "folder for cached evidence")->required();
  add_compiler_option(*headlines, request->compiler);
  headlines->add_option("--jobs", request->jobs, "number of concurrent programs")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  headlines->callback(
      [&action, request] { action = [request] { return print_headlines(*request); }; });
}

}  // namespace

void add_lab_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lab", "For lab authors");
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand(
      "check", "Verify a lab: stub fails, stages pass, every mutant is detected and named");
  const auto request = std::make_shared<LabCheckRequest>();
  check->add_option("lab", request->lab, "the lab's id (default: all labs)");
  add_compiler_option(*check, request->compiler);
  check->add_flag("--compiled-only", request->compiled_only,
                  "Leave out what is the same with each compiler: the form in Python, cheap "
                  "answers, misreadings and questions");
  CLI::Option* changed = check->add_flag_callback(
      "--changed", [request] { request->extent = LabCheckExtent::changed; },
      "Run what is not recorded in reference/<lab>/checked.<compiler>.json as it is now, and an "
      "eighth of the rest");
  check
      ->add_option("--seed", request->seed,
                   "With --changed: any text, such as a commit; it selects the eighth")
      ->needs(changed);
  check
      ->add_flag_callback(
          "--no-sample", [request] { request->samples = false; },
          "With --changed: no eighth of the programs in CUDA C++")
      ->needs(changed);
  check->add_flag("--record", request->record,
                  "Record it in reference/<lab>/checked.<compiler>.json if all requirements are "
                  "met; with --changed what was not run stays as it is recorded");
  check->add_option("--cache", request->cache,
                    "folder for evidence, or `none` (default: the user's cache)");
  check->callback([&action, request] { action = [request] { return check_labs(*request); }; });
  CLI::App* ladder = command->add_subcommand(
      "ladder", "Record the cost of each stage, for the rooflines: reference/<lab>/ladder.json");
  const auto climbed = std::make_shared<std::string>();
  ladder->add_option("lab", *climbed, "the lab's id (default: all labs)");
  const auto predict = std::make_shared<bool>(false);
  ladder->add_flag(
      "--predict", *predict,
      "Run nothing: compare each rung's prediction for the next one with the recorded counters");
  const auto predictions = std::make_shared<std::filesystem::path>();
  ladder
      ->add_option("--into", *predictions,
                   "With --predict: page to write the table into: docs/cost-model.md")
      ->needs("--predict");
  ladder->callback([&action, climbed, predict, predictions] {
    action = [climbed, predict, predictions] {
      return *predict ? predict_ladders(*climbed, *predictions) : count_ladders(*climbed);
    };
  });
  CLI::App* cost = command->add_subcommand(
      "cost", "Grade every mutant, and print the cost of one mistake and its maximum");
  const auto costed = std::make_shared<std::string>();
  const auto page = std::make_shared<std::filesystem::path>();
  cost->add_option("lab", *costed, "the lab's id (default: all labs)");
  cost->add_option("--into", *page, "page to write the table into: docs/scoring.md");
  const auto evidence = std::make_shared<std::filesystem::path>();
  cost->add_option(
      "--evidence", *evidence,
      "folder for cached evidence, such as the `mutants` of scripts/measure_diagnosis");
  cost->callback([&action, costed, evidence, page] {
    action = [costed, evidence, page] { return count_mistakes(*costed, *evidence, *page); };
  });
  add_run_file_command(*command, action);
  add_headlines_command(*command, action);
  add_questions_command(*command, action);
  add_import_libwb_command(*command, action);
  add_show_command(*command, action);
  CLI::App* make = command->add_subcommand(
      "new",
      "Create the files of a new lab, with a TODO wherever the author has to fill something in");
  const auto made = std::make_shared<std::string>();
  make->add_option("id", *made, "its id: lower-case letters, digits and _")->required();
  const auto kind = std::make_shared<std::string>(lab_templates().front());
  make->add_option("--template", *kind, "the kind of lab: " + join_and(lab_templates()))
      ->check(CLI::IsMember(lab_templates()))
      ->type_name("")
      ->capture_default_str();
  make->callback(
      [&action, made, kind] { action = [made, kind] { return new_lab(*made, *kind); }; });
}

}  // namespace warpgrade
