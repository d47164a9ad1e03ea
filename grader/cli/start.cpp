#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/core/embedded.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/handout/handout_page.h"
#include "grader/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

ExitCode start_lab(const std::string& id, fs::path folder) {
  const Installation installation = find_installation();
  const Lab lab = load_lab_by_id(installation, id);
  if (folder.empty()) {
    folder = lab.id;
  }
  std::vector<StudentFile> files = {
      {lab.stub.filename().string(), read_file(lab.stub)},
      {lab.header.filename().string(), read_file(lab.header)},
      {"Makefile", replace_all(embedded_file("student.mk"), "@LAB@", lab.id)}};
  std::vector<StudentFile> handout = handout_files(installation, lab);
  files.push_back({"handout.html", handout_page(lab, handout)});
  files.insert(files.end(), std::make_move_iterator(handout.begin()),
               std::make_move_iterator(handout.end()));
  for (const StudentFile& file : files) {
    if (fs::exists(folder / file.name)) {
      throw UsageError(fmt::format(
          "{} already exists; nothing was changed. Choose another folder, or remove it first",
          (folder / file.name).string()));
    }
  }
  for (const StudentFile& file : files) {
    write_file_atomically(folder / file.name, file.content);
  }
  fmt::print(
      "Your folder for {} is {}:\n"
      "  handout.html the assignment, and how it is graded; README.md is the same as text\n"
      "  {:<12} write your code here\n"
      "  {:<12} the function that you implement\n"
      "  Makefile     `make` compiles, `make check` tests\n"
      "  machine.md   how the machine runs your code: the words of all labs and reports\n"
      "  pitfalls/    common mistakes, one page each; also shown by `warpgrade explain`\n",
      lab.title, folder.string(), files[0].name, files[1].name);
  return ExitCode::passed;
}

}  // namespace

void add_start_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "start", "Create a working folder for a lab: stub, header, handout, Makefile");
  const auto id = std::make_shared<std::string>();
  const auto folder = std::make_shared<fs::path>();
  command->add_option("lab", *id, "the lab's id, as `warpgrade labs` lists it")->required();
  command->add_option("dir", *folder, "the folder to create (default: the lab's id)");
  command->callback(
      [&action, id, folder] { action = [id, folder] { return start_lab(*id, *folder); }; });
}

}  // namespace warpgrade
