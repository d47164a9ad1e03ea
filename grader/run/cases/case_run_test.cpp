#include "grader/run/cases/case_run.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

struct Run {
  Lab lab = testing::test_lab();
  WorkerRun worker{.process = {}, .limits = {}, .report = EmulatorReport{}, .progress = {}};
  CaseResult judged;

  [[nodiscard]] CaseOutcome outcome() const { return judge_run(lab.cases[0], worker, judged, lab); }
};

ReportedFinding finding(const std::string& kind, const std::string& message) {
  ReportedFinding f;
  f.kind = kind;
  f.severity = "error";
  f.message = message;
  return f;
}

TEST_CASE("a complete and correct run passes if the process ended normally", "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::passed;
  run.worker.process.end = ProcessEnd::exited;
  run.worker.process.code = 0;
  CHECK(run.outcome().report.verdict == CaseVerdict::passed);
  CHECK_FALSE(run.outcome().ended_early);
  run.worker.process.code = 5;
  CHECK(run.outcome().report.verdict == CaseVerdict::crashed);
  CHECK(run.outcome().ended_early);
  CHECK(run.outcome().report.message ==
        "`vecadd` returned, but then the program exited with code 5: do not leave anything behind "
        "that terminates it.");
  run.worker.process.end = ProcessEnd::signalled;
  run.worker.process.code = SIGTERM;
  CHECK(run.outcome().report.verdict == CaseVerdict::crashed);
  run.judged.status = CaseStatus::wrong;
  CHECK(run.outcome().report.verdict == CaseVerdict::crashed);
}

TEST_CASE("a run that was killed from outside says nothing about the submission", "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::passed;
  run.worker.process.end = ProcessEnd::signalled;
  run.worker.process.code = SIGKILL;
  CHECK(run.outcome().report.verdict == CaseVerdict::error);
}

TEST_CASE(
    "a missing feature of the emulator makes a case not assessed, an internal error of it makes an "
    "error",
    "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::cuda_error;
  run.worker.process.end = ProcessEnd::exited;
  run.worker.report->findings = {finding("unsupported-instruction", "no wgmma here")};
  CHECK(run.outcome().report.verdict == CaseVerdict::not_assessed);
  CHECK(run.outcome().report.message == "No wgmma here.");
  run.worker.report->findings = {finding("unsupported-api", "no such call")};
  CHECK(run.outcome().report.verdict == CaseVerdict::not_assessed);
  run.worker.report->findings.push_back(finding("internal-error", "it broke"));
  CHECK(run.outcome().report.verdict == CaseVerdict::error);
  run.worker.report->findings = {finding("unsupported-api", "no such call")};
  run.judged.status = CaseStatus::passed;  // it did not need the feature
  CHECK(run.outcome().report.verdict == CaseVerdict::passed);
}

TEST_CASE("exit code 0 without a complete record means that the program ended early",
          "[cases][case]") {
  Run run;
  run.worker.process.end = ProcessEnd::exited;
  run.judged.status = CaseStatus::incomplete;
  const CaseOutcome outcome = run.outcome();
  CHECK(outcome.report.verdict == CaseVerdict::crashed);
  CHECK(outcome.ended_early);
  CHECK(outcome.report.message ==
        "The program ended (exit code 0) before the harness finished; `vecadd` must return, not "
        "exit.");
}

TEST_CASE("a signal is explained, and P44 named where the emulator saw a device pointer",
          "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::incomplete;
  run.worker.process.end = ProcessEnd::signalled;
  run.worker.process.code = SIGSEGV;
  CHECK(run.outcome().report.message ==
        "The program was ended by SIGSEGV (invalid memory access).");
  CHECK(run.outcome().pitfall.empty());
  CHECK_FALSE(run.outcome().ended_early);
  run.worker.report->findings = {finding("host-access-of-device-memory", "host read of d_a")};
  CHECK(run.outcome().pitfall == "P44");
  CHECK(run.outcome().report.message ==
        "The program was ended by SIGSEGV (invalid memory access). Host code used a device "
        "pointer: host read of d_a.");
}

