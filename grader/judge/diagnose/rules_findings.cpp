#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "grader/core/files.h"
#include "grader/judge/diagnose/lab_clue.h"
#include "grader/judge/diagnose/places.h"
#include "grader/judge/diagnose/rules.h"
#include "grader/judge/diagnose/sizes.h"
#include "harness/lab/axes.h"
#include "harness/lab/python_form.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingDetail;
using warpsim::FindingKind;

/// How many other kinds a finding can follow from: threads missing at a barrier cause races, and
/// races cause reads of memory that is written too late.
int depth(warpsim::FindingTopic topic) {
  using warpsim::FindingTopic;
  return topic == FindingTopic::unwritten ? 2 : topic == FindingTopic::race ? 1 : 0;
}

/// 0 for errors at barriers, 1 for races, 2 for reads of uninitialized memory; 3 if there is none
/// of them.
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

bool is_access_outside(const ReportedFinding& f) {
  return f.is(FindingKind::oob_global_read) || f.is(FindingKind::oob_global_write);
}

/// P4: an access of a kernel with rows is out of bounds although conditions guard it. For reads
/// only the conditions of the access alone count, since others may be meant for the thread's own
/// element. Not if a comparison is off by one, which is a complete guard otherwise.
bool is_guarded_in_part(const Clues& clues, const ReportedFinding& f) {
  if (!is_access_outside(f) || !clues.has_rows(f.kernel)) {
    return false;
  }
  const Conditions conditions = clues.conditions_at(f);
  std::vector<std::string> guards = conditions.own;
  const bool writes = f.is(FindingKind::oob_global_write);
  if (writes) {
    guards.insert(guards.end(), conditions.around.begin(), conditions.around.end());
  }
  const auto has = [](const std::vector<std::string>& texts, std::string_view sign) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return text.find(sign) != std::string::npos;
    });
  };
  if (has(guards, "<=")) {
    return false;
  }
  return has(guards, "<") || (writes && has(conditions.returns, ">="));
}

/// An index that goes to another row by the extent that the row is compared with. The contract says
/// what that is: the length of a column, so that the index is wrong (P5), or that of a row, so that
/// the conditions are (P4). Nothing if its arrays have it as either.
Result index_and_conditions_differ(const Clues& clues, const ReportedFinding& f) {
  if (!is_access_outside(f)) return std::nullopt;
  const std::optional<OtherExtent> found = index_with_other_extent(clues.conditions_at(f));
  if (!found) return std::nullopt;
  const AxisKind axis = axis_kind(*clues.evidence().lab, found->extent);
  if (axis == AxisKind::before_last) {
    return Diagnosis{fmt::format("The conditions are right, and the index is not: `{}` counts rows "
                                 "in steps of a column's length.",
                                 found->index),
                     "P5"};
  }
  if (axis == AxisKind::last) {
    return Diagnosis{
        fmt::format("The index `{}` is right, and the conditions are not: they compare "
                    "the number of a row with `{}`, the length of a row.",
                    found->index, found->extent),
        "P4"};
  }
  return std::nullopt;
}

/// What is before the start of an array is not the element of a thread beyond its end.
std::string pitfall_of_access(const ReportedFinding& f) {
  const bool before = is_access_outside(f) && f.access().known() && f.access().element() < 0;
  return before && f.pitfall == "P1" ? std::string() : f.pitfall;
}

/// P20: an access shortly before an array, in a function that subtracts: a neighbour, or a cell of
/// a window, which the first threads do not have.
bool is_neighbour_before(const Clues& clues, const ReportedFinding& f) {
  if (!is_access_outside(f) || !f.access().known()) return false;
  const std::int64_t element = f.access().element();
  const bool near = element < 0 && -element <= static_cast<std::int64_t>(f.access().elements());
  return near && has_difference(clues.conditions_at(f));
}

/// P28: threads are missing at a barrier, and there is a return above it.
bool returned_before(const Clues& clues, const ReportedFinding& f) {
  return f.is(FindingKind::barrier_divergence) && f.has(FindingDetail::threads_ended) &&
         !clues.conditions_at(f).returns.empty();
}

/// The page for a race without a pitfall.
std::string pitfall_of(const ReportedFinding& f) {
  if (!f.pitfall.empty()) {
    return pitfall_of_access(f);
  }
  return f.is(FindingKind::race_shared) ? "P22" : f.is(FindingKind::race_global) ? "P39" : "";
}

Diagnosis finding_first(const ReportedFinding& f) {
  const std::string place = f.line == 0 ? "" : fmt::format("{}:{}: ", f.file, f.line);
  const char* more = f.has(FindingDetail::copies_overlap)
                         ? " The two copies overlap: both write the same bytes."
                         : "";
  return {fmt::format("{}{}.{}", place, f.message, more), pitfall_of(f)};
}

