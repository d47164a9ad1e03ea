#include "grader/judge/misreading/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "grader/judge/misreading/wording.h"
#include "harness/core/lab_error.h"
#include "harness/data/elements.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/compare.h"
#include "harness/tolerance/compare_element.h"

namespace warpgrade {
namespace {

/// The share of wrong elements, and of cases, that an explanation may miss.
constexpr double kMissed = 0.05;
/// Fewer elements in a single case may be equal by chance, unless one of them is a number with
/// more than so many significant bits.
constexpr std::uint64_t kFewestElements = 4;
constexpr int kFewBits = 12;
/// One of so many cases may fail in another way than by wrong values: it has a second mistake.
constexpr std::uint64_t kCasesWithOneMissed = 5;
/// Of elements that are wrong in a part of an output: so many, with so many different values, are
/// not equal by chance.
constexpr std::uint64_t kManyElements = 32;
constexpr std::size_t kFewValues = 4;
/// Elements of results that are kept: about 64 MiB.
constexpr std::size_t kMostKept = std::size_t{1} << 22;

bool is_blank(const Array& got, std::size_t i) {
  const std::size_t size = size_of(got.type);
  const std::byte* element = got.bytes.data() + i * size;
  return is_unwritten(got, i) ||
         std::all_of(element, element + size, [](std::byte b) { return b == std::byte{0}; });
}

bool is_as(const VariantOutput& variant, const Left& left, const Array& got, std::size_t i) {
  switch (left.kind) {
    case Left::Kind::any:
      return false;
    case Left::Kind::blank:
      return is_blank(got, i);
    case Left::Kind::value:
      break;
  }
  return matches_at(got, i, variant.values(), left.from, left.factor);
}

std::uint64_t most_missed(std::uint64_t count) {
  return static_cast<std::uint64_t>(kMissed * static_cast<double>(count));
}

/// Whether two numbers that are equal are so by chance: one with few significant bits, such as a
/// count, or an infinite one.
bool is_guessed(double value) {
  if (!std::isfinite(value)) return true;
  int exponent = 0;
  const double fraction = std::ldexp(std::frexp(value, &exponent), kFewBits);
  return fraction == std::nearbyint(fraction);
}

/// Elements of one kind, and how many of them are not as the variant has them.
struct Share {
  std::uint64_t count = 0;
  std::uint64_t missed = 0;

  void add(bool as_variant) {
    ++count;
    missed += as_variant ? 0 : 1;
  }
  [[nodiscard]] bool holds() const { return missed <= most_missed(count); }
};

/// A variant and the cases whose outputs it gives.
struct Tally {
  const Variant* variant = nullptr;
  std::vector<const WrongCase*> cases = {};
  std::size_t proven = 0;  // of these, cases that distinguish it from the right result
  std::uint64_t explained = 0;
  bool has_telling = false;  // one of these is not equal by chance
  std::set<double> values = {};  // of these, the first few different ones
  std::uint64_t contradicted = 0;  // right elements that it does not give
  std::uint64_t others = 0;  // elements of these cases that it does not give
  std::size_t missed = 0;  // cases whose values it does not give
  bool gives_largest = false;  // the largest case that it says something of
  bool has_values = false;  // in a case that it explains
  std::uint64_t unwritten = 0;  // elements of these cases that were left aside
  bool dropped = false;
};

bool explains_more(const Tally& a, const Tally& b) {
  return std::tuple(a.cases.size(), a.explained, b.contradicted) >
         std::tuple(b.cases.size(), b.explained, a.contradicted);
}

bool explains_as_much(const Tally& a, const Tally& b) {
  return !explains_more(a, b) && !explains_more(b, a);
}

/// What a variant costs for one case: general ones are functions of the right result.
double cost_of(const Variant& variant, const CaseData& data) {
  double elements = 0;
  for (const auto& [name, expected] : data.expected) {
    elements += static_cast<double>(expected.count());
  }
  return 8 * elements + (variant.is_formula() ? work_of(data) : 0);
}

/// Whether an element is wrong that was written.
bool has_wrong_written(const WrongCase& wrong) {
  for (const std::string& name : comparable_outputs(*wrong.data->lab)) {
    const auto got = wrong.outputs->find(name);
    if (got == wrong.outputs->end()) continue;
    if (got->second.count() != wrong.data->expected.at(name).count()) continue;
    const std::vector<bool>& right = wrong.right_elements(name);
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!right[i] && !is_unwritten(got->second, i)) return true;
    }
  }
  return false;
}