TEST_CASE("a used-up instruction budget is a kernel that never ends, whatever else happened",
          "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::cuda_error;
  run.worker.process.end = ProcessEnd::exited;
  run.worker.report->findings = {finding("instruction-budget", "the kernel does not end")};
  CHECK(run.outcome().report.verdict == CaseVerdict::never_ends);
  CHECK(run.outcome().report.message == "The kernel does not end.");
  CHECK_FALSE(run.outcome().stopped_by_clock);
}

TEST_CASE("running out of wall-clock or processor time counts as never ending", "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::incomplete;
  run.worker.limits.wall = std::chrono::seconds(10);
  run.worker.process.end = ProcessEnd::out_of_time;
  CHECK(run.outcome().report.verdict == CaseVerdict::never_ends);
  CHECK(run.outcome().report.message == "The program ran longer than 10 s and was stopped.");
  CHECK(run.outcome().stopped_by_clock);
  CHECK_FALSE(run.outcome().slow);
  run.worker.progress = ProgressNote{
      RunningKernel{.name = "g", .grid = {300, 1, 1}, .block = {32, 1, 1}, .blocks_begun = 200}};
  CHECK(run.outcome().slow);
  run.worker.process.end = ProcessEnd::signalled;
  run.worker.process.code = SIGXCPU;
  CHECK(run.outcome().report.verdict == CaseVerdict::never_ends);
}

TEST_CASE("a harness error is an internal error", "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::incomplete;
  run.judged.message = "The harness could not run: no device.";
  run.judged.record.harness_fault = "no device";
  run.worker.process.end = ProcessEnd::exited;
  run.worker.process.code = 3;
  CHECK(run.outcome().report.verdict == CaseVerdict::error);
  CHECK_FALSE(run.outcome().ended_early);
}

TEST_CASE(
    "on the emulator it is one only before the submission's code, which could have written it",
    "[cases][case]") {
  Run run;
  run.worker.delivery = Delivery{};
  run.judged.status = CaseStatus::incomplete;
  run.judged.message = "The harness could not run: no device.";
  run.judged.record.harness_fault = "no device";
  run.judged.record.fault_before_code = true;
  run.worker.process.end = ProcessEnd::exited;
  run.worker.process.code = 70;
  CHECK(run.outcome().report.verdict == CaseVerdict::error);
  run.judged.record.fault_before_code = false;
  CHECK(run.outcome().report.verdict == CaseVerdict::crashed);
  CHECK(run.outcome().ended_early);
  CHECK(run.outcome().report.message ==
        "The harness could not continue after the submission's initializers had run: no device.");
}

TEST_CASE("a program that the device had to stop fails by its own doing", "[cases][case]") {
  Run run;
  run.worker.delivery =
      Delivery{.violation = "called launch after the harness's call had ended", .foreign = {}};
  run.judged.status = CaseStatus::incomplete;
  run.worker.process.end = ProcessEnd::exited;
  run.worker.process.code = 71;
  const CaseOutcome outcome = run.outcome();
  CHECK(outcome.report.verdict == CaseVerdict::crashed);
  CHECK(outcome.ended_early);
  CHECK(outcome.report.message ==
        "The program called launch after the harness's call had ended: the device had to stop.");
}

TEST_CASE("right outputs that the device did not send earn nothing, wrong ones are wrong",
          "[cases][case]") {
  Run run;
  run.worker.process.end = ProcessEnd::exited;
  run.judged.status = CaseStatus::passed;
  run.worker.delivery = Delivery{.violation = {}, .complete = true, .foreign = {}};
  CHECK(run.outcome().report.verdict == CaseVerdict::passed);
  run.worker.delivery->foreign =
      Delivery::Foreign{.argument = "c", .bytes = 80, .of_bytes = 400, .first_element = 7};
  const CaseOutcome outcome = run.outcome();
  CHECK(outcome.report.verdict == CaseVerdict::broke_contract);
  CHECK(outcome.from_host ==
        "80 of the 400 bytes of `c` are not what the device sent to the host, the first in element "
        "7");
  run.judged.status = CaseStatus::wrong;
  CHECK(run.outcome().report.verdict == CaseVerdict::wrong);
  CHECK(run.outcome().from_host.empty());
}

