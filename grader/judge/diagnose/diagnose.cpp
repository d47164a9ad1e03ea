#include "grader/judge/diagnose/diagnose.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/changes/call_edit.h"
#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/explained.h"
#include "grader/judge/diagnose/hidden_clue.h"
#include "grader/judge/diagnose/proven_cause.h"
#include "grader/judge/diagnose/rules.h"
#include "grader/judge/diagnose/sizes.h"
#include "grader/judge/experiment/edits.h"

namespace warpgrade {
namespace {

// The first rule with an answer decides. Order: what stops a program before wrong results, causes
// before consequences, observations before inferences, and cost only if everything is right.
constexpr std::array kBeforeFormulas = {
    // Certain: everything later follows from these.
    rules::does_not_build,
    rules::our_fault,
    rules::fails_as_second_call,
    rules::ends_the_program,
    rules::host_uses_device_pointer,
    rules::clue_on_endless,
    rules::race_in_endless_kernel,
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
};
/// After a formula that gives most failing cases, none of which has them.
constexpr std::array kOutsideArrays = {
    rules::memory_error, rules::breaks_the_contract, rules::not_assessed,
    rules::no_kernel,  // before the clues, which must not match the stub
};
/// After the lab's clues, and a formula of the lab that gives the outputs, which is a proof.
constexpr std::array kSigns = {
    // For any lab: races and uninitialized reads first, since they have a location; then the
    // values, the source and finally the sizes.
    rules::other_error,      rules::unordered_where_it_differs,
    rules::nondeterministic, rules::garbage_accumulated,
    rules::index_overflows,  rules::result_stays_on_device,
    rules::steps_too_far,    rules::subnormals_lost,
};
/// After the precision, which is inferred from values alone.
constexpr std::array kLaterSigns = {rules::transposed_output, rules::warned_where_wrong};
/// After a general variant, which says more than that elements are wrong.
constexpr std::array kLast = {
    rules::blocks_overlap,
    rules::failed_case,
    hidden_fails,
    rules::untidy,
    rules::relies_on_luck,
    hidden_findings,
    // From here on everything is right and clean.
    rules::clue_on_cost,
    rules::idle_device,
    rules::does_too_much,
    rules::slow,
};

bool is_wrong(const CaseOutcome& c) {
  return c.report.verdict != CaseVerdict::passed && c.report.verdict != CaseVerdict::not_run;
}

bool has_refused_launch(const CaseOutcome& c) {
  return c.emulator && c.emulator->find(warpsim::FindingKind::illegal_launch) != nullptr;
}

/// Whether a case with no elements ended in an error: the forgotten `if (n == 0)`.
bool fails_for_nothing(const CaseOutcome& c) {
  return has_nothing_to_do(c) &&
         (has_refused_launch(c) || c.report.verdict == CaseVerdict::cuda_error);
}

/// Whether cases with a refused launch are worth less than the wrong ones without. A grid of no
/// blocks comes from a number of blocks that is wrong in the other cases, too.
bool launches_cost_less(const std::vector<CaseOutcome>& cases) {
  double refused = 0;
  double others = 0;
  for (const CaseOutcome& c : cases) {
    if (is_wrong(c) && c.spec != nullptr && !fails_for_nothing(c)) {
      if (has_refused_launch(c) && c.emulator->find(warpsim::FindingKind::illegal_launch)
                                       ->has(warpsim::FindingDetail::no_blocks)) {
        return false;
      }
      (has_refused_launch(c) ? refused : others) += c.spec->points;
    }
  }
  return refused < others;
}

/// Whether only the time limit ended the case: no checker found an endless loop or wait, so it may
/// just be slow on a busy machine.
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

/// The evidence without the cases that fail because of a forgotten `if (n == 0)`, the time limit or
/// a launch that is refused for a few sizes, if others fail too: these few would hide the cause of
/// the others.
std::optional<Evidence> larger_mistake(const Evidence& evidence) {
  const bool few_launches = launches_cost_less(evidence.cases);
  const auto aside = [&](const CaseOutcome& c) {
    return fails_for_nothing(c) || ran_out_of_time(c) || (few_launches && has_refused_launch(c));
  };
  if (std::none_of(evidence.cases.begin(), evidence.cases.end(), aside)) {
    return std::nullopt;
  }
  Evidence rest = evidence;
  std::erase_if(rest.cases, aside);
  rest.findings = fold_findings(rest.cases);
  const bool unsafe = std::any_of(rest.findings.begin(), rest.findings.end(),
                                  [](const ReportedFinding& f) { return f.is_error(); });
  if (!unsafe && std::none_of(rest.cases.begin(), rest.cases.end(), is_wrong)) {
    return std::nullopt;
  }
  return rest;
}

bool is_about(const Cause& cause, const std::vector<CaseOutcome>& cases) {
  return std::any_of(cases.begin(), cases.end(), [&](const CaseOutcome& c) {
    return std::find(cause.cases.begin(), cause.cases.end(), c.report.name) != cause.cases.end();
  });
}

/// The evidence without invalid accesses, if a test proved that uninitialized memory makes all
/// cases wrong: garbage that is used as an index leads out of bounds.
std::optional<Evidence> without_consequences(const Evidence& evidence) {
  using warpsim::FindingTopic;
  const auto about = [](FindingTopic topic) {
    return [topic](const ReportedFinding& f) { return f.is_error() && f.is_about(topic); };
  };
  const std::vector<ReportedFinding>& findings = evidence.findings;
  if (!evidence.cause || evidence.cause->kind != CauseKind::uninitialized ||
      evidence.cause->right < evidence.cause->tried ||
      std::ranges::none_of(findings, about(FindingTopic::address)) ||
      std::ranges::none_of(findings, about(FindingTopic::unwritten))) {
    return std::nullopt;
  }
  Evidence rest = evidence;
  std::erase_if(rest.findings, about(FindingTopic::address));
  return rest;
}

template <class Rules>
std::optional<Diagnosis> first_of(const Rules& rules, const Clues& clues) {
  for (const auto& rule : rules) {
    if (std::optional<Diagnosis> result = rule(clues)) return result;
  }
  return std::nullopt;
}

/// Whether it is about most of what fails; otherwise a clue of the lab may say more.
bool explains_most(const Explanation& explanation) {
  return 2 * explanation.cases.size() >= explanation.compared;
}

/// Whether it is the line of a slip that makes all cases right that were tried; the others are too
/// large to be.
bool is_slip_of_tried(const Explanation& explanation) {
  return explanation.slip_cases > 0 && explanation.slip_cases >= explanation.compared;
}

/// Whether a finding is a race of blocks that write the same elements, or a read of uninitialized
/// memory, and the line of a slip makes all cases right: a wrong index leads to both, so the slip
/// is the cause.
bool follows_from_slip(const Diagnosis& finding, const Clues& clues,
                       const Explanation& explanation) {
  if (!is_whole_slip(explanation)) return false;
  return std::ranges::any_of(clues.evidence().findings, [&](const ReportedFinding& f) {
    const bool overlap =
        f.is(warpsim::FindingKind::race_global) && f.has(warpsim::FindingDetail::blocks_overlap);
    return (overlap || f.is_about(warpsim::FindingTopic::unwritten)) &&
           finding.summary.find(f.message) != std::string::npos;
  });
}

/// A finding and what explains the values beside it: an index of another array, a grid of another
/// size.
std::optional<Diagnosis> with_explanation(std::optional<Diagnosis> finding, const Clues& clues,
                                          const std::optional<Explanation>& explanation) {
  const bool has_proof = clues.evidence().cause.has_value();  // which will be added
  if (finding && !has_proof && explanation && follows_from_slip(*finding, clues, *explanation)) {
    finding->summary = fmt::format("{} Now: {}", explanation->message, finding->summary);
    return finding;
  }
  if (finding && !has_proof && explanation && explains_most(*explanation)) {
    finding->summary += " " + explanation->message;
  }
  return finding;
}

/// Whether a page can be about a slip. That of a clue is inferred from a pattern, as the clue is.
/// Calls in another order, left out, or with another size, value or array are not a mistake of an
/// index or of what a sum includes; another grid or argument can be.
bool is_page_of(const std::string& pitfall, const Explanation& slip) {
  constexpr std::array<std::string_view, 5> kKinds = {"order", "call", "size", "value", "array"};
  constexpr std::array<std::string_view, 9> kOfKernels = {"P1", "P2", "P3",  "P4", "P5",
                                                          "P6", "P9", "P13", "P57"};
  const auto has = [](const auto& all, std::string_view one) {
    return std::ranges::find(all, one) != all.end();
  };
  const std::optional<warpsim::CallEdit> call = call_of_slip(slip);
  return !call || !has(kKinds, kind_of(*call)) || !has(kOfKernels, pitfall);
}

/// The page of what a slip explains: its own, or one that can be about it.
std::string page_with(const std::string& pitfall, const Explanation& slip) {
  if (!slip.pitfall.empty()) return slip.pitfall;
  return is_page_of(pitfall, slip) ? pitfall : std::string();
}

/// A clue of the lab is inferred from a pattern. The line of a slip that makes all cases right that
/// can be tried is proven, and takes the place of what the clue says; its page stays if it can be
/// about the slip. One of the structure comes after a clue, which names the mistake itself.
std::optional<Diagnosis> or_slip(std::optional<Diagnosis> clue, const Clues& clues,
                                 const std::optional<Explanation>& explanation) {
  if (clue && !clues.evidence().cause && explanation && is_slip_of_tried(*explanation) &&
      !explanation->of_structure) {
    clue->summary = explanation->message;
    clue->pitfall = page_with(clue->pitfall, *explanation);
  }
  return clue;
}

/// Values that are nearly right follow from fewer bits, but also from a term that is left out.
std::optional<Diagnosis> precision_or_slip(const Clues& clues,
                                           const std::optional<Explanation>& explanation) {
  std::optional<Diagnosis> found = rules::low_precision(clues);
  const bool has_slip = explanation && is_whole_slip(*explanation) && !clues.evidence().cause;
  if (found && has_slip) return Diagnosis{explanation->message, explanation->pitfall};
  return with_explanation(std::move(found), clues, explanation);
}

/// Whether a case has an access outside of an array that the line of a slip makes right.
bool mends_outside(const Clues& clues, const Explanation& slip) {
  return std::ranges::any_of(clues.evidence().findings, [&](const ReportedFinding& f) {
    return f.is_error() && f.is_about(warpsim::FindingTopic::address) &&
           std::ranges::find_first_of(f.cases, slip.cases) != f.cases.end();
  });
}

/// An access outside of an array is a symptom, which the line of a slip precedes.
std::optional<Diagnosis> outside_arrays(const Clues& clues,
                                        const std::optional<Explanation>& explanation) {
  const std::optional<Diagnosis> clue = rules::clue_on_memory_error(clues);
  std::optional<Diagnosis> found = first_of(kOutsideArrays, clues);
  const bool has_slip = explanation && !clues.evidence().cause &&
                        (is_whole_slip(*explanation) ||
                         (is_slip_of_tried(*explanation) && mends_outside(clues, *explanation)));
  if (!has_slip) return with_explanation(clue ? clue : std::move(found), clues, explanation);
  if (found) found->summary = fmt::format("{} {}", explanation->message, found->summary);
  if (found) found->pitfall = page_with(clue ? clue->pitfall : found->pitfall, *explanation);
  return found ? found : or_slip(clue, clues, explanation);
}

/// The right formula for other inputs. Sizes that fail are a symptom of it, whose page may fit.
std::optional<Diagnosis> other_inputs(const Clues& clues,
                                      const std::optional<Explanation>& explanation) {
  std::optional<Diagnosis> found = rules::explained(clues, explanation, Strength::of_inputs);
  if (!found || !found->pitfall.empty()) return found;
  if (const std::optional<Diagnosis> sizes = sizes_that_fail(clues))
    found->pitfall = sizes->pitfall;
  return found;
}

/// The sizes that fail, or the line of a slip, since sizes without a pitfall are a symptom.
std::optional<Diagnosis> slip_or_sizes(const Clues& clues,
                                       const std::optional<Explanation>& explanation) {
  std::optional<Diagnosis> sizes = sizes_that_fail(clues);
  if (!explanation || !is_slip(*explanation) || (sizes && !sizes->pitfall.empty())) return sizes;
  std::optional<Diagnosis> slip = rules::explained(clues, explanation, Strength::general);
  return slip ? slip : sizes;
}

/// The golden function with one place changed, which is a proof. What the outputs and sizes show is
/// a sign of it, whose page may fit; a clue is inferred from them for another mistake.
std::optional<Diagnosis> changed_golden(const Clues& clues,
                                        const std::optional<Explanation>& explanation) {
  std::optional<Diagnosis> found = rules::explained(clues, explanation, Strength::of_golden);
  if (!found || !found->pitfall.empty()) return found;
  for (const auto& sign : {rules::transposed_output, sizes_that_fail}) {
    const std::optional<Diagnosis> page = sign(clues);
    if (!page || page->pitfall.empty()) continue;
    found->pitfall = page->pitfall;
    return found;
  }
  return found;
}

/// The golden function with one place changed, unless a clue with a page has more evidence than
/// which cases fail: a sum over no elements, for example, is 0 for many reasons.
std::optional<Diagnosis> golden_or_clue(const Clues& clues,
                                        const std::optional<Explanation>& explanation) {
  std::optional<Diagnosis> golden = changed_golden(clues, explanation);
  const bool has_page = golden && !golden->pitfall.empty();
  if (golden && (has_page || !rules::clue_on_failure(clues, true))) return golden;
  return or_slip(rules::clue_on_failure(clues, golden.has_value()), clues, explanation);
}

Diagnosis first_answer(const Clues& clues, const std::optional<Explanation>& explanation) {
  const bool most = explanation && explains_most(*explanation);
  std::optional<Diagnosis> result = first_of(kBeforeFormulas, clues);
  if (!result && most) result = rules::explained(clues, explanation, Strength::of_lab);
  if (!result) result = outside_arrays(clues, explanation);
  if (!result) result = golden_or_clue(clues, explanation);
  if (!result) result = rules::explained(clues, explanation, Strength::of_lab);
  if (!result) result = with_explanation(first_of(kSigns, clues), clues, explanation);
  if (!result) result = precision_or_slip(clues, explanation);
  if (!result) result = with_explanation(first_of(kLaterSigns, clues), clues, explanation);
  if (!result) result = other_inputs(clues, explanation);
  if (!result) result = slip_or_sizes(clues, explanation);
  if (!result) result = rules::explained(clues, explanation, Strength::general);
  if (!result) result = first_of(kLast, clues);
  return result ? *result : Diagnosis{"Everything that could be assessed here passes.", ""};
}

}  // namespace

Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                   const std::vector<SourceFile>& sources) {
  return diagnose(evidence, items, sources, std::nullopt);
}

Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                   const std::vector<SourceFile>& sources,
                   const std::optional<Explanation>& explanation) {
  if (!evidence.lab->has_code()) {
    return {evidence.build_problem.empty() ? "Everything that could be assessed here passes."
                                           : evidence.build_problem + ".",
            ""};
  }
  const std::optional<Evidence> larger = larger_mistake(evidence);
  const std::optional<Evidence> causes = without_consequences(larger ? *larger : evidence);
  const Evidence& considered = causes ? *causes : larger ? *larger : evidence;
  Diagnosis by_rules = first_answer(Clues(considered, items, sources), explanation);
  // A proof about cases that are set aside is about another mistake.
  const bool proves = evidence.cause && (!larger || is_about(*evidence.cause, larger->cases));
  if (!proves) return by_rules;
  return explanation && by_rules.summary == explanation->message
             ? with_proof_of(std::move(by_rules), *explanation, *evidence.cause)
             : with_proof(std::move(by_rules), *evidence.cause);
}

}  // namespace warpgrade
