#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/visible_case.h"
#include "grader/core/files.h"
#include "grader/run/session/open_session.h"
#include "harness/case/case_data.h"
#include "harness/case/program_run.h"
#include "harness/data/npy.h"
#include "harness/golden/golden_library.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The files of a program, as it reads them, and how to run it there.
ExitCode write_files(const Lab& lab, const Case& spec, const fs::path& out) {
  CaseData data;
  data.lab = &lab;
  data.spec = &spec;
  data.inputs = make_inputs(lab, spec, Secret{});
  std::string command = "warpsim -- ./" + lab.id;
  for (const std::string& word : program_arguments(lab, spec)) command += " " + word;
  for (const auto& [name, text] : input_files(data)) {
    write_file_atomically(out / name, text);
    fmt::print("{}  {} bytes\n", (out / name).string(), text.size());
    if (name == kStdin) command += fmt::format(" <{}", name);
  }
  fmt::print("Run the program in that folder: {}\n", command);
  return ExitCode::passed;
}

ExitCode write_data(const std::string& id, const std::string& name, const fs::path& out) {
  const Installation installation = find_installation();
  const Lab lab = load_code_lab(installation, id);
  const Case& spec = require_visible_case(lab, name);
  require_writable_folder(out);
  if (lab.program) {
    return write_files(lab, spec, out);
  }
  for (const auto& [parameter, array] : make_inputs(lab, spec, Secret{})) {
    const fs::path file = out / (parameter + ".npy");
    write_npy(file, array);
    fmt::print("{}  {} elements of {}\n", file.string(), array.count(), name_of(array.type));
    if (array.type != ElementType::character) continue;
    const auto* text = reinterpret_cast<const char*>(array.bytes.data());
    write_file_atomically(out / (parameter + ".txt"), std::string(text, array.bytes.size()));
  }
  return ExitCode::passed;
}

}  // namespace

void add_data_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "data",
      "Write a visible case's inputs: as .npy files, text as .txt, too; or as a program's files");
  const auto id = std::make_shared<std::string>();
  const auto name = std::make_shared<std::string>();
  const auto out = std::make_shared<fs::path>();
  command->add_option("lab", *id, "the lab's id, as `warpgrade labs` lists it")->required();
  command->add_option("--case", *name, "the case's name")->required();
  command->add_option("--out", *out, "the folder to write to")->required();
  command->callback([&action, id, name, out] {
    action = [id, name, out] { return write_data(*id, *name, *out); };
  });
}

}  // namespace warpgrade
