#include "grader/judge/diagnose/lab_clue.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "grader/record/counters/formula.h"

namespace warpgrade {
namespace {

/// One position of each block is also a period, and a wrong sign a factor; lab.toml may use either
/// name.
bool is_pattern(const CaseOutcome& c, const std::string& pattern) {
  return c.report.verdict == CaseVerdict::wrong &&
         (c.report.pattern == pattern ||
          (pattern == "periodic" && c.report.pattern == "block-multiples") ||
          (pattern == "scaled" && c.report.pattern == "wrong-sign"));
}

/// In one of the cases that the clue requires to fail; others may have it by chance, such as a
/// single element that is zero.
bool has_pattern(const Clues& clues, const Clue& clue) {
  const Evidence& evidence = clues.evidence();
  if (clue.fails.empty()) {
    return std::any_of(evidence.cases.begin(), evidence.cases.end(),
                       [&](const CaseOutcome& c) { return is_pattern(c, clue.pattern); });
  }
  return std::any_of(clue.fails.begin(), clue.fails.end(), [&](const std::string& name) {
    const CaseOutcome* c = evidence.find_case(name);
    return c != nullptr && is_pattern(*c, clue.pattern);
  });
}

/// Whether all these cases ran and did not pass. Cases missing from the evidence, such as hidden
/// ones before their release, are ignored; at least one must be there, or a hidden finding.
bool all_fail(const Clues& clues, const Clue& clue) {
  const bool finding_is_hidden = !clue.finding.empty() && clues.finding(clue.finding) == nullptr;
  bool any = clue.fails.empty() || finding_is_hidden;
  for (const std::string& name : clue.fails) {
    const CaseOutcome* c = clues.evidence().find_case(name);
    if (c == nullptr) {
      continue;
    }
    any = true;
    if (c->report.verdict == CaseVerdict::error || c->report.verdict == CaseVerdict::not_run ||
        c->report.verdict == CaseVerdict::passed) {
      return false;
    }
  }
  return any;
}

/// Whether all these cases ran and passed. A case missing from the evidence may be the one that
/// distinguishes this cause from another, so it is ignored only if something else supports the
/// clue.
bool all_pass(const Clues& clues, const Clue& clue) {
  const bool other_signs = !clue.pattern.empty() || !clue.finding.empty();
  return std::all_of(clue.passes.begin(), clue.passes.end(), [&](const std::string& name) {
    const CaseOutcome* c = clues.evidence().find_case(name);
    return c == nullptr ? other_signs : c->report.verdict == CaseVerdict::passed;
  });
}

/// The case whose counters are used: that of the performance item or, if it is hidden, the one with
/// the most threads among those with the clue's finding.
const CaseOutcome* counted_case(const Clues& clues, const Clue& clue) {
  const Evidence& evidence = clues.evidence();
  if (const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case)) {
    return c;
  }
  const ReportedFinding* finding = clue.finding.empty() ? nullptr : clues.finding(clue.finding);
  const CaseOutcome* largest = nullptr;
  double most = 0;
  for (const CaseOutcome& c : evidence.cases) {
    const bool shows = finding == nullptr || std::find(finding->cases.begin(), finding->cases.end(),
                                                       c.report.name) != finding->cases.end();
    const double threads = c.emulator && c.spec != nullptr && shows
                               ? counter_value(*find_counter("threads"), c.emulator->kernels)
                               : 0;
    if (threads > most) {
      most = threads;
      largest = &c;
    }
  }
  return largest;
}

/// Without kernels the condition does not apply; if it divides by a count of zero, it concerns
/// something that this submission does not do.
bool condition_holds(const Clues& clues, const Clue& clue) {
  const CaseOutcome* c = counted_case(clues, clue);
  if (c == nullptr || !c->emulator || c->emulator->kernels.empty()) {
    return false;
  }
  try {
    return evaluate_formula(*clue.when, c->spec->data.dims, [&](const CounterName& counter) {
             return counter_value(counter, *c->emulator, c->emulator->kernels);
           }) != 0;
  } catch (const ExpressionError&) {
    return false;
  }
}

/// Whether there is such a finding in any case. For hidden cases one kind is known.
bool has_finding(const Clues& clues, const std::string& slug) {
  if (clues.finding(slug) != nullptr) {
    return true;
  }
  const std::optional<HiddenPart>& hidden = clues.evidence().hidden;
  return hidden &&
         std::any_of(hidden->kinds.begin(), hidden->kinds.end(),
                     [&](const warpsim::FindingInfo* kind) { return kind->slug == slug; });
}

/// Whether there is the clue's finding. A read of uninitialized memory explains its own case only,
/// so it must be in one of those that the clue requires to fail.
bool has_own_finding(const Clues& clues, const Clue& clue) {
  const ReportedFinding* finding = clues.finding(clue.finding);
  const bool any_case =
      clue.fails.empty() ||
      (finding != nullptr && !finding->is_about(warpsim::FindingTopic::unwritten));
  if (finding == nullptr) {
    const auto visible = [&](const std::string& name) {
      return clues.evidence().find_case(name) != nullptr;
    };
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(clue.finding);
    const bool elsewhere = kind != nullptr && kind->topic == warpsim::FindingTopic::unwritten &&
                           std::any_of(clue.fails.begin(), clue.fails.end(), visible);
    return !elsewhere && has_finding(clues, clue.finding);
  }
  if (any_case) {
    return true;
  }
  return std::any_of(clue.fails.begin(), clue.fails.end(), [&](const std::string& name) {
    return std::find(finding->cases.begin(), finding->cases.end(), name) != finding->cases.end();
  });
}

/// Whether the clue is about one kind of race, and all findings that it names are of another:
/// something is read before it is written (P22) or overwritten while it is still read (P23); a
/// block reads what another one writes (P33), or both write (P30, P39).
bool is_about_the_other_race(const Clues& clues, const Clue& clue) {
  static const std::map<std::string_view, std::vector<std::string_view>> kOther = {
      {"P22", {"P23"}}, {"P33", {"P30", "P39"}}};
  const auto other = kOther.find(clue.pitfall);
  if (other == kOther.end() || clue.finding.empty()) return false;
  bool any = false;
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.kind != clue.finding) continue;
    if (std::ranges::find(other->second, f.pitfall) == other->second.end()) return false;
    any = true;
  }
  return any;
}

