#include "grader/judge/assess/assess.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>

#include "grader/build/compile/build.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/steps.h"
#include "grader/core/version.h"
#include "grader/judge/assess/assessment.h"
#include "grader/judge/assess/before_release.h"
#include "grader/judge/assess/observed.h"
#include "grader/judge/experiment/edits.h"
#include "grader/judge/experiment/experiment.h"
#include "grader/judge/misreading/explain_outputs.h"
#include "grader/judge/misreading/golden_formulas.h"
#include "grader/judge/rubric/proportion.h"
#include "grader/judge/rubric/score.h"
#include "grader/judge/speed/roofline.h"
#include "grader/record/grade/failure.h"
#include "grader/run/cases/case_run.h"
#include "grader/run/cases/second_call.h"
#include "grader/run/gpu_profile/card_profile.h"
#include "grader/run/gpu_timing/measure.h"
#include "grader/run/provenance/host_computation.h"
#include "grader/run/session/identity.h"
#include "grader/submit/questions/score_questions.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace {

std::string time_of_day() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Grade new_grade(const LabSession& session, const Submission& submission,
                const std::string& secret) {
  Grade grade;
  grade.lab = session.lab().id;
  grade.lab_title = session.lab().title;
  grade.pass_mark = session.lab().pass;
  grade.student = submission.student;
  grade.attempt = submission.attempt;
  grade.sources = submission.files;
  if (submission.answers.file) {
    grade.sources.push_back(*submission.answers.file);
  }
  grade.started = time_of_day();
  grade.environment = environment_of(session, submission, secret);
  return grade;
}

/// Each student and attempt has different hidden data.
Secret personal_secret(const std::string& secret, const Submission& submission) {
  return secret.empty()
             ? Secret{}
             : Secret{fmt::format("{}\n{}\n{}", secret, submission.student, submission.attempt)};
}

/// The submission's answers, to be judged with the numbers of its student.
SubmittedAnswers answers_of(const Submission& submission, const std::string& secret) {
  SubmittedAnswers answers = submission.answers;
  if (answers.key) {
    const std::string course = public_draw_id(secret);
    answers.key =
        course.empty() ? DrawKey{} : DrawKey{.course = course, .student = submission.student};
  }
  return answers;
}

/// All items of a grade: of the program, then of the questions.
std::vector<Item> items_of(const Evidence& evidence, const Submission& submission,
                           const std::string& secret) {
  std::vector<Item> items = score_items(evidence);
  for (Item& item : score_questions(*evidence.lab, answers_of(submission, secret), evidence)) {
    items.push_back(std::move(item));
  }
  return items;
}

/// Reference costs of every case used by a formula or the performance item.
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
         .message = "The program exited before the harness had finished.",
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
         .message =
             "It uses features that the emulator lacks: those cases neither earn nor lose points.",
         .evidence = fmt::format("{} of {} cases; the first: {}", count, cases.size(),
                                 first->report.message)});
  }
}