class Search {
 public:
  Search(const WrongOutputs& asked, const std::vector<Variant>& variants,
         const ExplanationBudget& budget, KeptResults& kept, Scope scope = {})
      : asked_(asked), budget_(budget), kept_(kept), scope_(std::move(scope)) {
    for (const Variant& variant : variants) {
      if (variant.is_formula() || !scope_.where_wrong) tallies_.push_back({.variant = &variant});
    }
    // Other failures are cases that no formula gives.
    fail_otherwise_ = asked.failing - asked.wrong.size() - asked.unknown;
  }

  std::optional<Explanation> run() {
    std::vector<const WrongCase*> cases;
    for (const WrongCase& wrong : asked_.wrong) {
      if (work_of(*wrong.data) <= budget_.largest_case) cases.push_back(&wrong);
    }
    std::stable_sort(cases.begin(), cases.end(), [](const WrongCase* a, const WrongCase* b) {
      return work_of(*a->data) < work_of(*b->data);
    });
    const std::size_t unprovable = first_unprovable(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (i == unprovable) drop_unproven();
      if (!compare_all(*cases[i])) break;
      ++compared_;
    }
    std::erase_if(tallies_, [&](const Tally& tally) {
      return !holds(tally) || (!scope_.where_wrong && is_contradicted(tally));
    });
    const Tally* best = only_best();
    return best == nullptr ? std::nullopt : std::optional(told(*best));
  }

 private:
  /// Whether the cases that are not explained are so few that they may fail for another reason.
  /// @param missed  of those that were compared  @param count  of all
  [[nodiscard]] bool may_miss(std::size_t missed, std::size_t count) const {
    if (missed == 1 && fail_otherwise_ == 0 && count >= kCasesWithOneMissed) return true;
    const bool in_another_way = missed == 0 && fail_otherwise_ <= 1 && count >= kCasesWithOneMissed;
    return in_another_way || missed + fail_otherwise_ <= most_missed(count);
  }

  /// The first one from which on no case can prove a variant, since all that was written is right.
  [[nodiscard]] std::size_t first_unprovable(const std::vector<const WrongCase*>& cases) const {
    std::size_t end = cases.size();
    while (scope_.written && end > 0 && !has_wrong_written(*cases[end - 1])) --end;
    return end;
  }

  void drop_unproven() {
    for (Tally& tally : tallies_) tally.dropped = tally.dropped || tally.proven == 0;
  }

  /// @returns false if the budget is used up: the case does not count
  bool compare_all(const WrongCase& wrong) {
    double cost = cost_of_all(wrong);
    if (spent_ + cost > budget_.total) {
      // A formula says more than a general variant.
      for (Tally& tally : tallies_) tally.dropped = tally.dropped || !tally.variant->is_formula();
      cost = cost_of_all(wrong);
    }
    // The first formulas of a lab are those of the most common mistakes.
    for (auto tally = tallies_.rbegin(); compared_ == 0 && tally != tallies_.rend(); ++tally) {
      if (spent_ + cost <= budget_.total) break;
      if (tally->dropped) continue;
      tally->dropped = true;
      cost -= cost_of(*tally->variant, *wrong.data);
    }
    if (spent_ + cost > budget_.total) return false;
    spent_ += cost;
    for (Tally& tally : tallies_) {
      if (!tally.dropped) compare(wrong, tally);
    }
    return true;
  }

  [[nodiscard]] double cost_of_all(const WrongCase& wrong) const {
    double cost = 0;
    for (const Tally& tally : tallies_) {
      cost += tally.dropped ? 0 : cost_of(*tally.variant, *wrong.data);
    }
    return cost;
  }