bool source_matches(const Clues& clues, const std::string& regex) {
  try {
    return clues.source_matches(regex.c_str());
  } catch (const std::regex_error&) {  // a line too complex for the expression
    return false;
  }
}

bool holds(const Clues& clues, const Clue& clue) {
  return (clue.pattern.empty() || has_pattern(clues, clue)) && all_fail(clues, clue) &&
         all_pass(clues, clue) && (clue.finding.empty() || has_own_finding(clues, clue)) &&
         !is_about_the_other_race(clues, clue) &&
         (clue.no_finding.empty() || !has_finding(clues, clue.no_finding)) &&
         (!clue.when || condition_holds(clues, clue)) &&
         (clue.source.empty() || source_matches(clues, clue.source)) &&
         (clue.lacks.empty() || !source_matches(clues, clue.lacks));
}

}  // namespace

std::optional<Diagnosis> find_lab_clue(const Clues& clues,
                                       const std::function<bool(const Clue&)>& asked) {
  for (const Clue& clue : clues.evidence().lab->clues) {
    if (asked(clue) && holds(clues, clue)) {
      return Diagnosis{clue.says, clue.pitfall};
    }
  }
  return std::nullopt;
}

bool tells_what_fails(const Clue& clue) {
  return !clue.pattern.empty() || !clue.fails.empty() || !clue.finding.empty() ||
         !clue.source.empty();
}

}  // namespace warpgrade
