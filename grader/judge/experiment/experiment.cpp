#include "grader/judge/experiment/experiment.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "grader/judge/experiment/candidates.h"
#include "grader/judge/experiment/wording.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/failed_case.h"

namespace warpgrade {
namespace {

bool has_race(const CaseOutcome& c) {
  return c.emulator &&
         std::any_of(c.emulator->findings.begin(), c.emulator->findings.end(), is_race);
}

/// Whether other settings of a run could be why a case fails.
bool fails_by_itself(const CaseOutcome& c) {
  return has_failed(c) && !c.fails_as_second_call && !c.ended_early;
}

/// Whether a candidate changes the text of kernels, which is the same in all cases.
bool changes_text(CauseKind kind) {
  return kind == CauseKind::row_length || kind == CauseKind::thread_and_block ||
         kind == CauseKind::signs;
}

/// What the experiments are to explain.
struct Question {
  std::vector<const CaseOutcome*> cases;  // that can be run, the smallest first
  std::vector<const CaseOutcome*> failing;  // of these, likewise
  std::size_t total = 0;  // number of cases, including those too large to run
  double lost = 0;  // points, including failing cases that cannot be run
  bool about_races = false;  // the cases are right, but have races
  bool about_hidden = false;
};

Question question_about(const std::vector<CaseOutcome>& ran, const Trials& trials, bool hidden,
                        bool races) {
  Question q;
  q.about_hidden = hidden;
  q.about_races = races;
  for (const CaseOutcome& c : ran) {
    if (c.report.visible == hidden) {
      continue;
    }
    ++q.total;
    const bool fails =
        races ? c.report.verdict == CaseVerdict::passed && has_race(c) : fails_by_itself(c);
    q.lost += fails ? c.spec->points : 0;
    if (!trials.affordable(c)) {
      continue;
    }
    q.cases.push_back(&c);
    if (fails) q.failing.push_back(&c);
  }
  const auto smaller = [](const CaseOutcome* a, const CaseOutcome* b) {
    return work_of(*a) < work_of(*b);
  };
  std::stable_sort(q.cases.begin(), q.cases.end(), smaller);
  std::stable_sort(q.failing.begin(), q.failing.end(), smaller);
  return q;
}

/// The result of a candidate on the cases on which it was tried.
struct Outcome {
  std::map<const CaseOutcome*, bool> right;
  std::vector<std::string> repaired;  // of the cases that failed
  double points = 0;  // of these
  std::size_t right_count = 0;
  bool outside_branch = false;
  bool nowhere = false;  // the code has no place for the candidate's changes, in any case
  bool same_change = true;  // the first of the candidate's changes fixed all
  bool spoils = false;  // a case that was right is now wrong
};

class Experiment {
 public:
  Experiment(Trials& trials, Question question, const Lab& lab)
      : trials_(trials), question_(std::move(question)), lab_(lab) {}

  /// Whether an unchanged trial run of the case fails as before.
  [[nodiscard]] bool control() {
    const auto trial = trials_.run(*question_.failing.front(), "", false, question_.about_races);
    return trial && !counts_as_right(*trial, question_.about_races);
  }

  /// @param is_enough  whether it says something if it recovers so many points
  /// @returns nothing if it does not improve the first cases, makes a right one wrong, cannot
  ///   recover enough points, or the budget is used up
  [[nodiscard]] std::optional<Outcome> ask(const Candidate& candidate,
                                           const std::function<bool(double)>& is_enough) {
    Outcome outcome;
    bool any = false;
    for (const CaseOutcome* probe : probes(candidate)) {
      const std::optional<bool> right = try_on(*probe, candidate, outcome);
      if (!right) return std::nullopt;
      if (*right) {
        any = true;
        break;
      }
      if (outcome.nowhere || !is_enough(most_points(outcome))) break;
    }
    if (!any) return std::nullopt;
    for (const CaseOutcome* c : question_.cases) {
      if (outcome.spoils || !is_enough(most_points(outcome))) return std::nullopt;
      if (!outcome.right.contains(c) && !try_on(*c, candidate, outcome)) break;
    }
    for (const auto& [c, right] : outcome.right) {
      outcome.right_count += right ? 1 : 0;
    }
    for (const CaseOutcome* c : question_.failing) {
      const auto it = outcome.right.find(c);
      if (it != outcome.right.end() && it->second) {
        outcome.repaired.push_back(c->report.name);
        outcome.points += c->spec->points;
      }
    }
    return outcome.spoils || !is_enough(outcome.points) ? std::nullopt : std::optional(outcome);
  }

  [[nodiscard]] const Question& question() const { return question_; }

 private:
  /// The failing cases on which a candidate is tried first: the smallest and, in case that has
  /// another cause, the one worth most. For an index pair the first one with both indices.
  [[nodiscard]] std::vector<const CaseOutcome*> probes(const Candidate& candidate) const {
    const std::vector<const CaseOutcome*>& failing = question_.failing;
    if (candidate.is_index_pair()) {
      const auto first = std::find_if(failing.begin(), failing.end(), [&](const CaseOutcome* c) {
        return !changes_for(candidate, *c->spec, lab_).empty();
      });
      return first == failing.end() ? std::vector<const CaseOutcome*>() : std::vector{*first};
    }
    std::vector<const CaseOutcome*> chosen = {failing.front()};
    const auto worth = std::max_element(
        failing.begin(), failing.end(),
        [](const auto* a, const auto* b) { return a->spec->points < b->spec->points; });
    if (*worth != chosen.front()) chosen.push_back(*worth);
    return chosen;
  }