/// The lab's solution and stages.
std::vector<SourceFile> right_programs(const Lab& lab) {
  std::vector<std::filesystem::path> files = {solution_of(lab)};
  for (const Rung& rung : lab.rungs) {
    files.push_back(stage_of(lab, rung.stage));
  }
  std::vector<SourceFile> programs;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) continue;
    programs.push_back({.name = file.filename().string(), .text = read_file(file)});
  }
  return programs;
}

/// Whether nothing supports a clue but which cases fail.
bool rests_on_cases(const Clue& clue) {
  return clue.finding.empty() && clue.pattern.empty() && clue.source.empty() && !clue.when;
}

bool is_about_axes(const Clue& clue) {
  return clue.pitfall == "P4" || clue.pitfall == "P5";
}

}  // namespace

/// A kernel that never ends, and a race in it: updates that are lost, or a value that is read too
/// early, are why a loop waits for ever more often than the other way round.
Result race_in_endless_kernel(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::never_ends);
  if (c == nullptr || !c->emulator) {
    return std::nullopt;
  }
  using warpsim::FindingTopic;
  const auto& findings = c->emulator->findings;
  const auto race = std::ranges::find_if(findings, [&](const ReportedFinding& f) {
    return f.is_error() && f.is_about(FindingTopic::race) &&
           std::ranges::any_of(findings, [&](const ReportedFinding& stop) {
             return stop.is_about(FindingTopic::endless) && stop.kernel == f.kernel;
           });
  });
  if (race == findings.end()) {
    return std::nullopt;
  }
  // Data that is overwritten does not change how many threads arrive at an mbarrier; and a phase
  // that ends too early, or never, leads to races.
  const auto stuck = std::ranges::find_if(findings, [&](const ReportedFinding& f) {
    return f.is(FindingKind::mbarrier_deadlock) && f.kernel == race->kernel && !f.want.empty();
  });
  const bool initialized = std::ranges::none_of(
      findings, [](const ReportedFinding& f) { return f.is(FindingKind::mbarrier_uninitialized); });
  if (stuck != findings.end() && race->is(FindingKind::race_shared) && initialized) {
    return Diagnosis{
        fmt::format("{} They wait for {}. {} Threads also race, which may follow from it.",
                    finding_first(*stuck).summary, stuck->want, stuck->next),
        pitfall_of(*stuck)};
  }
  return Diagnosis{
      fmt::format("{} The kernel does not end, which may follow from it. Case \"{}\": {}",
                  finding_first(*race).summary, c->report.name, c->report.message),
      pitfall_of(*race)};
}

/// Invalid accesses, whatever their cause.
Result memory_error(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (!f.is_error() || f.is_tidiness() || f.has_many_causes()) {
      continue;
    }
    // The access has no pitfall page, but the unchecked error has.
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
    if (Result differ = index_and_conditions_differ(clues, f)) {
      differ->summary = fmt::format("{} {}", finding_first(f).summary, differ->summary);
      return differ;
    }
    if (is_guarded_in_part(clues, f)) {
      return Diagnosis{
          fmt::format("{} There is a condition, but it does not exclude all threads without an "
                      "element: is each index compared with the extent of its own axis?",
                      finding_first(f).summary),
          "P4"};
    }
    if (is_neighbour_before(clues, f)) {
      return Diagnosis{
          fmt::format("{} The index there is {}: what is subtracted leads before the first "
                      "element, and no condition excludes it.",
                      finding_first(f).summary, f.access().element()),
          "P20"};
    }
    if (const int side = is_access_outside(f) ? only_element_outside(clues, f) : 0; side != 0) {
      Diagnosis diagnosis = finding_first(f);
      diagnosis.summary += side > 0 ? " It is one element after the last: the largest index is one "
                                      "too large."
                                    : " It is one element before the first: the smallest index is "
                                      "-1.";
      return diagnosis;
    }
    if (f.is(FindingKind::misaligned_global) || f.is(FindingKind::misaligned_shared)) {
      Diagnosis diagnosis = finding_first(f);
      diagnosis.summary +=
          " Vector types such as float4 need aligned addresses: the array, offsets and lengths of "
          "rows have to be multiples of their size.";
      return diagnosis;
    }
    return finding_first(f);
  }
  return std::nullopt;
}

