#include <fmt/core.h>

#include <algorithm>

#include "grader/diagnose/lab_clue.h"
#include "grader/diagnose/rules.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingKind;

/// How many others a finding can follow from: threads that are missing at a barrier make races, and
/// races make reads of memory that is written too late.
int depth(warpsim::FindingTopic topic) {
  using warpsim::FindingTopic;
  return topic == FindingTopic::unwritten ? 2 : topic == FindingTopic::race ? 1 : 0;
}

/// 0 where threads miss each other at a barrier, 1 where there are races and 2 where memory is read
/// before it is written, all of them errors; 3 where there is none of it.
int depth_of_cause(const Clues& clues) {
  int least = 3;
  for (const ReportedFinding& f : clues.evidence().findings) {
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(f.kind);
    using warpsim::FindingTopic;
    if (f.is_error() && kind != nullptr &&
        (kind->topic == FindingTopic::waiting || kind->topic == FindingTopic::race ||
         kind->topic == FindingTopic::unwritten)) {
      least = std::min(least, depth(kind->topic));
    }
  }
  return least;
}

/// The page for a race that has none of its own.
std::string pitfall_of(const ReportedFinding& f) {
  if (!f.pitfall.empty()) {
    return f.pitfall;
  }
  return f.is(FindingKind::race_shared) ? "P22" : f.is(FindingKind::race_global) ? "P39" : "";
}

Diagnosis finding_first(const ReportedFinding& f) {
  const std::string place = f.line == 0 ? "" : fmt::format("{}:{}: ", f.file, f.line);
  return {fmt::format("{}{}.", place, f.message), pitfall_of(f)};
}

}  // namespace

/// Accesses that cannot be right, wherever they come from.
Result memory_error(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (!f.is_error() || f.is_tidiness() || f.has_many_causes()) {
      continue;
    }
    // The access has no page of its own; that its error went unread has.
    const ReportedFinding* unread = clues.finding(FindingKind::unchecked_error);
    if (pitfall_of(f).empty() && unread != nullptr) {
      const Diagnosis access = finding_first(f);
      return Diagnosis{fmt::format("{} And {}.", access.summary, unread->message), unread->pitfall};
    }
    const CaseOutcome* failed = clues.first(CaseVerdict::cuda_error);
    if (pitfall_of(f).empty() && failed != nullptr && !clues.outputs_on_device()) {
      return Diagnosis{fmt::format("{} Case \"{}\": {}", finding_first(f).summary,
                                   failed->report.name, failed->report.message),
                       failed->pitfall};
    }
    return finding_first(f);
  }
  return std::nullopt;
}

/// Any other finding that is an error, the one that others can follow from first; those about
/// tidiness come later.
Result other_error(const Clues& clues) {
  const ReportedFinding* first = nullptr;
  int least = 0;
  for (const ReportedFinding& f : clues.evidence().findings) {
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(f.kind);
    const int own = kind == nullptr ? 0 : depth(kind->topic);
    if (f.is_error() && !f.is_tidiness() && (first == nullptr || own < least)) {
      first = &f;
      least = own;
    }
  }
  return first == nullptr ? std::nullopt : Result(finding_first(*first));
}

Result clue_on_memory_error(const Clues& clues) {
  return find_lab_clue(clues, [&](const Clue& clue) {
    const ReportedFinding* f = clues.finding(clue.finding);
    return f != nullptr && f->is_error() && !f->is_tidiness() && !f->has_many_causes();
  });
}

/// A source or a counter says nothing against a program that is right: those need a case that is
/// not, or a finding. A program with full points gets no message.
Result clue_on_failure(const Clues& clues) {
  const bool unsafe = clues.falls_short(Category::safety);
  const bool wrong = clues.any_failure();
  const bool costly = clues.falls_short(Category::concept_check);
  const int cause = depth_of_cause(clues);
  return find_lab_clue(clues, [&](const Clue& clue) {
    if (clue.finding.empty()) {
      return wrong && cause > 0 && tells_what_fails(clue);
    }
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(clue.finding);
    return (kind == nullptr || depth(kind->topic) <= cause) && (wrong || unsafe || costly);
  });
}

/// P28, P29: hardware often forgives these, so they are warnings; they are the cause where the
/// wrong cases are those that have them.
Result warned_where_wrong(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (!f.is(FindingKind::barrier_early_exit) && !f.is(FindingKind::warp_synchronous)) {
      continue;
    }
    const auto& cases = clues.evidence().cases;
    const bool same = std::all_of(cases.begin(), cases.end(), [&](const CaseOutcome& c) {
      const bool warned = std::find(f.cases.begin(), f.cases.end(), c.report.name) != f.cases.end();
      return warned == (c.report.verdict == CaseVerdict::wrong);
    });
    if (same) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

/// Right this time: what the program relies on does not hold everywhere.
Result relies_on_luck(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.severity == "warning" && !f.pitfall.empty() && !f.is_tidiness()) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

Result untidy(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.is_error()) {
      return Diagnosis{fmt::format("{}.", f.message), f.pitfall};
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::rules
