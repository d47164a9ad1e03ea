#include "grader/run/cases/case_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <system_error>

#include "grader/core/disk.h"
#include "grader/core/error.h"
#include "grader/core/parallel.h"
#include "grader/core/remove_tree.h"
#include "grader/core/steps.h"
#include "grader/core/text.h"
#include "grader/run/cases/kept_outputs.h"
#include "grader/run/cases/second_run.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/run/worker/run_folder.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker_inputs.h"
#include "harness/case/request.h"
#include "harness/lab/read_function.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// After so many cases that never end no more cases are run, since each may take the whole time
/// limit. So many cases run before the first check whether to go on, and more at a time later; both
/// are independent of the number of jobs, because the grade must be.
constexpr std::size_t kEndlessLimit = 2;
constexpr std::size_t kWave = 4;

void fill_comparison(const CaseResult& judged, CaseOutcome& outcome) {
  CaseReport& report = outcome.report;
  const OutputResult* worst = judged.worst();
  if (worst == nullptr) {
    return;
  }
  const Comparison& c = worst->comparison;
  report.elements = c.count;
  report.wrong_elements = c.mismatches;
  report.max_error = c.max_error;
  report.bound = c.bound;
  for (const Mismatch& m : c.first) {
    report.first_mismatches.push_back({.parameter = worst->parameter,
                                       .index = m.index,
                                       .got = m.got,
                                       .want = m.want,
                                       .bound = m.bound});
  }
  if (!c.passed()) {
    outcome.unwritten_elements = worst->pattern.unwritten;
    report.pattern = slug(worst->pattern.kind);
    report.pattern_detail = worst->pattern.detail;
    report.wrong_map = worst->wrong_map;
  }
}

/// For a run without a complete record.
void judge_incomplete(const WorkerRun& run, const CaseResult& judged, const Lab& lab,
                      CaseOutcome& outcome) {
  CaseReport& report = outcome.report;
  const ProcessResult& process = run.process;
  if (!run.device_fault.empty()) {
    report.verdict = CaseVerdict::error;
    report.message = run.device_fault;
    return;
  }
  // On the emulator nothing of the harness can fail that late but by the submission's doing; on a
  // GPU it can, as when the card is gone.
  const bool is_ours =
      judged.record.harness_fault && (judged.record.fault_before_code || !run.delivery.has_value());
  if (is_ours || process.end == ProcessEnd::not_started) {
    report.verdict = CaseVerdict::error;
    report.message = process.end == ProcessEnd::not_started
                         ? fmt::format("The worker {}.", describe_end(process, run.limits))
                         : judged.message;
    return;
  }
  report.verdict = CaseVerdict::crashed;
  if (judged.record.harness_fault) {
    outcome.ended_early = true;
    report.message = fmt::format(
        "The harness could not continue after the submission's initializers had run: {}.",
        *judged.record.harness_fault);
    return;
  }
  if (process.end == ProcessEnd::exited) {
    outcome.ended_early = judged.record.raised.empty();
    if (outcome.emulator) {
      // What the function would have freed is not known, and the rest is the harness's own.
      std::erase_if(outcome.emulator->findings,
                    [](const ReportedFinding& f) { return f.is(warpsim::FindingKind::leak); });
    }
    if (!judged.record.raised.empty()) {
      report.message =
          fmt::format("`{}` did not return. {}", lab.function, printable(judged.record.raised));
      if (!report.message.ends_with('.')) report.message += '.';
      return;
    }
    report.message = fmt::format(
        "The program ended (exit code {}) before the harness finished; `{}` must return, not exit.",
        process.code, lab.function);
    return;
  }
  report.message = judged.record.guard_hit
                       ? judged.message
                       : fmt::format("The program {}.", describe_end(process, run.limits));
  if (run.report) {
    if (const ReportedFinding* f =
            run.report->find(warpsim::FindingKind::host_access_of_device_memory)) {
      report.message += fmt::format(" Host code used a device pointer: {}.", f->message);
      outcome.pitfall = f->pitfall.empty() ? "P44" : f->pitfall;
    }
  }
}

/// Whether the process ended as the worker's main() ends. The record alone is not proof, because
/// the process writes it itself.
bool ended_well(const ProcessResult& process) {
  return process.end == ProcessEnd::exited && process.code == 0;
}

