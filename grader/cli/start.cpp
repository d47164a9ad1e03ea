#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/core/embedded.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/report/pitfall_pages.h"
#include "grader/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPages = "pitfalls";  // in the student's folder

std::string makefile(const Lab& lab, const Installation& installation) {
  std::string text = replace_all(embedded_file(lab.program ? "student_program.mk" : "student.mk"),
                                 "@LAB@", lab.id);
  return replace_all(text, "@WB@", installation.wb_header.string());
}

ExitCode start_lab(const std::string& id, fs::path folder) {
  const Installation installation = find_installation();
  const Lab lab = load_lab_by_id(installation, id);
  if (folder.empty()) {
    folder = lab.id;
  }
  // The handout links to the pages' location in the project.
  const std::string handout =
      replace_all(read_file(lab.handout), "](../../docs/pitfalls/", fmt::format("]({}/", kPages));
  std::vector<std::pair<std::string, std::string>> files = {
      {lab.stub.filename().string(), read_file(lab.stub)},
      {"README.md", handout},
      {"Makefile", makefile(lab, installation)}};
  const bool has_header = !lab.program || fs::exists(lab.header);
  if (has_header) {
    files.insert(files.begin() + 1, {lab.header.filename().string(), read_file(lab.header)});
  }
  for (auto& [page_id, page] : all_pitfalls(installation.pitfalls())) {
    files.emplace_back(fmt::format("{}/{}.md", kPages, page_id), std::move(page.markdown));
  }
  for (const auto& [name, content] : files) {
    if (fs::exists(folder / name)) {
      throw UsageError(fmt::format(
          "{} already exists; nothing was changed. Choose another folder, or remove it first",
          (folder / name).string()));
    }
  }
  for (const auto& [name, content] : files) {
    write_file_atomically(folder / name, content);
  }
  fmt::print(
      "Your folder for {} is {}:\n"
      "  README.md    the assignment, and how it is graded\n"
      "  {:<12} write your {} here\n"
      "{}"
      "  Makefile     `make` compiles, `make check` tests\n"
      "  {:<12} common mistakes, one page each; also shown by `warpgrade explain`\n",
      lab.title, folder.string(), files[0].first, lab.program ? "program" : "code",
      has_header
          ? fmt::format("  {:<12} {}\n", files[1].first,
                        lab.program ? "declarations for it" : "the function that you implement")
          : "",
      fmt::format("{}/", kPages));
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
