#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/class/export/export.h"
#include "grader/cli/commands.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct ExportOptions {
  fs::path out;
  std::string format;
  fs::path file;
  std::string lab;
  fs::path course;
  bool staff = false;
};

/// The path of each file of a format with one file per student. A single file may be named
/// outright, such as an autograder's results.json.
fs::path target(const ExportOptions& options, const Exported& exported,
                const Exported::File& file) {
  const bool named = exported.files.size() == 1 && options.file.extension() == ".json";
  return named ? options.file : options.file / file.name;
}

ExitCode run_export(const ExportOptions& options) {
  const ExportFormat& format = export_format(options.format);
  if (!format.one_document && options.file.empty()) {
    throw UsageError(fmt::format(
        "--to {} writes one file per student; give their folder with --file", options.format));
  }
  ExportInput input = read_export_input(options.out, options.lab, options.course);
  input.staff = options.staff;
  const Exported exported = format.run(input);
  for (const std::string& note : exported.notes) {
    fmt::print(stderr, "note: {}\n", note);
  }
  for (const Exported::File& file : exported.files) {
    if (!format.one_document) {
      write_file_atomically(target(options, exported, file), file.content);
    } else if (options.file.empty()) {
      fmt::print("{}", file.content);
    } else {
      write_file_atomically(options.file, file.content);
    }
  }
  // Nothing could be exported because of internal errors: a script must notice.
  return exported.files.empty() ? ExitCode::internal : ExitCode::passed;
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "Export a class's grades in another format");
  const auto options = std::make_shared<ExportOptions>();
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) {
    names.emplace_back(format.name);
  }
  command->add_option("out", options->out, "the output folder of `warpgrade grade`")->required();
  command->add_option("--to", options->format, "the format")
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("--file", options->file,
                      "where to write it (default: the terminal); for gradescope a folder");
  command->add_option("--lab", options->lab, "only this lab");
  command->add_option("--course", options->course, "course.toml, if not the one used for grading");
  command->add_flag("--staff", options->staff,
                    "for staff: include hidden cases, regardless of their release date");
  command->callback([&action, options] { action = [options] { return run_export(*options); }; });
}

}  // namespace warpgrade