/// A complete record followed by a signal or an exit code: the outputs cannot be trusted.
void ended_badly(const WorkerRun& run, const Lab& lab, CaseOutcome& outcome) {
  outcome.ended_early = true;
  outcome.report.verdict = CaseVerdict::crashed;
  outcome.report.message = fmt::format(
      "`{}` returned, but then the program {}: do not leave anything behind that terminates it.",
      lab.function, describe_end(run.process, run.limits));
}

/// The device process has ended the session, or the outputs are not the device's.
/// @returns whether that decides the case
bool breaks_delivery(const WorkerRun& run, const CaseResult& judged, CaseOutcome& outcome) {
  if (!run.delivery) {
    return false;
  }
  if (!run.delivery->violation.empty()) {
    outcome.ended_early = true;
    outcome.report.verdict = CaseVerdict::crashed;  // there may be no report
    outcome.report.message =
        fmt::format("The program {}: the device had to stop.", printable(run.delivery->violation));
    return true;
  }
  if (!run.delivery->foreign || judged.status != CaseStatus::passed) {
    return false;
  }
  const Delivery::Foreign& foreign = *run.delivery->foreign;
  outcome.from_host = fmt::format(
      "{} of the {} bytes of `{}` are not what the device sent to the host, the first in element "
      "{}",
      foreign.bytes, foreign.of_bytes, foreign.argument, foreign.first_element);
  outcome.report.verdict = CaseVerdict::broke_contract;
  outcome.report.message = fmt::format(
      "The outputs are computed by the host, which is the kernels' task: {}.", outcome.from_host);
  return true;
}

/// The emulator writes its report last; a program that ends before then hides the findings.
void no_report(const Lab& lab, CaseOutcome& outcome) {
  outcome.ended_early = true;
  outcome.report.verdict = CaseVerdict::crashed;
  if (lab.program) {
    outcome.report.message =
        "The program ended before the emulator had written its report; it must end by returning "
        "from main() or calling exit().";
    return;
  }
  outcome.report.message = fmt::format(
      "The program ended before the emulator had written its report; `{}` must return, and must "
      "not leave anything behind that terminates the program.",
      lab.function);
}

bool used_up_processor_time(const ProcessResult& process) {
  return process.end == ProcessEnd::signalled && process.code == SIGXCPU;
}

/// A missing feature or an internal error of the emulator; not a mistake of the submission.
/// @param verdict  set to the verdict on such a case
const ReportedFinding* lack_of_ours(const WorkerRun& run, CaseVerdict& verdict) {
  if (!run.report) {
    return nullptr;
  }
  verdict = CaseVerdict::error;
  if (const ReportedFinding* f = run.report->find(warpsim::FindingKind::internal_error)) {
    return f;
  }
  verdict = CaseVerdict::not_assessed;
  const auto& findings = run.report->findings;
  const auto it = std::find_if(findings.begin(), findings.end(), [](const ReportedFinding& f) {
    return f.is_about(warpsim::FindingTopic::emulator);
  });
  return it == findings.end() ? nullptr : &*it;
}

CaseOutcome not_run(const Case& spec) {
  CaseOutcome outcome;
  outcome.spec = &spec;
  outcome.report.name = spec.name;
  outcome.report.visible = spec.visible;
  outcome.report.shape = spec.data.dims;
  std::erase_if(outcome.report.shape, [](const auto& dim) { return is_call_switch(dim.first); });
  outcome.report.verdict = CaseVerdict::not_run;
  outcome.report.message = "Not run: earlier cases timed out.";
  return outcome;
}

}  // namespace

