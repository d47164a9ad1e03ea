#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <system_error>

#include "grader/class/grading/intake_table.h"
#include "grader/class/grading/mapping.h"
#include "grader/cli/commands.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

ExitCode show_intake(const ClassOptions& options, const fs::path& write, bool overwrite) {
  std::error_code error;
  if (!write.empty() && fs::exists(write, error) && !overwrite) {
    throw UsageError(
        fmt::format("{} exists and may have been edited; use --overwrite to replace it, or choose "
                    "another name",
                    write.string()));
  }
  const ClassIntake taken = take_in_class(options, find_installation());
  for (const std::string& note : taken.intake.notes) {
    fmt::print(stderr, "note: {}\n", one_line(note));
  }
  fmt::print("{}", intake_text(taken));
  if (!write.empty()) {
    write_file_atomically(write, mapping_csv(mapping_of(taken)));
    fmt::print("Written: {}. Edit it, and `warpgrade grade` obeys it{}.\n", write.string(),
               write == options.submissions / kMappingFile ? "" : " with --mapping");
  }
  return taken.intake.unclear.empty() ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace

void add_intake_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "intake", "Show what would be graded for whom, and why, before anything is compiled");
  const auto options = std::make_shared<ClassOptions>();
  const auto write = std::make_shared<fs::path>();
  const auto overwrite = std::make_shared<bool>(false);
  command->add_option("dir", options->submissions, "the submissions, as for `warpgrade grade`")
      ->required();
  command->add_option("--lab", options->lab, "only this lab");
  command->add_option("--course", options->course,
                      "roster, labs, groups (default: <dir>/course.toml, if present)");
  command->add_option("--mapping", options->mapping,
                      "an edited mapping to obey (default: <dir>/mapping.csv, if present)");
  command->add_option("--write", *write,
                      "write the mapping to this file, to be edited; <dir>/mapping.csv is obeyed");
  command->add_flag("--overwrite", *overwrite, "with --write: replace an existing file");
  const auto layout = std::make_shared<std::string>("auto");
  command->add_option("--layout", *layout, "layout of the submissions")
      ->check(CLI::IsMember(layout_names()))
      ->capture_default_str();
  command->callback([&action, options, write, overwrite, layout] {
    options->layout = layout_of_name(*layout);
    if (options->layout == Layout::one) {
      throw CLI::ValidationError("--layout one", "is for `warpgrade grade --student`");
    }
    action = [options, write, overwrite] { return show_intake(*options, *write, *overwrite); };
  });
}

}  // namespace warpgrade