  void compare(const WrongCase& wrong, Tally& tally) {
    try {
      const Fit found = fit(*kept_.of(*tally.variant, *wrong.data), wrong, scope_);
      if (found.silent) return;
      if (found.gives) {
        tally.cases.push_back(&wrong);
        tally.gives_largest = true;
        tally.proven += found.explains ? 1 : 0;
        tally.explained += found.explained;
        tally.has_telling = tally.has_telling || found.has_telling;
        tally.values.insert(found.values.begin(), found.values.end());
        tally.contradicted += found.contradicted;
        tally.others += found.wrong - found.given + (scope_.where_wrong ? 0 : found.contradicted);
        tally.has_values = tally.has_values || found.has_values;
        tally.unwritten += found.unwritten;
      } else {
        ++tally.missed;
        tally.gives_largest = false;
      }
      const bool may_hold = scope_.where_wrong
                                ? tally.missed == 0 && tally.proven == tally.cases.size()
                                : may_miss(tally.missed, asked_.failing - asked_.unknown);
      tally.dropped = !may_hold;
    } catch (const LabError&) {
      tally.dropped = true;  // `lab check` reports it
    }
  }

  [[nodiscard]] bool holds(const Tally& tally) const {
    const bool many = tally.explained >= kManyElements && tally.values.size() >= kFewValues;
    const bool is_certain = tally.has_telling || many;
    // Right elements do not speak against it, so that more has to speak for it.
    if (scope_.where_wrong &&
        (tally.missed > 0 || tally.proven < tally.cases.size() || !is_certain)) {
      return false;
    }
    // One value, often 0, wherever it is wrong follows from many mistakes: an edit among hundreds
    // that gives it is not the one that was made.
    if (tally.variant->of_golden && !tally.has_telling && tally.values.size() < 2) return false;
    // A case may have a second mistake; but the larger ones tell formulas apart that small ones do
    // not.
    const bool missed_few = tally.missed + fail_otherwise_ <= most_missed(compared_);
    if (tally.missed > 0 && !missed_few && (!is_certain || !tally.gives_largest)) return false;
    return !tally.dropped && tally.has_values && tally.proven > 0 &&
           2 * tally.proven >= tally.cases.size() &&
           may_miss(tally.missed, compared_ + fail_otherwise_) &&
           (tally.proven > 1 || tally.explained >= kFewestElements || tally.has_telling);
  }

  /// Whether these are changed golden functions that give the same in the cases that they explain.
  [[nodiscard]] bool compute_the_same(const std::vector<const Tally*>& tallies) {
    const Tally& first = *tallies.front();
    return std::all_of(tallies.begin(), tallies.end(), [&](const Tally* other) {
      if (!other->variant->of_golden || other->cases != first.cases) return false;
      return std::all_of(first.cases.begin(), first.cases.end(), [&](const WrongCase* wrong) {
        const auto a = kept_.of(*first.variant, *wrong->data);
        const auto b = kept_.of(*other->variant, *wrong->data);
        return other == &first || are_alike(*a, *b, *wrong);
      });
    });
  }

  [[nodiscard]] bool are_alike(const VariantResult& a, const VariantResult& b,
                               const WrongCase& wrong) const {
    for (const std::string& name : comparable_outputs(*wrong.data->lab)) {
      if (!scope_.output.empty() && name != scope_.output) continue;
      if (scope_.where_wrong) {
        const std::vector<bool>& right = wrong.right_elements(name);
        const VariantOutput of_a = a.of(name);
        const VariantOutput of_b = b.of(name);
        for (std::size_t i = 0; i < right.size(); ++i) {
          if (!right[i] && of_a.number(i) != of_b.number(i)) return false;
        }
      } else if (are_told_apart(a.of(name).values(), b.of(name).values())) {
        return false;
      }
    }
    return true;
  }

