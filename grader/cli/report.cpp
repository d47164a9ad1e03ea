#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

#include "grader/classroom/results.h"
#include "grader/cli/commands.h"
#include "grader/core/installation.h"

namespace warpgrade {

void add_report_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("report", "Make the pages and tables of a graded class again");
  const auto out = std::make_shared<std::filesystem::path>();
  command->add_option("out", *out, "the folder that `warpgrade grade` wrote")->required();
  command->callback([&action, out] {
    action = [out] {
      const Gradebook book = rebuild_pages(*out, find_installation());
      fmt::print("{} grades; open {}\n", book.rows.size(), (*out / "index.html").string());
      return ExitCode::passed;
    };
  });
}

}  // namespace warpgrade
