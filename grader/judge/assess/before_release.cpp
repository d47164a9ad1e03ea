#include "grader/judge/assess/before_release.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "grader/core/text.h"
#include "grader/judge/assess/assessment.h"
#include "grader/judge/rubric/proportion.h"
#include "grader/judge/rubric/score.h"
#include "grader/record/grade/student_view.h"
#include "grader/run/cases/case_run.h"

namespace warpgrade {
namespace {

const Case* spec_of(const Lab& lab, const Item& item) {
  constexpr std::string_view kCorrectness = "correctness/";
  return item.category == Category::correctness ? lab.find_case(item.id.substr(kCorrectness.size()))
                                                : nullptr;
}

const ConceptCheck* check_of(const Lab& lab, const Item& item) {
  const auto it =
      std::find_if(lab.concepts.begin(), lab.concepts.end(),
                   [&](const ConceptCheck& check) { return item.id == "concept/" + check.id; });
  return it == lab.concepts.end() ? nullptr : &*it;
}

/// What hidden cases contribute: their combined verdict, and a kind of finding that no visible case
/// has.
HiddenPart hidden_part(const Evidence& all, const std::vector<ReportedFinding>& visible) {
  HiddenPart part;
  part.correctness_share = correctness_share(all);
  std::set<std::string> kinds;
  for (const CaseOutcome& c : all.cases) {
    if (c.report.visible) {
      continue;
    }
    part.error = part.error || c.report.verdict == CaseVerdict::error;
    part.fails = part.fails || c.report.verdict != CaseVerdict::passed;
    part.stopped = part.stopped || c.stopped_by_clock;
    for (const ReportedFinding& f :
         c.emulator ? c.emulator->findings : std::vector<ReportedFinding>()) {
      if (f.counts()) {
        kinds.insert(f.kind);
      }
    }
  }
  for (const ReportedFinding& f : visible) {
    kinds.erase(f.kind);
  }
  // Only one kind, the costliest first and then in the order of the table: with all of them, a
  // program could leak one bit per kind for the price of one finding.
  for (const warpsim::FindingInfo& kind : warpsim::finding_kinds()) {
    if (kinds.contains(std::string(kind.slug))) {
      part.kinds.push_back(&kind);
    }
  }
  // Among the costliest, launches and copies come before their consequences in kernels.
  std::stable_partition(part.kinds.begin(), part.kinds.end(),
                        [](const auto* kind) { return kind->precedes_kernels; });
  std::stable_partition(part.kinds.begin(), part.kinds.end(), [](const auto* kind) {
    return kind->effect == warpsim::FindingEffect::unsafe;
  });
  part.kinds.resize(std::min<std::size_t>(part.kinds.size(), 1));
  return part;
}

Evidence without_hidden(const Evidence& all, PublicRuns open) {
  Evidence shown;
  shown.lab = all.lab;
  shown.build_problem = all.build_problem;
  shown.ladder = all.ladder;
  shown.emulated = all.emulated;
  if (all.cause && !all.cause->from_hidden) {
    shown.cause = all.cause;
  }
  for (const CaseOutcome& c : all.cases) {
    const auto same = std::find_if(open.cases.begin(), open.cases.end(), [&](const CaseOutcome& o) {
      return o.report.name == c.report.name;
    });
    if (c.report.visible) {
      shown.cases.push_back(c);
    } else if (same != open.cases.end()) {
      shown.cases.push_back(std::move(*same));
    }
  }
  shown.findings = fold_findings(shown.cases);
  shown.references = std::move(open.costs);
  for (const auto& [name, cost] : all.references) {
    const Case* spec = all.lab->find_case(name);
    if (spec != nullptr && spec->visible) {
      shown.references.emplace(name, cost);
    }
  }
  const Case* timed = all.lab->find_case(all.lab->performance_case);
  if (timed != nullptr && (timed->visible || open.own)) {
    shown.measured = all.measured;
  }
  shown.hidden = hidden_part(all, shown.findings);
  return shown;
}

/// The tier reached by a time measured in a hidden case, derived from the points and their share
/// that counts.
std::string tier_words(const Evidence& all, double points) {
  const Lab& lab = *all.lab;
  const std::optional<Timing> timing = points > 0 ? timing_of(all) : std::nullopt;
  if (timing && timing->reached() != nullptr) {
    return fmt::format("In a hidden case: at most {:g} times the reference's time.",
                       timing->reached()->ratio) +
           share_words(share_left(1 - correctness_share(all)));
  }
  return lab.tiers.empty() ? "In a hidden case."
                           : fmt::format(
                                 "In a hidden case: more than {:g} times the reference's "
                                 "time, or no comparable time.",
                                 lab.tiers.back().ratio);
}

/// A message for an item of which only points and status may be shown.
void leave_out_details(const Evidence& all, const ConceptCheck* check, Item& item) {
  // Only what was measured and falls short has a hint: not a case that fails for another reason.
  const bool falls_short = !std::exchange(item.hint, {}).empty();
  item.numbers.reset();
  item.pitfall.clear();
  switch (item.status) {
    case ItemStatus::error:
      item.message =
          "A hidden case could not be run or checked because of an internal error; you lose no "
          "points.";
      return;
    case ItemStatus::not_assessed:
      item.message = "It is measured in a hidden case, which this machine could not run.";
      return;
    case ItemStatus::passed:
    case ItemStatus::partial:
    case ItemStatus::failed:
      break;
  }
  if (check != nullptr) {
    const bool passed = item.status == ItemStatus::passed;
    item.message = passed ? "Satisfied in a hidden case."
                          : "Not satisfied in a hidden case, which must also pass.";
    item.hint = falls_short ? check->hint : "";
    item.pitfall = falls_short ? check->pitfall : "";
  } else if (item.category == Category::performance) {
    item.message = tier_words(all, item.points);
  } else {
    item.message = item.status == ItemStatus::passed ? "The emulator's checks found nothing."
                                                     : "Determined by hidden cases.";
  }
}

/// `item` with the message made from visible evidence.
Item reworded(const Evidence& all, const Evidence& shown, const Item& item, const Item* visible) {
  if (item.category == Category::questions) {
    return item;  // no question is about a hidden case
  }
  const Lab& lab = *all.lab;
  Item said = item;
  const ConceptCheck* check = check_of(lab, item);
  const std::string& on = check != nullptr ? check->on : lab.performance_case;
  const bool decided_by_hidden =
      item.category == Category::concept_check || item.category == Category::performance;
  const bool has_evidence = shown.find_case(on) != nullptr || !shown.build_problem.empty() ||
                            (item.category == Category::performance &&
                             share_left(1 - shown.hidden->correctness_share) <= 0);
  const bool same = visible != nullptr && visible->status == item.status &&
                    (item.category != Category::performance || visible->points == item.points);
  const bool safety_words = item.category == Category::safety && visible != nullptr &&
                            item.status != ItemStatus::error &&
                            (same || item.status != ItemStatus::passed);
  if ((decided_by_hidden && same && has_evidence) || safety_words ||
      item.category == Category::build || item.category == Category::correctness) {
    said.message = visible->message;
    said.hint = visible->hint;
    said.pitfall = visible->pitfall;
    said.numbers = visible->numbers;
  } else {
    leave_out_details(all, check, said);
  }
  if (item.category == Category::performance) {
    said.hint = item.hint;  // the tier just missed, by the points
  }
  return said;
}

std::vector<Item> reworded(const Evidence& all, const Evidence& shown,
                           const std::vector<Item>& items, std::size_t hidden_cases) {
  const Lab& lab = *all.lab;
  const std::vector<Item> visible = score_items(shown);
  std::vector<Item> said;
  Item sum{.id = kHiddenItem,
           .category = Category::correctness,
           .title = hidden_text(hidden_cases),
           .status = ItemStatus::passed,
           .message = {},
           .hint = {},
           .pitfall = {}};
  std::size_t behind_cases = 0;
  for (const Item& item : items) {
    const Case* spec = spec_of(lab, item);
    if (spec != nullptr && !spec->visible) {
      add_hidden_case(item, sum);
    } else {
      const auto it = std::find_if(visible.begin(), visible.end(),
                                   [&](const Item& i) { return i.id == item.id; });
      said.push_back(reworded(all, shown, item, it == visible.end() ? nullptr : &*it));
    }
    behind_cases = item.category == Category::correctness || item.category == Category::build
                       ? said.size()
                       : behind_cases;
  }
  said.insert(said.begin() + static_cast<std::ptrdiff_t>(behind_cases), std::move(sum));
  return said;
}

}  // namespace

std::vector<std::string> counted_hidden(const Lab& lab) {
  std::set<std::string> names = {lab.performance_case};
  for (const ConceptCheck& check : lab.concepts) {
    names.insert(check.on);
  }
  std::erase_if(names, [&](const std::string& name) {
    const Case* spec = lab.find_case(name);
    return spec == nullptr || spec->visible;
  });
  return {names.begin(), names.end()};
}

PublicRuns public_runs(LabSession& session, const BuildResult& build,
                       const std::vector<CaseOutcome>& ran, const Secret& secret,
                       const std::filesystem::path& scratch,
                       const std::vector<CaseOutcome>& known) {
  const auto passed = [](const CaseOutcome& c) { return c.report.verdict == CaseVerdict::passed; };
  // If a visible case is wrong, that is more important.
  const bool worth_it = std::all_of(
      ran.begin(), ran.end(), [&](const CaseOutcome& c) { return !c.report.visible || passed(c); });
  const std::vector<std::string> counted = counted_hidden(session.lab());
  const std::set<std::string> names(counted.begin(), counted.end());
  PublicRuns open{.cases = {}, .own = secret.text.empty()};
  for (const CaseOutcome& c : ran) {
    if (names.contains(c.report.name) && open.own) {
      open.cases.push_back(c);
    } else if (names.contains(c.report.name) && worth_it) {
      const auto kept = std::find_if(known.begin(), known.end(), [&](const CaseOutcome& k) {
        return k.report.name == c.report.name;
      });
      open.cases.push_back(kept != known.end() ? *kept
                                               : run_case(session, build, *c.spec, {}, scratch));
    }
  }
  std::erase_if(open.cases, [&](const CaseOutcome& c) { return !passed(c); });
  return open;
}

BeforeRelease before_release(const Evidence& all, const std::vector<Item>& items, PublicRuns open,
                             const std::vector<SourceFile>& sources,
                             const std::optional<Explanation>& explanation) {
  const Lab& lab = *all.lab;
  BeforeRelease said;
  said.hidden_cases = static_cast<std::size_t>(std::count_if(
      lab.cases.begin(), lab.cases.end(), [](const Case& spec) { return !spec.visible; }));
  if (said.hidden_cases == 0) {
    return said;
  }
  if (open.own) {
    for (const CaseOutcome& c : open.cases) {
      said.public_cases.push_back(c.report.name);
    }
  }
  const Evidence shown = without_hidden(all, std::move(open));
  said.assessment =
      assessment_of(shown, reworded(all, shown, items, said.hidden_cases), sources,
                    explanation && !explanation->from_hidden ? explanation : std::nullopt);
  if (all.measured && !shown.measured) said.assessment.timing.reset();  // another time counts
  for (const warpsim::FindingInfo* kind : shown.hidden->kinds) {
    said.hidden_kinds.emplace_back(kind->slug);
  }
  return said;
}

}  // namespace warpgrade