  /// The best one, if no other is as good; a lab's formula says more than a general variant.
  [[nodiscard]] const Tally* only_best() {
    for (const bool of_lab : {true, false}) {
      std::vector<const Tally*> best;
      for (const Tally& tally : tallies_) {
        if (tally.variant->of_lab() != of_lab) continue;
        if (!best.empty() && explains_more(tally, *best.front())) best.clear();
        if (best.empty() || explains_as_much(tally, *best.front())) best.push_back(&tally);
      }
      if (best.size() > 1 && !compute_the_same(best)) return nullptr;
      if (!best.empty()) return best.front();
    }
    return nullptr;
  }

  /// Whether a program with this formula would be wrong where the submission is right.
  bool is_contradicted(const Tally& tally) {
    return std::any_of(asked_.right.begin(), asked_.right.end(), [&](const auto& data) {
      const double cost = cost_of(*tally.variant, *data);
      if (cost > budget_.largest_case || spent_ + cost > budget_.total) {
        ++right_left_out_;
        return false;
      }
      spent_ += cost;
      try {
        return is_wrong_in(*kept_.of(*tally.variant, *data), *data, scope_.output);
      } catch (const LabError&) {
        return true;
      }
    });
  }

  [[nodiscard]] Explanation told(const Tally& best) {
    Explanation explanation;
    explanation.variant = best.variant->id;
    explanation.of_lab = best.variant->of_lab() && !scope_.where_wrong;
    explanation.of_golden = best.variant->of_golden && !scope_.where_wrong;
    explanation.where_wrong = scope_.where_wrong;
    explanation.of_inputs =
        best.variant->is_formula() && !explanation.of_lab && !explanation.of_golden;
    explanation.pitfall = best.variant->pitfall;
    for (const WrongCase* wrong : best.cases) explanation.cases.push_back(wrong->name());
    explanation.compared = compared_;
    explanation.failing = asked_.failing + asked_.aside;
    explanation.from_hidden = asked_.from_hidden;
    explanation.message =
        sentence({.says = best.variant->says,
                  .explained = best.cases.size(),
                  .compared = compared_,
                  .failing = std::max(asked_.failing, scope_.failing) + asked_.aside,
                  .other_elements = best.others,
                  .output = scope_.output,
                  .failing_in_all = scope_.failing_in_all,
                  .unwritten = best.unwritten,
                  .where_wrong = scope_.where_wrong && best.contradicted > 0,
                  .right_cases = scope_.where_wrong && is_contradicted(best),
                  .agreeing = explanation.of_golden && right_left_out_ == 0 && scope_.output.empty()
                                  ? asked_.right.size()
                                  : 0});
    return explanation;
  }

  const WrongOutputs& asked_;
  const ExplanationBudget budget_;
  KeptResults& kept_;
  const Scope scope_;
  std::vector<Tally> tallies_;
  std::size_t fail_otherwise_ = 0;  // cases that fail in another way than by wrong values
  std::size_t compared_ = 0;
  double spent_ = 0;
  std::size_t right_left_out_ = 0;  // comparisons with right cases that cost too much
};

/// The cases in which one output is wrong, and as right ones those in which it is right.
WrongOutputs about_output(const WrongOutputs& asked, const std::string& output) {
  WrongOutputs part = asked;
  part.wrong.clear();
  for (const WrongCase& wrong : asked.wrong) {
    const auto got = wrong.outputs->find(output);
    const Expected& expected = wrong.data->expected.at(output);
    if (got == wrong.outputs->end() || got->second.count() != expected.count()) continue;
    const std::vector<bool>& right = wrong.right_elements(output);
    if (std::all_of(right.begin(), right.end(), [](bool b) { return b; })) {
      part.right.push_back(wrong.data);
      --part.failing;
    } else {
      part.wrong.push_back(wrong);
    }
  }
  return part;
}