CaseOutcome run_case(LabSession& session, const BuildResult& build, const Case& spec,
                     const Secret& secret, const fs::path& scratch, Replays* replays) {
  const std::shared_ptr<const CaseData> data = session.data(spec, secret);
  const std::shared_ptr<const CaseData> other =
      replays == nullptr ? nullptr : replays->inputs_for(*data);
  const auto prepare = [&](const fs::path& place, const Device& device) {
    return prepare_case(data, place, OutputStart::poison, inputs_by(device, build.program));
  };
  const auto run_on = [&](const Device& device, const PreparedCase& c,
                          std::chrono::seconds wall = kWallLimit) {
    if (other == nullptr || device.kind != DeviceKind::emulator) {
      return run_worker(build.program, c, device, build.source_folder, {}, wall);
    }
    ReplayedRun both = run_with_replay(build.program, c, *other, device, build.source_folder, wall);
    if (both.replay) replays->set(spec.name, *std::move(both.replay));
    return std::move(both.run);
  };
  const fs::path folder = new_run_folder(scratch);
  auto [prepared, run] =
      run_undisturbed([&] { return prepare(folder, session.device()); },
                      [&](const PreparedCase& c) { return run_on(session.device(), c); });
  // A slow machine, or a slow program, is no endless loop.
  const bool is_slow =
      run.process.end == ProcessEnd::out_of_time && run.progress && makes_progress(*run.progress);
  if (is_slow) {
    remove_tree(prepared.folder);
    prepared = prepare(folder, session.device());
    run = run_on(session.device(), prepared, kSlowWallLimit);
  }
  const CaseResult judged = judge_case(prepared);
  if (judged.status != CaseStatus::passed) require_room(scratch);
  std::optional<CaseOutcome> emulated;
  if (session.device().kind == DeviceKind::cuda && has_emulator(session.installation())) {
    // The emulator's findings are still needed.
    Device emulator = session.emulator();
    emulator.sandbox = session.device().sandbox;
    const fs::path of_emulator = new_run_folder(scratch);
    const auto [again, on_emulator] =
        run_undisturbed([&] { return prepare(of_emulator, emulator); },
                        [&](const PreparedCase& c) { return run_on(emulator, c); });
    emulated = judge_run(spec, on_emulator, judge_case(again), session.lab());
    run.report = on_emulator.report;
    remove_tree(of_emulator.parent_path());
  }
  CaseOutcome outcome = judge_run(spec, run, judged, session.lab());
  if (emulated) heed_emulator(*emulated, outcome);
  if (session.device().kind == DeviceKind::emulator && may_depend_on_schedule(outcome)) {
    Device shuffled = session.device();
    shuffled.schedule_seed = 1;
    const PreparedCase again = prepare(new_run_folder(scratch), shuffled);
    (void)run_worker(build.program, again, shuffled, build.source_folder);
    if (read_record(again.folder / kRecordFile, again.nonce).complete()) {
      compare_runs(prepared, again, outcome);
    }
    remove_tree(again.folder.parent_path());
  }
  if (has_emulator(session.installation()) && !run.report &&
      judged.status != CaseStatus::incomplete) {
    no_report(session.lab(), outcome);
  }
  // Where the emulator's verdict counts, its outputs were in a folder of their own.
  if (outcome.report.verdict == CaseVerdict::wrong && judged.status == CaseStatus::wrong) {
    keep_outputs(prepared, scratch);
  }
  remove_tree(folder.parent_path());
  return outcome;
}