TEST_CASE("a wrong output is reported with its pattern and first elements", "[cases][case]") {
  Run run;
  run.judged.status = CaseStatus::wrong;
  run.worker.process.end = ProcessEnd::exited;
  OutputResult output;
  output.parameter = "c";
  output.comparison.count = 100;
  output.comparison.mismatches = 4;
  output.comparison.first = {{.index = 96, .got = 0, .want = 1, .bound = 0.5}};
  output.pattern.kind = PatternKind::tail;
  run.judged.outputs = {output};
  const CaseReport report = run.outcome().report;
  CHECK(report.verdict == CaseVerdict::wrong);
  CHECK(report.elements == 100);
  CHECK(report.wrong_elements == 4);
  CHECK(report.pattern == "tail");
  REQUIRE(report.first_mismatches.size() == 1);
  CHECK(report.first_mismatches[0].index == 96);
}

/// A case that is right on a GPU, with the given verdict in the emulator.
struct OnBoth {
  CaseOutcome on_card;
  CaseOutcome emulated;

  OnBoth(CaseVerdict card, CaseVerdict emulator, const std::vector<ReportedFinding>& findings) {
    on_card.report.verdict = card;
    on_card.report.message = "Right.";
    on_card.report.seconds = 0.5;
    emulated.report.verdict = emulator;
    emulated.report.message = "`c` is wrong at 4 of 100 elements.";
    emulated.report.wrong_elements = 4;
    emulated.emulator = EmulatorReport{.device = {}, .kernels = {}, .findings = findings};
    heed_emulator(emulated, on_card);
  }
};

TEST_CASE("a result that is right by chance on a GPU is as wrong as in the emulator",
          "[cases][case]") {
  const OnBoth both(CaseVerdict::passed, CaseVerdict::wrong, {finding("race-shared", "a race")});
  CHECK(both.on_card.report.verdict == CaseVerdict::wrong);
  CHECK(both.on_card.report.wrong_elements == 4);
  CHECK(both.on_card.report.seconds == 0.5);
  CHECK(both.on_card.report.message ==
        "Correct on this GPU by chance, but not in the emulator, which explains why under "
        "\"safety\": "
        "`c` is wrong at 4 of 100 elements.");
}

TEST_CASE("a GPU's verdict stays if the emulator names no cause, or did not complete",
          "[cases][case]") {
  const auto verdict = [](CaseVerdict card, CaseVerdict emulator,
                          const std::vector<ReportedFinding>& findings) {
    return OnBoth(card, emulator, findings).on_card.report.verdict;
  };
  const ReportedFinding race = finding("race-shared", "a race");
  CHECK(verdict(CaseVerdict::passed, CaseVerdict::wrong, {}) == CaseVerdict::passed);
  CHECK(verdict(CaseVerdict::passed, CaseVerdict::wrong, {finding("leak", "a leak")}) ==
        CaseVerdict::passed);
  CHECK(verdict(CaseVerdict::passed, CaseVerdict::error, {race}) == CaseVerdict::passed);
  CHECK(verdict(CaseVerdict::passed, CaseVerdict::crashed, {race}) == CaseVerdict::passed);
  CHECK(verdict(CaseVerdict::passed, CaseVerdict::passed, {race}) == CaseVerdict::passed);
  CHECK(verdict(CaseVerdict::cuda_error, CaseVerdict::wrong, {race}) == CaseVerdict::cuda_error);
}

}  // namespace
}  // namespace warpgrade