/// Without the cases whose outputs may hold what is in no formula; nothing if these are most.
std::optional<WrongOutputs> reliable(const WrongOutputs& asked) {
  WrongOutputs part = asked;
  std::erase_if(part.wrong, [](const WrongCase& wrong) { return wrong.unreliable; });
  if (part.wrong.size() == asked.wrong.size() || 2 * part.wrong.size() < asked.failing) {
    return std::nullopt;
  }
  part.failing = part.wrong.size();
  part.unknown = 0;
  return part;
}

/// Whether some elements of the wrong cases were not written, and most were.
bool partly_written(const WrongOutputs& asked) {
  std::uint64_t elements = 0;
  std::uint64_t unwritten = 0;
  for (const WrongCase& wrong : asked.wrong) {
    for (const std::string& name : comparable_outputs(*wrong.data->lab)) {
      const auto got = wrong.outputs->find(name);
      if (got == wrong.outputs->end()) continue;
      elements += got->second.count();
      for (std::size_t i = 0; i < got->second.count(); ++i) {
        unwritten += is_unwritten(got->second, i) ? 1 : 0;
      }
    }
  }
  return unwritten > 0 && 2 * unwritten < elements;
}

/// What may be explained by itself.
std::vector<std::pair<WrongOutputs, Scope>> parts_of(const WrongOutputs& asked) {
  std::vector<std::pair<WrongOutputs, Scope>> parts;
  if (asked.wrong.empty()) return parts;
  if (std::optional<WrongOutputs> part = reliable(asked))
    parts.emplace_back(*std::move(part), Scope{.failing = asked.failing});
  const std::vector<std::string> outputs = comparable_outputs(*asked.wrong.front().data->lab);
  for (const std::string& output : outputs) {
    // Of a single one, too: what else a lab writes may be decided by a predicate.
    WrongOutputs part = about_output(asked, output);
    if (part.wrong.empty() || (outputs.size() == 1 && part.wrong.size() == asked.wrong.size())) {
      continue;
    }
    parts.emplace_back(std::move(part),
                       Scope{.output = output, .failing_in_all = asked.failing + asked.aside});
  }
  if (partly_written(asked)) parts.emplace_back(asked, Scope{.written = true});
  return parts;
}

}  // namespace

std::vector<Scope> scopes_of(const WrongOutputs& asked) {
  std::vector<Scope> scopes = {Scope()};
  for (auto& [part, scope] : parts_of(asked)) scopes.push_back(std::move(scope));
  return scopes;
}

const std::vector<bool>& WrongCase::right_elements(const std::string& output) const {
  std::shared_ptr<const std::vector<bool>>& kept = right[output];
  if (kept == nullptr) {
    kept = std::make_shared<const std::vector<bool>>(
        matches(outputs->at(output), data->expected.at(output)));
  }
  return *kept;
}

double work_of(const CaseData& data) {
  double elements = 0;
  for (const auto& [name, array] : data.inputs) elements += static_cast<double>(array.count());
  for (const auto& [name, expected] : data.expected) {
    elements += static_cast<double>(expected.count());
  }
  const std::optional<Expression>& flops = data.lab->flops;
  return flops ? std::max(elements, evaluate(*data.lab, *flops, data.spec->data.dims)) : elements;
}

