#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/core/files.h"
#include "grader/gradebook/gradebook.h"

namespace warpgrade {

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "Write a class's grades in another format");
  const auto out = std::make_shared<std::filesystem::path>();
  const auto format = std::make_shared<std::string>();
  const auto file = std::make_shared<std::filesystem::path>();
  command->add_option("out", *out, "the folder that `warpgrade grade` wrote")->required();
  command->add_option("--to", *format, "the format")->required()->check(CLI::IsMember({"csv"}));
  command->add_option("--file", *file, "where to write it (default: the terminal)");
  command->callback([&action, out, file] {
    action = [out, file] {
      const std::string csv = gradebook_csv(read_gradebook(*out));
      if (file->empty()) {
        fmt::print("{}", csv);
      } else {
        write_file_atomically(*file, csv);
      }
      return ExitCode::passed;
    };
  });
}

}  // namespace warpgrade
