#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

#include "grader/cli/commands.h"
#include "grader/core/text.h"
#include "grader/session/open_session.h"
#include "grader/toolchain/toolchain.h"

namespace warpgrade {
namespace {

bool has_compiler(const Installation& installation) {
  try {
    (void)find_compiler(CompilerRequest::automatic, installation);
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

ExitCode list_labs() {
  const Installation installation = find_installation();
  fmt::print("{:<14} {:<28} {:>6} {:>6} {:>7} {:>14} {:>10}\n", "lab", "title", "points", "cases",
             "hidden", "concept checks", "questions");
  for (const std::string& id : find_labs(installation.root)) {
    const Lab lab = load_lab_by_id(installation, id);
    const auto hidden =
        std::count_if(lab.cases.begin(), lab.cases.end(), [](const Case& c) { return !c.visible; });
    fmt::print("{:<14} {:<28} {:>6} {:>6} {:>7} {:>14} {:>10}\n", lab.id, lab.title,
               human_points(lab.rubric.total()), lab.cases.size(), hidden, lab.concepts.size(),
               lab.questions.size());
  }
  const std::optional<Gpu> gpu = find_gpu();
  const bool can_build = has_compiler(installation);
  fmt::print("\nThis machine: {}.\n",
             !can_build ? "no compiler: nothing can be assessed; see `warpgrade doctor`"
             : gpu      ? gpu->name + "; correctness on the GPU, the rest on the emulator"
                        : "no GPU; everything is assessed on the emulator, with modelled times");
  return ExitCode::passed;
}

}  // namespace

void add_labs_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("labs", "List the labs, their points, and what this machine can assess");
  command->callback([&action] { action = list_labs; });
}

}  // namespace warpgrade
