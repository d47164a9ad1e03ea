#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/common.h"
#include "grader/labcheck/labcheck.h"

namespace warpgrade {

void add_lab_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lab", "For authors of labs");
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand(
      "check", "Prove a lab: stub fails, stages pass, every mutant is caught and named");
  const auto id = std::make_shared<std::string>();
  check->add_option("lab", *id, "the lab's id (default: all labs)");
  check->callback([&action, id] { action = [id] { return check_labs(*id); }; });
}

}  // namespace warpgrade
