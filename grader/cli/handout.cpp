#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/core/files.h"
#include "grader/run/session/open_session.h"
#include "grader/show/handout/handout_page.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

ExitCode write_handout(const std::string& id, fs::path file) {
  const Installation installation = find_installation();
  const Lab lab = load_lab_by_id(installation, id);
  if (file.empty()) {
    file = lab.id + ".html";
  }
  write_file_atomically(file, handout_page(lab, handout_files(installation, lab)));
  fmt::print("The handout of {} is {}: open it in a browser, or print it from there.\n", lab.title,
             file.string());
  return ExitCode::passed;
}

}  // namespace

void add_handout_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "handout", "Write a lab's handout as one HTML page with its pictures, for screen or paper");
  const auto id = std::make_shared<std::string>();
  const auto file = std::make_shared<fs::path>();
  command->add_option("lab", *id, "the lab's id, as `warpgrade labs` lists it")->required();
  command->add_option("--output,-o", *file, "the file to write (default: <lab>.html)");
  command->callback(
      [&action, id, file] { action = [id, file] { return write_handout(*id, *file); }; });
}

}  // namespace warpgrade
