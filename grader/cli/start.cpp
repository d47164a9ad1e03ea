#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/editor_files.h"
#include "grader/core/embedded.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "grader/show/handout/handout_page.h"
#include "grader/submit/questions/score_questions.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct StartOptions {
  std::string lab;
  fs::path folder;
  DrawKey key;  // of the numbers in the lab's questions
};

/// A file to write, and what it is for.
struct NewFile {
  std::string name;
  std::string content;
  std::string purpose;
};

std::string makefile(const Lab& lab, const Installation& installation) {
  const bool is_python = is_in_python(lab);
  std::string text = replace_all(embedded_file(is_python     ? "student_python.mk"
                                               : lab.program ? "student_program.mk"
                                                             : "student.mk"),
                                 "@LAB@", lab.id);
  text = replace_all(text, "@FILE@", lab.submit.front());
  text = replace_all(text, "@STANDARD@", slug(lab.standard));
  const std::string own =
      lab.nvcc_architecture.empty() ? std::to_string(lab.architecture) : lab.nvcc_architecture;
  text = replace_all(text, "@TARGET@", fmt::format("arch=compute_{0},code=sm_{0}", own));
  return replace_all(text, "@WB@", installation.wb_header.string());
}

/// What a page that the handout links to is for; empty: it is not listed.
std::string purpose_of(std::string_view name) {
  if (name == "machine.md") return "how the machine runs your code: the words of all labs";
  if (name == "tolerance.md") return "how far a result may be from the right one";
  if (name == "cost-model.md") return "how the modelled time is computed";
  return {};
}

/// The files that are listed, then those that they link to.
std::vector<NewFile> files_for(const Installation& installation, const Lab& lab,
                               const DrawKey& key) {
  std::vector<StudentFile> handout = handout_files(installation, lab);
  std::vector<NewFile> files;
  if (lab.has_code()) {
    files.push_back({.name = lab.stub.filename().string(),
                     .content = read_file(lab.stub),
                     .purpose = lab.program ? "write your program here" : "write your code here"});
    if (!is_in_python(lab) && (!lab.program || fs::exists(lab.header))) {
      files.push_back(
          {.name = lab.header.filename().string(),
           .content = read_file(lab.header),
           .purpose = lab.program ? "declarations for it" : "the function that you implement"});
    }
    for (const fs::path& header : lab.given) {
      files.push_back({.name = header.filename().string(),
                       .content = read_file(header),
                       .purpose = "functions that you may use"});
    }
    files.push_back({.name = "Makefile",
                     .content = makefile(lab, installation),
                     .purpose = is_in_python(lab) ? "`make check` tests"
                                                  : "`make` compiles, `make check` tests"});
  }
  files.push_back(
      {.name = "handout.html",
       .content = handout_page(lab, handout),
       .purpose = "the assignment, and how it is graded; README.md is the same as text"});
  if (!lab.questions.empty()) {
    files.push_back(
        {.name = kAnswersFile,
         .content = answers_template(lab, key),
         .purpose = fmt::format("answer the questions here; `warpgrade check {} .` says "
                                "which answers are right",
                                lab.id)});
  }
  for (StudentFile& file : handout) {
    std::string purpose = purpose_of(file.name);
    files.push_back({.name = std::move(file.name),
                     .content = std::move(file.content),
                     .purpose = std::move(purpose)});
  }
  return files;
}

/// Both options or none, and only for labs whose questions have such numbers.
void check_key(const DrawKey& key, const Lab& lab) {
  if (key.student.empty() != key.course.empty()) {
    throw UsageError(
        "--student and --draw belong together: your name in the course, and the "
        "course's id as your instructor gives it");
  }
  if (key.is_personal() && !has_drawn_numbers(lab)) {
    throw UsageError(
        fmt::format("lab {} is the same for everybody; leave out --student and --draw", lab.id));
  }
}

ExitCode start_lab(const StartOptions& options) {
  const Installation installation = find_installation();
  const Lab lab = load_lab_by_id(installation, options.lab);
  check_key(options.key, lab);
  const fs::path folder = options.folder.empty() ? fs::path(lab.id) : options.folder;
  std::vector<NewFile> files = files_for(installation, lab, options.key);
  for (EditorFile& file : editor_files(installation, lab, folder)) {
    files.push_back({std::move(file.name), std::move(file.content), std::move(file.purpose)});
  }
  for (const NewFile& file : files) {
    if (fs::exists(folder / file.name)) {
      throw UsageError(fmt::format(
          "{} already exists; nothing was changed. Choose another folder, or remove it first",
          (folder / file.name).string()));
    }
  }
  for (const NewFile& file : files) {
    write_file_atomically(folder / file.name, file.content);
  }
  fmt::print("Your folder for {} is {}:\n", lab.title, folder.string());
  for (const NewFile& file : files) {
    if (!file.purpose.empty()) fmt::print("  {:<21} {}\n", file.name, file.purpose);
  }
  fmt::print("  {:<21} common mistakes, one page each; also shown by `warpgrade explain`\n",
             "pitfalls/");
  if (fs::exists(folder / "pictures")) fmt::print("  {:<21} of these pages\n", "pictures/");
  return ExitCode::passed;
}

}  // namespace

void add_start_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "start", "Create a working folder for a lab: stub, header, handout, Makefile");
  const auto options = std::make_shared<StartOptions>();
  command->add_option("lab", options->lab, "the lab's id, as `warpgrade labs` lists it")
      ->required();
  command->add_option("dir", options->folder, "the folder to create (default: the lab's id)");
  command->add_option("--student", options->key.student,
                      "your name in the course: questions then have your own numbers");
  command->add_option("--draw", options->key.course,
                      "the course's id for --student, from your instructor");
  command->callback([&action, options] { action = [options] { return start_lab(*options); }; });
}

}  // namespace warpgrade