/// Any other finding that is an error, causes before consequences; tidiness comes later.
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
  if (first != nullptr && returned_before(clues, *first)) {
    return Diagnosis{
        fmt::format("{} Threads have returned above it.", finding_first(*first).summary), "P28"};
  }
  if (first == nullptr) return std::nullopt;
  Diagnosis diagnosis = finding_first(*first);
  if (first->is(FindingKind::unwritten_global_read)) {
    const auto cases = accesses_of(clues, *first);
    if (const std::uint64_t element = same_first_unwritten(cases); element > 0) {
      diagnosis.summary +=
          fmt::format(" In all {} cases with such a read, the first one is of element {}.",
                      cases.size(), element);
    }
  }
  return diagnosis;
}

Result clue_on_memory_error(const Clues& clues) {
  return find_lab_clue(clues, [&](const Clue& clue) {
    const ReportedFinding* f = clues.finding(clue.finding);
    return f != nullptr && f->is_error() && !f->is_tidiness() && !f->has_many_causes();
  });
}

/// Clues from the source or counters need a failing case or a finding, so that a program with full
/// points gets no message.
///
/// A clue about other sizes, which has nothing but the cases that fail, is no more likely than that
/// two axes are exchanged, if square shapes are right and others are wrong: then this is said.
Result clue_on_failure(const Clues& clues, bool by_signs) {
  const Result shapes = shapes_that_fail(clues);
  const bool unsafe = clues.falls_short(Category::safety);
  const bool wrong = clues.any_failure();
  const bool costly = clues.falls_short(Category::concept_check);
  const int cause = depth_of_cause(clues);
  return find_lab_clue(clues, [&](const Clue& clue) {
    if (by_signs && (rests_on_cases(clue) || clue.pitfall.empty())) return false;
    if (clue.finding.empty()) {
      if (shapes && rests_on_cases(clue) && !is_about_axes(clue)) return false;
      return wrong && cause > 0 && tells_what_fails(clue);
    }
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(clue.finding);
    return (kind == nullptr || depth(kind->topic) <= cause) && (wrong || unsafe || costly);
  });
}

Result clue_in_source(const Clues& clues) {
  if (!clues.any_failure()) return std::nullopt;
  const std::vector<Item> no_items;
  std::vector<Clues> right;  // read when a clue holds, which few do
  // A line that many right programs have, such as one with __shared__, is no evidence of a mistake.
  const auto is_common = [&](const Clue& clue) {
    if (right.empty()) {
      for (SourceFile& program : right_programs(*clues.evidence().lab)) {
        right.emplace_back(clues.evidence(), no_items, std::vector{std::move(program)});
      }
    }
    const auto count = std::ranges::count_if(
        right, [&](const Clues& program) { return program.source_matches(clue.source.c_str()); });
    return 4 * static_cast<std::size_t>(count) > right.size();
  };
  return find_lab_clue(clues, [&](const Clue& clue) {
    return clue.finding.empty() && !clue.source.empty() && tells_what_fails(clue) &&
           !is_common(clue);
  });
}

/// P28, P29: these often work on hardware, so they are warnings; they are the cause if exactly the
/// wrong cases have them.
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

/// Blocks that write the same elements, if every wrong case has them: what they write twice is
/// missing elsewhere. With equal values it is only a warning, which no other rule reads.
Result blocks_overlap(const Clues& clues) {
  const ReportedFinding* first = nullptr;
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.report.verdict != CaseVerdict::wrong) continue;
    if (!c.emulator) return std::nullopt;
    const auto& findings = c.emulator->findings;
    const auto overlap = std::ranges::find_if(
        findings, [](const ReportedFinding& f) { return f.has(FindingDetail::blocks_overlap); });
    if (overlap == findings.end()) return std::nullopt;
    if (first == nullptr) first = &*overlap;
  }
  if (first == nullptr) return std::nullopt;
  Diagnosis diagnosis = finding_first(*first);
  diagnosis.summary +=
      " If each block is meant to have elements of its own, blocks overlap: multiply a block's "
      "number by the number of elements that a block has.";
  return diagnosis;
}

/// P33: a warning, since strong accesses without an order are defined; it is the cause if the
/// outputs of a case that has it depend on the order of execution.
Result unordered_where_it_differs(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("nondeterministic");
  if (c == nullptr || !c->emulator) return std::nullopt;
  const auto& findings = c->emulator->findings;
  const auto unordered = std::ranges::find_if(findings, [](const ReportedFinding& f) {
    return f.is(FindingKind::fence_scope) && !f.pitfall.empty();
  });
  if (unordered == findings.end()) return std::nullopt;
  Diagnosis diagnosis = finding_first(*unordered);
  diagnosis.summary +=
      fmt::format(" {} Case \"{}\": {}", unordered->next, c->report.name, c->report.pattern_detail);
  return diagnosis;
}

/// Right this time, but the program relies on behavior that is not guaranteed.
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