void fill_from_runs(const LabSession& session, const Evidence& evidence, Grade& grade) {
  grade.device.kind = session.device().kind == DeviceKind::cuda ? "cuda" : "emulator";
  grade.device.name = session.device().name;
  for (const CaseOutcome& outcome : evidence.cases) {
    grade.cases.push_back(outcome.report);
    // It may print a hidden case's data, which must not be shown.
    if (grade.output.empty() && outcome.report.visible) {
      grade.output = outcome.printed;
    }
    if (outcome.emulator) {
      if (grade.device.name.empty()) {
        grade.device.name = outcome.emulator->device + " (emulated)";
      }
    }
  }
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

/// Whether an experiment or an edit makes all cases right, or a formula of the lab, the right one
/// for other inputs, or the golden function with one place changed, gives the outputs.
bool is_proven(const Evidence& evidence, const std::optional<Explanation>& explanation) {
  if (evidence.cause && evidence.cause->right >= evidence.cause->tried) return true;
  if (!explanation) return false;
  return is_whole_slip(*explanation) || explanation->of_lab || explanation->of_golden ||
         (explanation->of_inputs && !explanation->where_wrong);
}

bool measures(const LabSession& session) {
  const Lab& lab = session.lab();
  return measures_time(session.device()) && lab.rubric.performance > 0 && !lab.program &&
         !is_in_python(lab);
}

bool is_subset(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  return std::all_of(some.begin(), some.end(), [&](const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  });
}

/// The lab's cases that were not run, or have changed.
std::vector<const Case*> changed_cases(const Lab& lab, const Observed& seen) {
  std::vector<const Case*> changed;
  for (const Case& spec : lab.cases) {
    const auto it = seen.cases.find(spec.name);
    if (it == seen.cases.end() || it->second != identity_of_case(spec)) {
      changed.push_back(&spec);
    }
  }
  return changed;
}

/// Whether evidence of single cases can be combined with cases that are run now. Not if one case
/// decided about another, and times must come from one session.
bool holds_by_case(const LabSession& session, const Observed& seen) {
  const bool by_others =
      std::any_of(seen.evidence.cases.begin(), seen.evidence.cases.end(), [](const CaseOutcome& c) {
        return c.fails_as_second_call || c.report.verdict == CaseVerdict::not_run;
      });
  return !by_others && seen.flags.empty() && seen.step == BuildStep::built && !session.profiles() &&
         !measures(session);
}

/// The names of the cases that check_second_call() calls; empty if there are none.
std::vector<std::string> names_of(const CallPair& pair) {
  return pair.first == nullptr ? std::vector<std::string>()
                               : std::vector<std::string>{pair.first->name, pair.second->name};
}

/// Whether the second call in a process was checked with the pair of cases that these outcomes
/// give, and both are unchanged.
bool called_twice_before(const Lab& lab, const Observed* known,
                         const std::vector<std::string>& pair) {
  if (known == nullptr || pair.empty() || known->called_twice != pair) {
    return false;
  }
  const std::vector<const Case*> changed = changed_cases(lab, *known);
  return std::none_of(changed.begin(), changed.end(), [&](const Case* spec) {
    return std::find(pair.begin(), pair.end(), spec->name) != pair.end();
  });
}

/// What chooses cases and inputs that a submission cannot predict.
std::string draw_of(const Submission& submission, const Secret& secret) {
  return submission.hash() + secret.text;
}

void leave_out(std::vector<CaseOutcome>& cases, const std::vector<const Case*>& changed) {
  std::erase_if(cases, [&](const CaseOutcome& c) {
    return std::any_of(changed.begin(), changed.end(),
                       [&](const Case* spec) { return spec->name == c.report.name; });
  });
}

/// Wrong cases are explained together, from outputs that are not kept.
void add_wrong_cases(const Lab& lab, const Observed& known, std::vector<const Case*>& changed) {
  for (const CaseOutcome& c : known.evidence.cases) {
    const Case* spec = lab.find_case(c.report.name);
    if (c.report.verdict == CaseVerdict::wrong && spec != nullptr &&
        std::find(changed.begin(), changed.end(), spec) == changed.end()) {
      changed.push_back(spec);
    }
  }
}

/// Runs the cases that have changed and those that are wrong, and reuses the others.
std::vector<CaseOutcome> run_changed_cases(LabSession& session, const BuildResult& build,
                                           const Submission& submission, const Secret& secret,
                                           const std::filesystem::path& scratch, std::size_t jobs,
                                           Observed known, std::vector<IntegrityFlag>& flags) {
  std::vector<const Case*> changed = changed_cases(session.lab(), known);
  add_wrong_cases(session.lab(), known, changed);
  Replays replays(replay_inputs(session, changed, draw_of(submission, secret)));
  std::vector<CaseOutcome> fresh =
      run_cases(session, build, changed, secret, scratch, jobs, &replays);
  catch_host_computation(session, build, secret, draw_of(submission, secret), replays, scratch,
                         fresh, flags);
  std::vector<CaseOutcome>& cases = known.evidence.cases;
  leave_out(cases, changed);
  for (CaseOutcome& c : fresh) cases.push_back(std::move(c));
  fit_to_lab(session.lab(), known);
  return std::move(known.evidence.cases);
}

/// Public runs of cases that have not changed.
std::vector<CaseOutcome> kept_runs(const Lab& lab, Observed known) {
  leave_out(known.open.cases, changed_cases(lab, known));
  fit_to_lab(lab, known);
  return std::move(known.open.cases);
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
  const LabSession& own = session.for_files(submission.files);
  Sha256 secret_id;
  secret_id.add_field("which secret");
  secret_id.add_field(secret);
  std::map<std::string, std::string> environment = {
      {"warpgrade", kVersion},
      {"compiler", own.compiler_name()},
      {"device", own.device().kind == DeviceKind::cuda ? own.device().name : "emulator"},
      {"build", own.grader_identity()},
      {"lab", own.lab_identity()},
      {"sandbox", own.device().sandbox.name()},
      // Distinguishes secrets without revealing them.
      {"secret", secret.empty() ? "none" : secret_id.hex().substr(0, 12)},
      {"submission", submission.hash()}};
  if (!session.lab().has_code()) {
    environment.erase("compiler");
  }
  if (session.profiles()) {
    environment.emplace("profile", "yes");
  }
  return environment;
}

bool is_complete(const LabSession& session, const Observed& seen) {
  const Lab& lab = session.lab();
  if (seen.step != BuildStep::built) {
    return true;  // no case was run or would be
  }
  const bool lost_one = std::any_of(seen.cases.begin(), seen.cases.end(), [&](const auto& entry) {
    return lab.find_case(entry.first) == nullptr;
  });
  if (lost_one && !all_passed(seen.evidence.cases)) {
    return false;  // without it all may be right, which needs more checks
  }
  return changed_cases(lab, seen).empty() && is_subset(counted_hidden(lab), seen.counted) &&
         seen.yardstick == identity_of_yardstick(lab, measures(session));
}

Observed observe(LabSession& session, const Submission& submission, const std::string& secret,
                 std::size_t jobs, const Observed* known, BuiltSubmission* built) {
  const auto started = std::chrono::steady_clock::now();
  if (known != nullptr && !holds_by_case(session, *known)) {
    known = nullptr;
  }
  Observed seen;
  seen.started = time_of_day();
  Evidence& evidence = seen.evidence;
  evidence.lab = &session.lab();
  evidence.build_problem = submission.problem;
  evidence.ladder = session.ladder();
  evidence.emulated = has_emulator(session.installation());

  PublicRuns& open = seen.open;
  BuiltSubmission own;
  if (!session.lab().has_code()) {
    seen.step = evidence.build_problem.empty() ? BuildStep::built : BuildStep::not_handed_in;
  } else if (evidence.build_problem.empty()) {
    begin_step("compiling");
    BuiltSubmission& place = built != nullptr ? *built : own;
    const BuildResult& build = place.build(session, submission.files);
    const std::filesystem::path& scratch = place.folder();
    seen.step = step_of(build.end);
    seen.build_log = build.log;
    seen.flags = build.flags;
    evidence.build_problem = build.message;
    if (build.ok()) {
      const Secret personal = personal_secret(secret, submission);
      if (known != nullptr) {
        evidence.cases = run_changed_cases(session, build, submission, personal, scratch, jobs,
                                           *known, seen.flags);
      } else {
        const std::vector<const Case*> cases = all_cases(session.lab());
        Replays replays(replay_inputs(session, cases, draw_of(submission, personal)));
        evidence.cases = run_cases(session, build, cases, personal, scratch, jobs, &replays);
        catch_host_computation(session, build, personal, draw_of(submission, personal), replays,
                               scratch, evidence.cases, seen.flags);
      }
      // A deliberately wrong case must not prevent this check.
      if (all_passed(evidence.cases) || time_counts(evidence)) {
        seen.called_twice = names_of(pick_call_pair(session.lab(), evidence.cases));
        if (!called_twice_before(session.lab(), known, seen.called_twice)) {
          check_second_call(session, build, scratch, evidence.cases);
        }
      }
      begin_step("explaining the results: other formulas");
      evidence.findings = fold_findings(evidence.cases);
      seen.explanation = explain_outputs(session, personal, scratch, evidence.cases);
      begin_step("explaining the results: experiments");
      evidence.cause =
          find_cause(session, build, evidence.cases, submission.files, personal, scratch);
      // A proof, and a formula with a page, say more than the line of a slip.
      if (!evidence.cause && !(seen.explanation && !seen.explanation->pitfall.empty())) {
        begin_step("explaining the results: edits");
        const bool has_formula =
            seen.explanation && (seen.explanation->of_lab || seen.explanation->of_inputs);
        auto slip =
            find_slip(session, build, evidence.cases, submission.files, scratch, has_formula);
        if (slip) seen.explanation = with_slip(std::move(seen.explanation), *std::move(slip));
      }
      if (!is_proven(evidence, seen.explanation)) {
        begin_step("explaining the results: variants of the right formula");
        auto changed = explain_by_golden(session, personal, scratch, evidence.cases);
        if (changed) seen.explanation = std::move(changed);
      }
      if (!evidence.cause && !is_proven(evidence, seen.explanation)) {
        begin_step("explaining the results: edits of structure");
        auto slip = find_structural_slip(session, build, evidence.cases, submission.files, scratch);
        if (slip) seen.explanation = with_slip(std::move(seen.explanation), *std::move(slip));
      }
      begin_step("comparing with the reference");
      if (evidence.emulated && any_passed(evidence.cases)) {
        evidence.references = references(session, personal);
      }
      open = public_runs(
          session, build, evidence.cases, personal, scratch,
          known != nullptr ? kept_runs(session.lab(), *known) : std::vector<CaseOutcome>());
      if (evidence.emulated && !open.cases.empty()) {
        open.costs = open.own ? evidence.references : references(session, {});
      }
      session.forget_data(personal);
      if (measures(session) && time_counts(evidence)) {
        evidence.measured = measure(session, build, secret, scratch);
        seen.flags.insert(seen.flags.end(), evidence.measured->flags.begin(),
                          evidence.measured->flags.end());
      }
      if (session.profiles() && !session.lab().program) {
        seen.profile = profile_on_card(session, build, evidence, personal, secret, scratch);
      }
      if (evidence.measured && evidence.measured->timing) {
        Timing& timing = *evidence.measured->timing;
        timing.roofline = measured_roofline(timing, evidence, seen.profile);
      }
    }
  }
  for (const Case& spec : session.lab().cases) {
    seen.cases.emplace(spec.name, identity_of_case(spec));
  }
  seen.counted = counted_hidden(session.lab());
  seen.yardstick = identity_of_yardstick(session.lab(), measures(session));
  seen.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return seen;
}

Grade grade_of(const LabSession& session, const Submission& submission, const std::string& secret,
               Observed seen) {
  Grade grade = new_grade(session, submission, secret);
  fit_to_lab(session.lab(), seen);
  Evidence& evidence = seen.evidence;
  evidence.ladder = session.ladder();
  grade.started = std::move(seen.started);
  grade.seconds = seen.seconds;
  grade.build_log = std::move(seen.build_log);
  grade.integrity = std::move(seen.flags);
  grade.profile = std::move(seen.profile);
  fill_from_runs(session, evidence, grade);
  std::vector<Item> items = items_of(evidence, submission, secret);
  grade.before_release =
      before_release(evidence, items, std::move(seen.open), submission.files, seen.explanation);
  record::base<Assessment>(grade) =
      assessment_of(evidence, std::move(items), submission.files, seen.explanation);
  for (IntegrityFlag& flag : flag_answers(session.lab(), answers_of(submission, secret))) {
    grade.integrity.push_back(std::move(flag));
  }
  grade.status = status_of(grade);
  grade.failure = failure_of(grade, seen.step);
  return grade;
}

Grade assess(LabSession& session, const Submission& submission, const std::string& secret,
             std::size_t jobs, BuiltSubmission* built) {
  LabSession& own = session.for_files(submission.files);
  return grade_of(own, submission, secret, observe(own, submission, secret, jobs, nullptr, built));
}

Grade failed_assessment(const LabSession& session, const Submission& submission,
                        const std::string& secret, Failure cause, const std::string& fault) {
  Grade grade = new_grade(session, submission, secret);
  Evidence evidence;
  evidence.lab = &session.lab();
  evidence.build_problem = fault;
  grade.items = items_of(evidence, submission, secret);
  const auto make_error = [](std::vector<Item>& items) {
    for (Item& item : items) {
      item.status = ItemStatus::error;
      item.points = 0;
      item.message =
          "Internal error of the grader; no points are lost, and the submission must be graded "
          "again.";
    }
  };
  make_error(grade.items);
  grade.status = GradeStatus::error;
  grade.failure = cause;
  const std::string no_mistake =
      fmt::format("Internal error: {} failed; no action needed from you.",
                  cause == Failure::environment ? "the grading machine"
                  : cause == Failure::lab_fault ? "the lab's own code"
                                                : "the grader");
  grade.summary = no_mistake + " " + fault;
  grade.before_release = before_release(evidence, grade.items, {}, {});
  Assessment& shown = grade.before_release->assessment;
  make_error(shown.items);
  // The fault may be in a hidden case.
  shown.summary = cause == Failure::lab_fault ? no_mistake : grade.summary;
  return grade;
}

}  // namespace warpgrade
