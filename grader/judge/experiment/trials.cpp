#include "grader/judge/experiment/trials.h"

#include <algorithm>
#include <utility>

#include "grader/core/remove_tree.h"
#include "grader/judge/experiment/candidates.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/run/cases/case_run.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker.h"
#include "grader/run/worker/worker_inputs.h"
#include "harness/case/case.h"

namespace warpgrade {
namespace {

/// Per warp, in a changed run: a change may make a kernel endless, and only small cases are run.
constexpr std::uint64_t kInstructionBudget = 1 << 18;
constexpr std::chrono::seconds kWall{5};

bool was_made(const EmulatorReport& report) {
  return std::all_of(
      report.changes.begin(), report.changes.end(),
      [](const warpsim::ChangeReport& c) { return c.problem.empty() && c.places > 0; });
}

bool is_nowhere(const EmulatorReport& report) {
  return !report.changes.empty() &&
         std::ranges::all_of(report.changes,
                             [](const warpsim::ChangeReport& c) { return c.places == 0; });
}

}  // namespace

double work_of(const CaseOutcome& outcome) {
  return outcome.emulator ? outcome.emulator->total(kInstructionsMetric) : 0;
}

Trials::Trials(LabSession& session, const BuildResult& build, Secret secret,
               std::filesystem::path folder, const TrialBudget& budget)
    : session_(session),
      build_(build),
      secret_(std::move(secret)),
      folder_(std::move(folder)),
      budget_(budget) {}

bool Trials::affordable(const CaseOutcome& outcome) const {
  return outcome.emulator && work_of(outcome) <= budget_.largest_case;
}

std::optional<Trial> Trials::run(const CaseOutcome& outcome, const std::string& change, bool zeroed,
                                 bool looks_for_races, std::uint64_t seed) {
  const double instructions = work_of(outcome);
  if (runs_ >= budget_.runs || warp_instructions_ + instructions > budget_.warp_instructions) {
    return std::nullopt;
  }
  if (std::chrono::steady_clock::now() - started_ > budget_.wall) {
    interrupted_ = true;
    return std::nullopt;
  }
  ++runs_;
  warp_instructions_ += instructions;

  Device device = session_.device();
  if (device.kind != DeviceKind::emulator) {
    device = session_.emulator();
    device.sandbox = session_.device().sandbox;
  }
  device.changes = change;
  device.checks = looks_for_races ? "races" : "none";
  device.instruction_budget = kInstructionBudget;
  device.schedule_seed = seed;
  const auto [prepared, worker] = run_undisturbed(
      [&] {
        return prepare_case(session_.data(*outcome.spec, secret_), folder_ / "trial",
                            zeroed ? OutputStart::zero : OutputStart::poison,
                            inputs_by(device, build_.program));
      },
      [&](const PreparedCase& laid_out) {
        return run_worker(build_.program, laid_out, device, build_.source_folder, {}, kWall);
      });
  const CaseOutcome judged =
      judge_run(*outcome.spec, worker, judge_case(prepared, Judging::status), session_.lab());
  remove_tree(folder_);

  Trial trial;
  trial.right = judged.report.verdict == CaseVerdict::passed && worker.report.has_value();
  // On another machine, or if nobody kills the process, it may end differently.
  if (worker.process.end == ProcessEnd::out_of_time ||
      judged.report.verdict == CaseVerdict::error) {
    interrupted_ = true;
  }
  if (worker.report) {
    const EmulatorReport& report = *worker.report;
    trial.races = std::any_of(report.findings.begin(), report.findings.end(), is_race);
    trial.made = was_made(report);
    trial.nowhere = is_nowhere(report);
    trial.outside_branch =
        std::any_of(report.changes.begin(), report.changes.end(),
                    [](const warpsim::ChangeReport& c) { return c.outside_branch; });
  }
  return trial;
}

}  // namespace warpgrade
