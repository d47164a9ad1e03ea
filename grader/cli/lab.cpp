#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/common.h"
#include "grader/core/installation.h"
#include "grader/labcheck/labcheck.h"
#include "grader/labcheck/ladder.h"
#include "grader/labnew/new_lab.h"

namespace warpgrade {
namespace {

ExitCode new_lab(const std::string& id) {
  const Installation installation = find_installation();
  fmt::print("In {}:\n", installation.root.string());
  for (const std::filesystem::path& file : make_new_lab(installation.root, id)) {
    fmt::print("  {}\n", file.string());
  }
  fmt::print(
      "Fill in what says TODO, build the project again (it compiles golden.cpp), and let\n"
      "`warpgrade lab check {}` tell what is missing. docs/adding-a-lab.md leads through one.\n",
      id);
  return ExitCode::passed;
}

}  // namespace

void add_lab_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lab", "For authors of labs");
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand(
      "check", "Prove a lab: stub fails, stages pass, every mutant is caught and named");
  const auto id = std::make_shared<std::string>();
  check->add_option("lab", *id, "the lab's id (default: all labs)");
  check->callback([&action, id] { action = [id] { return check_labs(*id); }; });
  CLI::App* ladder = command->add_subcommand(
      "ladder", "Count what each stage costs, for the rooflines: reference/<lab>/ladder.json");
  const auto climbed = std::make_shared<std::string>();
  ladder->add_option("lab", *climbed, "the lab's id (default: all labs)");
  ladder->callback([&action, climbed] { action = [climbed] { return count_ladders(*climbed); }; });
  CLI::App* make = command->add_subcommand(
      "new", "Make the files of a new lab, with a TODO wherever its author has to say something");
  const auto made = std::make_shared<std::string>();
  make->add_option("id", *made, "its id: lower-case letters, digits and _")->required();
  make->callback([&action, made] { action = [made] { return new_lab(*made); }; });
}

}  // namespace warpgrade
