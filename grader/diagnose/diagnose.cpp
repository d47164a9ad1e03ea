#include "grader/diagnose/diagnose.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "grader/diagnose/clues.h"
#include "grader/diagnose/hidden_clue.h"
#include "grader/diagnose/proven_cause.h"
#include "grader/diagnose/rules.h"
#include "grader/diagnose/sizes.h"

namespace warpgrade {
namespace {

/// The first that knows an answer decides: what stops a program before what it got wrong, causes
/// before their consequences, what was seen before what is concluded, and cost only when all is
/// right.
constexpr std::array kRules = {
    // Certain: nothing after these could have been otherwise.
    rules::does_not_build,
    rules::our_fault,
    rules::fails_as_second_call,
    rules::ends_the_program,
    rules::host_uses_device_pointer,
    rules::clue_on_endless,
    rules::never_ends,
    // Before the findings that they lead to: too small a copy leaves memory uninitialized, a grid
    // of
    // no blocks fails, an index of 16 bits is out of bounds.
    rules::clue_on_copy,
    rules::bytes_for_elements,
    rules::wrong_copy_direction,
    rules::inputs_copied_backwards,
    rules::grid_too_small,
    rules::index_overflows_and_leaves,
    rules::clue_on_launch,
    rules::illegal_launch,
    rules::clue_on_memory_error,
    rules::memory_error,
    rules::breaks_the_contract,
    rules::not_assessed,
    rules::no_kernel,  // before the clues, which the stub must not meet
    // What the lab knows, then what holds for any lab: races and uninitialized reads first, since
    // they have a place; then what the values, the source and at last the sizes suggest.
    rules::clue_on_failure,
    rules::other_error,
    rules::nondeterministic,
    rules::garbage_accumulated,
    rules::index_overflows,
    rules::result_stays_on_device,
    rules::steps_too_far,
    rules::subnormals_lost,
    rules::low_precision,
    rules::transposed_output,
    rules::warned_where_wrong,
    sizes_that_fail,
    rules::failed_case,
    hidden_fails,
    rules::untidy,
    rules::relies_on_luck,
    hidden_findings,
    // All is right and clean from here on.
    rules::clue_on_cost,
    rules::idle_device,
    rules::does_too_much,
    rules::slow,
};

bool is_wrong(const CaseOutcome& c) {
  return c.report.verdict != CaseVerdict::passed && c.report.verdict != CaseVerdict::not_run;
}

/// Whether a launch was refused in a case that has nothing to do: the forgotten `if (n == 0)`.
bool launches_for_nothing(const CaseOutcome& c) {
  return has_nothing_to_do(c) && c.emulator &&
         c.emulator->find(warpsim::FindingKind::illegal_launch) != nullptr;
}

/// Whether only the clock ended the case: no checker saw a loop or a wait that cannot end, and on a
/// busy machine a slow case needs no more than that.
bool ran_out_of_time(const CaseOutcome& c) {
  if (c.report.verdict != CaseVerdict::never_ends) {
    return false;
  }
  using warpsim::FindingTopic;
  return !c.emulator || std::none_of(c.emulator->findings.begin(), c.emulator->findings.end(),
                                     [](const ReportedFinding& f) {
                                       return f.is_about(FindingTopic::endless) ||
                                              f.is_about(FindingTopic::waiting);
                                     });
}

/// The evidence without the cases that a forgotten `if (n == 0)` or the clock has spoilt, if these
/// are not all that is wrong: they are few, and would hide what makes all the others wrong.
std::optional<Evidence> larger_mistake(const Evidence& evidence) {
  Evidence rest = evidence;
  const auto aside = [](const CaseOutcome& c) {
    return launches_for_nothing(c) || ran_out_of_time(c);
  };
  if (std::erase_if(rest.cases, aside) == 0) {
    return std::nullopt;
  }
  rest.findings = fold_findings(rest.cases);
  const bool unsafe = std::any_of(rest.findings.begin(), rest.findings.end(),
                                  [](const ReportedFinding& f) { return f.is_error(); });
  if (!unsafe && std::none_of(rest.cases.begin(), rest.cases.end(), is_wrong)) {
    return std::nullopt;
  }
  return rest;
}

Diagnosis first_answer(const Clues& clues) {
  for (const auto& rule : kRules) {
    if (std::optional<Diagnosis> result = rule(clues)) {
      return *result;
    }
  }
  return {"Everything that could be assessed here passes.", ""};
}

}  // namespace

Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                   const std::vector<SourceFile>& sources) {
  const std::optional<Evidence> larger = larger_mistake(evidence);
  Diagnosis by_rules = first_answer(Clues(larger ? *larger : evidence, items, sources));
  return evidence.cause ? with_proof(std::move(by_rules), *evidence.cause) : by_rules;
}

}  // namespace warpgrade
