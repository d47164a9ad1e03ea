#include <fmt/core.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "grader/build/toolchain/toolchain.h"
#include "grader/cli/commands.h"
#include "grader/core/text.h"
#include "grader/run/session/labs_by_week.h"
#include "grader/run/session/open_session.h"
#include "harness/core/closest.h"

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

/// What is wrong with the labs that a lab should come after: unknown here, or later.
void print_wrong_order(const std::vector<Lab>& labs) {
  std::vector<std::string> ids;
  for (const Lab& lab : labs) ids.push_back(lab.id);
  for (const Lab& lab : labs) {
    for (const std::string& before : lab.schedule.after) {
      const auto it = std::find_if(labs.begin(), labs.end(),
                                   [&](const Lab& other) { return other.id == before; });
      if (it == labs.end()) {
        const std::string near = closest(before, ids);
        fmt::print("labs/{}/lab.toml: 'after' names '{}', which is not a lab here{}\n", lab.id,
                   printable(before),
                   near.empty() ? "" : fmt::format(", did you mean '{}'?", near));
      } else if (lab.schedule.week > 0 && it->schedule.week > lab.schedule.week) {
        fmt::print("labs/{}/lab.toml: 'after' names '{}', which comes later, in week {}\n", lab.id,
                   before, it->schedule.week);
      }
    }
  }
}

ExitCode list_labs() {
  const Installation installation = find_installation();
  const auto row = [](const auto&... cells) {
    fmt::print("{:>4}  {:<14} {:<28} {:>6}  {:<14} {:>6} {:>6} {:>7} {:>7} {:>10}\n", cells...);
  };
  row("week", "lab", "title", "hours", "after", "points", "cases", "hidden", "checks", "questions");
  const std::vector<Lab> labs = labs_by_week(installation);
  for (const Lab& lab : labs) {
    const auto hidden =
        std::count_if(lab.cases.begin(), lab.cases.end(), [](const Case& c) { return !c.visible; });
    const Schedule& plan = lab.schedule;
    row(plan.week > 0 ? std::to_string(plan.week) : "-", lab.id, lab.title,
        plan.hours > 0 ? human_points(plan.hours) : "-",
        plan.after.empty() ? "-" : fmt::format("{}", fmt::join(plan.after, ", ")),
        human_points(lab.rubric.total()), lab.cases.size(), hidden, lab.concepts.size(),
        lab.questions.size());
  }
  print_wrong_order(labs);
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
  CLI::App* command = app.add_subcommand(
      "labs", "List the labs by course week, with time, prerequisites and points");
  command->callback([&action] { action = list_labs; });
}

}  // namespace warpgrade
