#include "grader/assess/assess.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>

#include "grader/assess/before_release.h"
#include "grader/assess/case_run.h"
#include "grader/assess/second_call.h"
#include "grader/build/build.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/version.h"
#include "grader/diagnose/diagnose.h"
#include "grader/experiment/experiment.h"
#include "grader/grade/failure.h"
#include "grader/integrity/host_computation.h"
#include "grader/profile/card_profile.h"
#include "grader/score/roofline.h"
#include "grader/score/rung.h"
#include "grader/score/score.h"
#include "grader/timing/measure.h"

namespace warpgrade {
namespace {

Grade new_grade(const LabSession& session, const Submission& submission,
                const std::string& secret) {
  Grade grade;
  grade.lab = session.lab().id;
  grade.lab_title = session.lab().title;
  grade.student = submission.student;
  grade.attempt = submission.attempt;
  grade.sources = submission.files;
  grade.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  grade.environment = environment_of(session, submission, secret);
  return grade;
}

/// Each student and attempt has hidden data of its own.
Secret personal_secret(const std::string& secret, const Submission& submission) {
  return secret.empty()
             ? Secret{}
             : Secret{fmt::format("{}\n{}\n{}", secret, submission.student, submission.attempt)};
}

/// References of every case that a formula or the performance item looks at.
std::map<std::string, ReferenceCost> references(LabSession& session, const Secret& secret) {
  const Lab& lab = session.lab();
  std::set<std::string> names = {lab.performance_case};
  for (const ConceptCheck& check : lab.concepts) {
    names.insert(check.on);
  }
  std::map<std::string, ReferenceCost> costs;
  for (const std::string& name : names) {
    if (const Case* spec = lab.find_case(name)) {
      if (std::optional<ReferenceCost> cost = session.reference(*spec, secret)) {
        costs.emplace(name, std::move(*cost));
      }
    }
  }
  return costs;
}

bool any_passed(const std::vector<CaseOutcome>& cases) {
  for (const CaseOutcome& c : cases) {
    if (c.report.verdict == CaseVerdict::passed) {
      return true;
    }
  }
  return false;
}

bool all_passed(const std::vector<CaseOutcome>& cases) {
  return std::all_of(cases.begin(), cases.end(),
                     [](const CaseOutcome& c) { return c.report.verdict == CaseVerdict::passed; });
}

void flag_early_end(const std::vector<CaseOutcome>& cases, Grade& grade) {
  std::size_t count = 0;
  for (const CaseOutcome& c : cases) {
    count += c.ended_early ? 1 : 0;
  }
  if (count > 0) {
    grade.integrity.push_back(
        {.kind = "ended-early",
         .message = "The program ended itself before the harness had finished.",
         .evidence = fmt::format("in {} of {} cases; it printed: {}", count, cases.size(),
                                 grade.output.empty() ? "nothing" : grade.output.substr(0, 200))});
  }
}

void flag_not_assessed(const std::vector<CaseOutcome>& cases, Grade& grade) {
  const CaseOutcome* first = nullptr;
  std::size_t count = 0;
  for (const CaseOutcome& c : cases) {
    if (c.report.verdict == CaseVerdict::not_assessed) {
      first = first == nullptr ? &c : first;
      ++count;
    }
  }
  if (first != nullptr) {
    grade.integrity.push_back(
        {.kind = "not-assessed",
         .message = "It uses what the emulator lacks: those cases have no points either way.",
         .evidence = fmt::format("{} of {} cases; the first: {}", count, cases.size(),
                                 first->report.message)});
  }
}

void fill_from_runs(const LabSession& session, const Evidence& evidence, Grade& grade) {
  grade.device.kind = session.device().kind == DeviceKind::cuda ? "cuda" : "emulator";
  grade.device.name = session.device().name;
  grade.kernels_case = session.lab().performance_case;
  for (const CaseOutcome& outcome : evidence.cases) {
    grade.cases.push_back(outcome.report);
    // What it prints of a hidden case's data is for nobody to read.
    if (grade.output.empty() && outcome.report.visible) {
      grade.output = outcome.printed;
    }
    if (outcome.emulator) {
      if (grade.device.name.empty()) {
        grade.device.name = outcome.emulator->device + " (emulated)";
      }
      if (outcome.report.name == grade.kernels_case) {
        grade.kernels = outcome.emulator->kernels;
      }
    }
  }
  grade.findings = evidence.findings;
  grade.timing = timing_of(evidence);
  grade.rung = find_rung(evidence);
  flag_early_end(evidence.cases, grade);
  flag_not_assessed(evidence.cases, grade);
}

GradeStatus status_of(const Grade& grade) {
  GradeStatus status = GradeStatus::graded;
  for (const Item& item : grade.items) {
    if (item.status == ItemStatus::error) {
      return GradeStatus::error;
    }
    if (item.status == ItemStatus::not_assessed) {
      status = GradeStatus::partial;
    }
  }
  return status;
}

BuildStep step_of(BuildEnd end) {
  switch (end) {
    case BuildEnd::built:
      return BuildStep::built;
    case BuildEnd::does_not_compile:
    case BuildEnd::too_long:
      return BuildStep::does_not_compile;
    case BuildEnd::not_allowed:
      return BuildStep::not_allowed;
    case BuildEnd::missing_function:
    case BuildEnd::does_not_link:
      break;
  }
  return BuildStep::does_not_link;
}

}  // namespace

std::map<std::string, std::string> environment_of(const LabSession& session,
                                                  const Submission& submission,
                                                  const std::string& secret) {
  Sha256 secret_id;
  secret_id.add_field("which secret");
  secret_id.add_field(secret);
  std::map<std::string, std::string> environment = {
      {"warpgrade", kVersion},
      {"nvcc", session.toolchain().version},
      {"device", session.device().kind == DeviceKind::cuda ? session.device().name : "emulator"},
      {"build", session.grader_identity()},
      {"lab", session.lab_identity()},
      {"sandbox", session.device().sandbox.name()},
      // Tells secrets apart without giving one away.
      {"secret", secret.empty() ? "none" : secret_id.hex().substr(0, 12)},
      {"submission", submission.hash()}};
  if (session.profiles()) {
    environment.emplace("profile", "yes");
  }
  return environment;
}

Grade assess(LabSession& session, const Submission& submission, const std::string& secret,
             std::size_t jobs) {
  const auto started = std::chrono::steady_clock::now();
  Grade grade = new_grade(session, submission, secret);
  Evidence evidence;
  evidence.lab = &session.lab();
  evidence.build_problem = submission.problem;
  evidence.ladder = session.ladder();
  evidence.emulated = has_emulator(session.installation());

  PublicRuns open;
  BuildStep step = BuildStep::not_handed_in;
  const ScratchFolder scratch;
  if (evidence.build_problem.empty()) {
    const BuildResult build = session.build(submission.files, scratch.path() / "build");
    step = step_of(build.end);
    grade.build_log = build.log;
    grade.integrity = build.flags;
    evidence.build_problem = build.message;
    if (build.ok()) {
      const Secret personal = personal_secret(secret, submission);
      evidence.cases = run_cases(session, build, personal, scratch.path(), jobs);
      catch_host_computation(session, build, personal, submission.hash() + personal.text,
                             scratch.path(), evidence.cases, grade.integrity);
      if (all_passed(evidence.cases)) {
        check_second_call(session, build, scratch.path() / "second-call", evidence.cases);
      }
      evidence.findings = fold_findings(evidence.cases);
      evidence.cause =
          find_cause(session, build, evidence.cases, submission.files, personal, scratch.path());
      if (evidence.emulated && any_passed(evidence.cases)) {
        evidence.references = references(session, personal);
      }
      open = public_runs(session, build, evidence.cases, personal, scratch.path());
      if (evidence.emulated && !open.cases.empty()) {
        open.costs = open.own ? evidence.references : references(session, {});
      }
      session.forget_data(personal);
      if (measures_time(session.device()) && session.lab().rubric.performance > 0 &&
          all_passed(evidence.cases)) {
        evidence.measured = measure(session, build, secret, scratch.path());
        grade.integrity.insert(grade.integrity.end(), evidence.measured->flags.begin(),
                               evidence.measured->flags.end());
      }
      if (session.profiles()) {
        grade.profile = profile_on_card(session, build, evidence, personal, secret, scratch.path());
      }
      if (evidence.measured && evidence.measured->timing) {
        Timing& timing = *evidence.measured->timing;
        timing.roofline = measured_roofline(timing, evidence, grade.profile);
      }
    }
  }
  fill_from_runs(session, evidence, grade);
  grade.items = score_items(evidence);
  grade.before_release = before_release(evidence, grade.items, std::move(open), submission.files);
  const Diagnosis diagnosis = diagnose(evidence, grade.items, submission.files);
  name_causes(diagnosis.pitfall, grade.items);
  grade.summary = diagnosis.summary;
  grade.pitfall = diagnosis.pitfall;
  grade.cause = evidence.cause;
  grade.status = status_of(grade);
  grade.failure = failure_of(grade, step);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return grade;
}

Grade failed_assessment(const LabSession& session, const Submission& submission,
                        const std::string& secret, Failure cause, const std::string& fault) {
  Grade grade = new_grade(session, submission, secret);
  Evidence evidence;
  evidence.lab = &session.lab();
  evidence.build_problem = fault;
  grade.items = score_items(evidence);
  const auto make_error = [](std::vector<Item>& items) {
    for (Item& item : items) {
      item.status = ItemStatus::error;
      item.points = 0;
      item.message = "The grader failed; this costs nothing and is to be graded again.";
    }
  };
  make_error(grade.items);
  grade.status = GradeStatus::error;
  grade.failure = cause;
  grade.summary =
      fmt::format("Nothing for you to do: {} failed. {}",
                  cause == Failure::environment ? "the machine that grades" : "the grader", fault);
  grade.before_release = before_release(evidence, grade.items, {}, {});
  make_error(grade.before_release->items);
  grade.before_release->summary = grade.summary;
  return grade;
}

}  // namespace warpgrade