Fit fit(const VariantResult& result, const WrongCase& wrong, const Scope& scope) {
  Fit found;
  Share right_elements;
  Share computed;  // positions for which the variant has a value
  Share blank;  // positions that it leaves as they were
  bool changes = false;
  std::vector<std::string> names = comparable_outputs(*wrong.data->lab);
  if (!scope.output.empty()) std::erase_if(names, [&](const auto& n) { return n != scope.output; });
  std::uint64_t elements = 0;
  for (const std::string& name : names) elements += wrong.data->expected.at(name).count();
  // A share that has missed more cannot hold any more, whatever follows: most variants miss soon.
  const std::uint64_t most = most_missed(elements);
  for (const std::string& name : names) {
    const auto output = wrong.outputs->find(name);
    const Expected& expected = wrong.data->expected.at(name);
    if (output == wrong.outputs->end() || output->second.count() != expected.count()) return {};
    const Array& got = output->second;
    const VariantOutput variant = result.of(name);
    changes = changes || variant.is_changed();
    const std::vector<bool>& right = wrong.right_elements(name);
    for (std::size_t i = 0; i < right.size(); ++i) {
      const Left left = variant.at(i);
      if (left.kind == Left::Kind::any) continue;
      if (scope.where_wrong && right[i]) {
        found.contradicted += variant.differs(i) ? 1 : 0;
        continue;
      }
      if (scope.written && !right[i] && is_unwritten(got, i)) {
        ++found.unwritten;
        continue;
      }
      const bool as_variant = is_as(variant, left, got, i);
      Share& share = left.kind == Left::Kind::blank ? blank : computed;
      share.add(as_variant);
      if (share.missed > most) return {};
      if (right[i]) {
        right_elements.add(as_variant);
      } else {
        ++found.wrong;
        found.given += as_variant ? 1 : 0;
        if (as_variant && variant.differs(i)) {
          ++found.explained;
          if (found.values.size() < kFewValues) found.values.insert(variant.number(i));
          found.has_telling = found.has_telling || !is_guessed(variant.number(i));
        }
      }
    }
  }
  found.contradicted += right_elements.missed;
  found.silent = changes && found.wrong == 0 && right_elements.holds();
  // Each part by itself: an output that was never set is not one of which only an element is.
  found.has_values = computed.count > 0;
  found.gives = changes && found.given > 0 &&
                found.wrong - found.given <= most_missed(found.wrong) && right_elements.holds() &&
                computed.holds() && blank.holds();
  found.explains = found.gives && found.explained > 0 && 2 * found.explained >= found.wrong;
  return found;
}

bool is_wrong_in(const VariantResult& variant, const CaseData& data, const std::string& output) {
  for (const std::string& name : comparable_outputs(*data.lab)) {
    if (!output.empty() && name != output) continue;
    const VariantOutput own = variant.of(name);
    const std::size_t count = data.expected.at(name).count();
    for (std::size_t i = 0; i < count; ++i) {
      if (own.differs(i)) return true;
    }
  }
  return false;
}

std::shared_ptr<const VariantResult> KeptResults::of(const Variant& variant, const CaseData& data) {
  if (!variant.is_formula()) return std::make_shared<const VariantResult>(variant, data);
  const std::pair key(&variant, &data);
  if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
  auto result = std::make_shared<const VariantResult>(variant, data);
  if (elements_ + result->elements() <= kMostKept) {
    elements_ += result->elements();
    kept_.emplace(key, result);
  }
  return result;
}

std::optional<Explanation> explain(const WrongOutputs& asked, const std::vector<Variant>& variants,
                                   const ExplanationBudget& budget, KeptResults& kept) {
  const auto is_formula = [](const std::optional<Explanation>& found) {
    return found && (found->of_lab || found->of_inputs || found->of_golden);
  };
  std::optional<Explanation> found = Search(asked, variants, budget, kept).run();
  if (is_formula(found)) return found;
  for (const auto& [part, scope] : parts_of(asked)) {
    std::optional<Explanation> of_part = Search(part, variants, budget, kept, scope).run();
    if (is_formula(of_part)) {
      of_part->failing = asked.failing + asked.aside;
      return of_part;
    }
  }
  return found;
}

std::optional<Explanation> explain(const WrongOutputs& asked, const std::vector<Variant>& variants,
                                   const ExplanationBudget& budget) {
  KeptResults kept;
  return explain(asked, variants, budget, kept);
}

std::optional<Explanation> explain_where_wrong(const WrongOutputs& asked,
                                               const std::vector<Variant>& variants,
                                               const ExplanationBudget& budget, KeptResults& kept) {
  return Search(asked, variants, budget, kept, {.where_wrong = true}).run();
}

std::optional<Explanation> explain_where_wrong(const WrongOutputs& asked,
                                               const std::vector<Variant>& variants,
                                               const ExplanationBudget& budget) {
  KeptResults kept;
  return explain_where_wrong(asked, variants, budget, kept);
}

}  // namespace warpgrade
