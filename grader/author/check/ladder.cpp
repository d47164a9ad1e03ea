#include "grader/author/check/ladder.h"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "grader/author/check/stage.h"
#include "grader/author/check/table.h"
#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/run/session/ladder_file.h"
#include "grader/run/session/open_session.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::optional<ReferenceCost> cost_of(LabSession& session, const fs::path& stage) {
  const std::optional<Lab> variant = lab_of_stage(session.lab(), stage);
  if (!variant) {
    return session.measure(stage, *session.lab().find_case(session.lab().performance_case), {});
  }
  LabSession own(session.installation(), session.toolchain(), session.device(), *variant);
  own.cache_objects();
  return own.measure(stage, *own.lab().find_case(own.lab().performance_case), {});
}

void print_head(const Lab& lab) {
  fmt::print("{} ({}), case \"{}\"\n", lab.title, lab.id, lab.performance_case);
  fmt::print("  {:<32} {:>13} {:>13} {:>13}\n", "stage", "modelled ms", "predicted ms", "off by");
}

bool is_close(double ms, double predicted) {
  constexpr double kClose = 0.25;
  return std::abs(predicted / ms - 1) <= kClose;
}

/// @param predicted  from the stage before; 0 if there is no prediction
void print_stage(const std::string& stage, double ms, double predicted) {
  if (!(predicted > 0)) {
    fmt::print("  {:<32} {:>13.4g}\n", stage, ms);
    return;
  }
  const double off = predicted / ms - 1;
  fmt::print("  {:<32} {:>13.4g} {:>13.4g} {:>11.0f} %{}\n", stage, ms, predicted, 100 * off,
             is_close(ms, predicted) ? "" : "  !");
}

bool count_ladder(LabSession& session) {
  const Lab& lab = session.lab();
  std::vector<std::optional<ReferenceCost>> costs(lab.rungs.size());
  parallel_for(lab.rungs.size(), available_processors(), [&](std::size_t i) {
    costs[i] = cost_of(session, stage_of(lab, lab.rungs[i].stage));
  });
  std::vector<RungCost> rungs;
  print_head(lab);
  double predicted = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const Rung& rung = lab.rungs[i];
    if (costs[i]) {
      print_stage(rung.stage, costs[i]->modelled_ms, predicted);
      predicted = predict_next(lab, rung, *costs[i]);
      rungs.push_back({.rung = i + 1,
                       .stage = rung.stage,
                       .title = rung.title,
                       .card = costs[i]->card,
                       .cost = std::move(*costs[i]),
                       .next_ms = predicted});
    } else {
      fmt::print("  {:<32} PROBLEM: it does not run or fails; see `warpgrade lab check {}`\n",
                 rung.stage, lab.id);
    }
  }
  write_ladder(lab, rungs);
  return rungs.size() == costs.size();
}

}  // namespace

ExitCode predict_ladders(const std::string& id, const fs::path& into) {
  constexpr std::string_view kMarker = "warpgrade lab ladder --predict";
  const Installation installation = find_installation();
  std::string table =
      "| lab | rung | the idea | modelled, ms | predicted, ms | predicted / modelled | within 25 % "
      "|\n|---|--:|---|--:|--:|--:|---|\n";
  int predictions = 0;
  int close = 0;
  for (const std::string& name : code_labs(installation, id)) {
    const Lab lab = load_code_lab(installation, name);
    print_head(lab);
    const RungCost* before = nullptr;
    const std::vector<RungCost> rungs = read_ladder(lab);
    for (const RungCost& rung : rungs) {
      const double ms = rung.cost.modelled_ms;
      const double predicted =
          before != nullptr && before->rung + 1 == rung.rung ? before->next_ms : 0;
      print_stage(rung.stage, ms, predicted);
      if (predicted > 0) {
        const bool is = is_close(ms, predicted);
        ++predictions;
        close += is ? 1 : 0;
        table += fmt::format("| {} | {} | {} | {:.4g} | {:.4g} | {:.2f} | {} |\n", name, rung.rung,
                             rung.title, ms, predicted, predicted / ms, is ? "yes" : "**no**");
      }
      before = &rung;
    }
  }
  table += fmt::format("\n{} of {} predictions are within 25 %.\n", close, predictions);
  fmt::print("{} of {} predictions are within 25 %.\n", close, predictions);
  if (!into.empty()) write_file_atomically(into, with_table(into, kMarker, table));
  return ExitCode::passed;
}

ExitCode count_ladders(const std::string& id) {
  const Installation installation = find_installation();
  bool all = true;
  for (const std::string& lab : code_labs(installation, id)) {
    const std::unique_ptr<LabSession> session = open_session(
        installation, load_code_lab(installation, lab), {.device = DeviceRequest::emulator});
    session->cache_objects();
    all = count_ladder(*session) && all;
    if (id.empty() && has_python_form(session->lab())) {
      const auto other = open_session(installation, read_python_form(session->lab()),
                                      {.device = DeviceRequest::emulator});
      all = count_ladder(*other) && all;
    }
  }
  return all ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace warpgrade
