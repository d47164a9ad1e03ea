#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/author/check/labcheck.h"
#include "grader/author/import/import_libwb.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/installation.h"

namespace warpgrade {
namespace {

ExitCode import(const std::filesystem::path& folder, std::string id,
                std::optional<CompilerRequest> compiler) {
  const Installation installation = find_installation();
  if (id.empty()) id = id_of_folder(folder);
  const ImportedLab lab =
      import_libwb(read_libwb_folder(folder, installation), installation.root, id);
  fmt::print("In {}:\n", installation.root.string());
  for (const std::filesystem::path& file : lab.files) fmt::print("  {}\n", file.string());
  fmt::print("What the folder does not say, and what was assumed; change it in labs/{}/lab.toml:\n",
             id);
  for (const std::string& what : lab.unknown) fmt::print("  - {}\n", what);
  if (!lab.decisions.empty()) {
    fmt::print("What a person has to look at:\n");
    for (const std::string& what : lab.decisions) fmt::print("  - {}\n", what);
  }
  if (!lab.has_solution) {
    fmt::print(
        "There is no solution.cu, so nothing proves that the lab works: write "
        "reference/{0}/solution.cu and run `warpgrade lab check {0}`.\n",
        id);
    return ExitCode::passed;
  }
  fmt::print("\n");
  std::fflush(stdout);
  LabCheckRequest check;
  check.lab = id;
  check.compiler = compiler;
  return check_labs(check);
}

}  // namespace

void add_import_libwb_command(CLI::App& lab, Action& action) {
  CLI::App* command = lab.add_subcommand(
      "import-libwb", "Make a lab from the folder of a course that uses libwb, and verify it");
  const auto folder = std::make_shared<std::filesystem::path>();
  command->add_option("dir", *folder, "the folder with template.cu, solution.cu and datasets")
      ->required();
  const auto id = std::make_shared<std::string>();
  command->add_option("--id", *id, "the new lab's id (default: from the folder's name)");
  const auto compiler = std::make_shared<std::optional<CompilerRequest>>();
  add_compiler_option(*command, *compiler);
  command->callback([&action, folder, id, compiler] {
    action = [folder, id, compiler] { return import(*folder, *id, *compiler); };
  });
}

}  // namespace warpgrade
