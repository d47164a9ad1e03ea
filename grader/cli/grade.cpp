#include <CLI/CLI.hpp>
#include <memory>

#include "grader/classroom/grade_class.h"
#include "grader/cli/commands.h"
#include "grader/cli/common.h"
#include "grader/executor/parallel.h"

namespace warpgrade {

void add_grade_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("grade", "Grade a class: a folder or archive a student");
  const auto options = std::make_shared<ClassOptions>();
  options->jobs = available_processors();
  command->add_option("dir", options->submissions, "<dir>/<student>/<lab>.cu, or .zip or .tar.gz")
      ->required();
  command->add_option("--out", options->out, "the folder for grades and pages")->required();
  command->add_option("--lab", options->lab, "only this lab (default: every lab handed in)");
  command->add_option("--jobs", options->jobs, "submissions at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_device_option(*command, options->device);
  command
      ->add_option("--executor", options->executor,
                   "where they are graded: on this machine (local)")
      ->check(CLI::IsMember({"local"}))
      ->capture_default_str();
  command->add_flag("--resume", options->resume,
                    "keep the grades in --out whose submission has not changed");
  command->add_option("--secret-file", options->secret_file,
                      "a file with the course's secret, which hidden cases are made from");
  command->callback([&action, options] { action = [options] { return grade_class(*options); }; });
}

}  // namespace warpgrade
