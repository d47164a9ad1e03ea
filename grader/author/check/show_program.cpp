#include "grader/author/check/show_program.h"

#include <fmt/core.h>

#include <vector>

#include "grader/author/check/wrong_program.h"
#include "grader/core/files.h"
#include "grader/core/line_diff.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::string diff_of(const WrongProgram& program, const Lab& lab) {
  const auto shown = [&](const fs::path& file) {
    return file.lexically_relative(lab.root).generic_string();
  };
  if (program.base.empty()) {
    throw UsageError(
        fmt::format("{} is written whole, not made from another program; without "
                    "--diff it is printed",
                    shown(program.file)));
  }
  return unified_diff(read_file(program.base), program.text, shown(program.base),
                      shown(program.file));
}

}  // namespace

ExitCode show_program(const ShowRequest& request) {
  const Lab lab = load_code_lab(find_installation(), request.lab);
  if (!request.into.empty()) {
    const std::vector<WrongProgram> programs =
        request.name.empty() ? wrong_programs(lab)
                             : std::vector<WrongProgram>{wrong_program(lab, request.name)};
    for (const WrongProgram& program : programs) {
      write_file_atomically(request.into / (program.name + program_ending(lab)), program.text);
    }
    return ExitCode::passed;
  }
  if (request.name.empty()) {
    std::vector<std::string> names;
    for (const WrongProgram& program : wrong_programs(lab)) names.push_back(program.name);
    throw UsageError(
        fmt::format("name a wrong program of lab {}, or write all of them with --into "
                    "FOLDER{}",
                    lab.id, names.empty() ? "" : "; they are " + join_and(names)));
  }
  const WrongProgram program = wrong_program(lab, request.name);
  fmt::print("{}", request.diff ? diff_of(program, lab) : program.text);
  return ExitCode::passed;
}

}  // namespace warpgrade