CaseOutcome judge_run(const Case& spec, const WorkerRun& run, const CaseResult& judged,
                      const Lab& lab) {
  CaseOutcome outcome = not_run(spec);
  CaseReport& report = outcome.report;
  report.message = judged.message;
  report.seconds = run.process.seconds;
  outcome.pitfall = judged.pitfall;
  outcome.printed = run.process.out;
  outcome.emulator = run.report;
  if (judged.record.output_cut && lab.program) {
    outcome.printed += "\n(more was printed than was kept)\n";
  }
  if (const ReportedFinding* f = run.never_ends()) {
    report.verdict = CaseVerdict::never_ends;
    report.message = as_sentence(f->message);
    outcome.pitfall = f->pitfall;
    return outcome;
  }
  // Twice: a submission cannot send itself that signal (build/inspection, harness/syscalls).
  if (was_killed(run.process, run.limits)) {
    report.verdict = CaseVerdict::error;
    report.message = fmt::format("The program {}.", describe_end(run.process, run.limits));
    return outcome;
  }
  if (run.process.end == ProcessEnd::out_of_processes ||
      run.process.end == ProcessEnd::out_of_disk) {
    report.verdict = CaseVerdict::crashed;
    report.message = fmt::format("The program {}.", describe_end(run.process, run.limits));
    outcome.ended_early = true;
    return outcome;
  }
  if (run.process.end == ProcessEnd::out_of_time || used_up_processor_time(run.process)) {
    report.verdict = CaseVerdict::never_ends;
    outcome.stopped_by_clock = true;
    report.message = fmt::format("The program {}.", describe_end(run.process, run.limits));
    if (run.progress) {
      outcome.slow = makes_progress(*run.progress);
      report.message += " " + describe(*run.progress);
    }
    return outcome;
  }
  CaseVerdict lack = CaseVerdict::error;
  if (const ReportedFinding* f = lack_of_ours(run, lack);
      f && judged.status != CaseStatus::passed) {
    report.verdict = lack;
    report.message = as_sentence(f->message);
    return outcome;
  }
  const bool is_stopped = run.delivery && !run.delivery->violation.empty();
  if (judged.status != CaseStatus::incomplete && !lab.program && !is_stopped &&
      !ended_well(run.process)) {
    ended_badly(run, lab, outcome);
    return outcome;
  }
  if (breaks_delivery(run, judged, outcome)) {
    return outcome;
  }
  switch (judged.status) {
    case CaseStatus::passed:
      report.verdict = CaseVerdict::passed;
      break;
    case CaseStatus::wrong:
      report.verdict = CaseVerdict::wrong;
      break;
    case CaseStatus::broke_contract:
      report.verdict = CaseVerdict::broke_contract;
      break;
    case CaseStatus::cuda_error:
      report.verdict = CaseVerdict::cuda_error;
      break;
    case CaseStatus::incomplete:
      judge_incomplete(run, judged, lab, outcome);
      return outcome;
  }
  if (report.verdict != CaseVerdict::cuda_error) {  // which explains any output
    fill_comparison(judged, outcome);
  }
  return outcome;
}

void heed_emulator(const CaseOutcome& emulated, CaseOutcome& on_card) {
  const CaseVerdict verdict = emulated.report.verdict;
  if (on_card.report.verdict != CaseVerdict::passed || !emulated.emulator ||
      (verdict != CaseVerdict::wrong && verdict != CaseVerdict::broke_contract &&
       verdict != CaseVerdict::cuda_error)) {
    return;
  }
  const auto& findings = emulated.emulator->findings;
  const auto changes_results = [](const ReportedFinding& f) {
    return (f.is_error() && !f.is_tidiness()) || f.relies_on_luck();
  };
  if (std::none_of(findings.begin(), findings.end(), changes_results)) {
    return;
  }
  const double seconds = on_card.report.seconds;
  on_card.report = emulated.report;
  on_card.report.seconds = seconds;
  on_card.report.message = fmt::format(
      "Correct on this GPU by chance, but not in the emulator, which explains why under "
      "\"safety\": {}",
      emulated.report.message);
  on_card.pitfall = emulated.pitfall;
}

std::vector<const Case*> all_cases(const Lab& lab) {
  std::vector<const Case*> cases;
  for (const Case& spec : lab.cases) cases.push_back(&spec);
  return cases;
}

std::vector<CaseOutcome> run_cases(LabSession& session, const BuildResult& build,
                                   const std::vector<const Case*>& cases, const Secret& secret,
                                   const fs::path& scratch, std::size_t jobs, Replays* replays) {
  std::vector<CaseOutcome> outcomes(cases.size());
  std::size_t endless = 0;
  std::size_t count = 0;
  std::atomic<std::size_t> begun = 0;
  for (std::size_t start = 0; start < cases.size(); start += count) {
    count = std::min(start == 0 ? kEndlessLimit : kWave, cases.size() - start);
    if (endless >= kEndlessLimit) {
      for (std::size_t i = start; i < cases.size(); ++i) {
        outcomes[i] = not_run(*cases[i]);
      }
      break;
    }
    parallel_for(count, jobs, [&](std::size_t i) {
      const std::size_t index = start + i;
      begin_step(fmt::format("case {} of {}", ++begun, cases.size()));
      outcomes[index] = run_case(session, build, *cases[index], secret, scratch, replays);
    });
    for (std::size_t i = start; i < start + count; ++i) {
      endless += outcomes[i].report.verdict == CaseVerdict::never_ends ? 1 : 0;
    }
  }
  return outcomes;
}

}  // namespace warpgrade