  /// That it recovers if it makes all cases right on which it was not tried.
  [[nodiscard]] double most_points(const Outcome& outcome) const {
    double points = 0;
    for (const CaseOutcome* c : question_.failing) {
      const auto it = outcome.right.find(c);
      points += it == outcome.right.end() || it->second ? c->spec->points : 0;
    }
    return points;
  }

  static bool counts_as_right(const Trial& trial, bool looks_for_races) {
    return trial.right && !(looks_for_races && trial.races);
  }

  /// @returns nothing if the budget is used up
  std::optional<bool> try_on(const CaseOutcome& c, const Candidate& candidate, Outcome& outcome) {
    const bool zeroed = candidate.kind == CauseKind::outputs;
    const bool races = candidate.kind == CauseKind::barrier;
    const std::vector<std::string> changes =
        zeroed ? std::vector<std::string>{""} : changes_for(candidate, *c.spec, lab_);
    // A case without anything to change stays as it is.
    bool right = changes.empty() && c.report.verdict == CaseVerdict::passed;
    bool nowhere = changes_text(candidate.kind);
    for (const std::string& change : changes) {
      const auto trial = trials_.run(c, change, zeroed, races);
      if (!trial) return std::nullopt;
      outcome.outside_branch = outcome.outside_branch || trial->outside_branch;
      nowhere = nowhere && trial->nowhere;
      // In a failing case the change must take effect. In a right one there may be nothing to
      // change.
      const bool counts = fails_by_itself(c) ? trial->made : true;
      right = counts && counts_as_right(*trial, races);
      if (right) {
        outcome.same_change = outcome.same_change && &change == &changes.front();
        break;
      }
    }
    outcome.right[&c] = right;
    const bool failed = std::ranges::find(question_.failing, &c) != question_.failing.end();
    outcome.spoils = outcome.spoils || (!failed && !right && !has_failed(c));
    outcome.nowhere = outcome.nowhere || nowhere;
    return right;
  }

  Trials& trials_;
  Question question_;
  const Lab& lab_;
};

Cause cause_of(const Candidate& candidate, const Outcome& outcome, const Question& question,
               const Lab& lab) {
  Cause cause;
  cause.kind = candidate.kind;
  const auto repaired =
      std::find_if(outcome.right.begin(), outcome.right.end(), [&](const auto& tried) {
        return tried.second && !outcome.repaired.empty() &&
               tried.first->report.name == outcome.repaired.front();
      });
  if (repaired != outcome.right.end()) {
    const auto changes = changes_for(candidate, *repaired->first->spec, lab);
    cause.change = changes.empty() ? "" : changes.front();
  }
  cause.file = candidate.file;
  cause.line = candidate.line;
  cause.pitfall = candidate.pitfall;
  cause.cases = outcome.repaired;
  cause.tried = outcome.right.size();
  cause.right = outcome.right_count;
  cause.from_hidden = question.about_hidden;
  // A case that a refused launch ends is not asked about, but may be made right, too.
  const auto right_now =
      static_cast<std::size_t>(std::ranges::count_if(outcome.right, [](const auto& tried) {
        return tried.first->report.verdict == CaseVerdict::passed;
      }));
  const ProofParts said{.cause = cause,
                        .words = candidate.words,
                        .behind = candidate.behind,
                        .around_branch = outcome.outside_branch,
                        .by_zero = outcome.same_change,
                        .about_races = question.about_races,
                        .tried_all = outcome.right.size() == question.total,
                        .right_now = right_now};
  cause.message = proof(said, lab.hints);
  return cause;
}

std::optional<Cause> answer(Trials& trials, Question asked, const std::vector<SourceFile>& sources,
                            const Lab& lab) {
  Experiment experiment(trials, std::move(asked), lab);
  const Question& question = experiment.question();
  std::vector<Candidate> proposed = candidates(question.failing, sources, lab);
  if (question.about_races) {
    std::erase_if(proposed, [](const Candidate& c) { return c.kind != CauseKind::barrier; });
  }
  if (proposed.empty() || !experiment.control()) {
    return std::nullopt;
  }
  std::optional<std::pair<const Candidate*, Outcome>> best;
  const auto is_enough = [&](double points) {
    return points >= kLeastShare * question.lost && (!best || points > best->second.points);
  };
  for (const Candidate& candidate : proposed) {
    std::optional<Outcome> outcome = experiment.ask(candidate, is_enough);
    if (trials.interrupted()) {
      return std::nullopt;
    }
    if (!outcome) continue;
    best.emplace(&candidate, std::move(*outcome));
    if (best->second.points >= question.lost) {
      break;  // no candidate can be better
    }
  }
  if (!best) return std::nullopt;
  return cause_of(*best->first, best->second, question, lab);
}

}  // namespace

std::optional<Cause> find_cause(LabSession& session, const BuildResult& build,
                                const std::vector<CaseOutcome>& ran,
                                const std::vector<SourceFile>& sources, const Secret& secret,
                                const std::filesystem::path& scratch, const TrialBudget& budget) {
  if (!has_emulator(session.installation())) {
    return std::nullopt;
  }
  const bool any_fails = std::any_of(ran.begin(), ran.end(), fails_by_itself);
  for (const bool races : {false, true}) {
    if (races && any_fails) break;
    for (const bool hidden : {false, true}) {
      Trials trials(session, build, hidden ? secret : Secret{}, scratch / "experiments", budget);
      Question question = question_about(ran, trials, hidden, races);
      if (question.failing.empty()) {
        if (question.lost > 0) return std::nullopt;  // too large to be tried
        continue;
      }
      std::optional<Cause> cause = answer(trials, std::move(question), sources, session.lab());
      if (cause) cause->runs = trials.runs();
      return cause;
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade
