#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/misreading/variant.h"
#include "grader/record/evidence/explanation.h"
#include "harness/case/case_data.h"

namespace warpgrade {

/// A wrong case: what should have come out, and what did.
struct WrongCase {
  std::shared_ptr<const CaseData> data;
  std::shared_ptr<const std::map<std::string, Array>> outputs;
  /// The program accessed memory outside of arrays, read uninitialized memory, or has a race: no
  /// formula gives what came of it.
  bool unreliable = false;

  /// Which elements of an output are right; computed once. Not thread-safe.
  [[nodiscard]] const std::vector<bool>& right_elements(const std::string& output) const;
  [[nodiscard]] const std::string& name() const { return data->spec->name; }

  mutable std::map<std::string, std::shared_ptr<const std::vector<bool>>> right = {};  // of outputs
};

/// What is to be explained.
struct WrongOutputs {
  std::vector<WrongCase> wrong;
  std::size_t failing = 0;  // cases that fail in any way, those of `wrong` included
  std::size_t aside = 0;  // beside these: cases without elements that fail otherwise
  std::size_t unknown = 0;  // of these, wrong ones whose outputs are too large to be compared
  /// Cases that are right. A variant that would be wrong there explains nothing.
  std::vector<std::shared_ptr<const CaseData>> right = {};
  bool from_hidden = false;
};

/// What of the outputs is compared.
struct Scope {
  std::string output = {};  // only this one; empty: all
  bool written = false;  // only elements that do not hold what was there before the call
  std::size_t failing = 0;  // all cases that fail, if only some of them are asked about; else 0
  std::size_t failing_in_all = 0;  // likewise, of an output that is right in others; else 0
  /// Only elements that are wrong: those of one of several paths through the code.
  bool where_wrong = false;
};

/// How much may be computed, in operations as estimated by work_of(): counts, so that every machine
/// gets the same result.
struct ExplanationBudget {
  double total = 1 << 28;
  double largest_case = 1 << 25;
};

/// Estimated operations of the golden function for one case: lab.toml's `flops`, or one per
/// element.
[[nodiscard]] double work_of(const CaseData& data);

/// How well a variant gives the outputs of a wrong case.
struct Fit {
  std::uint64_t wrong = 0;  // elements that are wrong, where the variant says what they are
  std::uint64_t given = 0;  // of these, those that are as the variant has them
  std::uint64_t explained =
      0;  // of these, those that the variant distinguishes from the right value
  bool has_telling = false;  // one of these has too many digits to be equal by chance
  std::set<double> values = {};  // of these, the first few different ones
  std::uint64_t contradicted = 0;  // right elements that the variant has otherwise
  bool has_values = false;  // the variant leaves not all elements blank
  std::uint64_t unwritten = 0;  // left aside

  bool silent = false;  // the variant leaves every wrong element to chance
  /// At least 95 % of the wrong elements are as the variant has them, and of the right ones.
  bool gives = false;
  /// And it distinguishes half of the wrong ones from the right values by more than both bounds.
  bool explains = false;
};
[[nodiscard]] Fit fit(const VariantResult& variant, const WrongCase& wrong,
                      const Scope& scope = {});

/// The scopes of which explain() asks: all, each output, what was written.
[[nodiscard]] std::vector<Scope> scopes_of(const WrongOutputs& asked);

/// Whether a program with this formula would be wrong in a case.
[[nodiscard]] bool is_wrong_in(const VariantResult& variant, const CaseData& data,
                               const std::string& output = {});

/// What formulas give in cases, kept for further searches among the same ones, up to a number of
/// elements. What a search finds, and what it counts as computed, does not depend on it.
class KeptResults {
 public:
  /// @param variant, data  outlive this
  /// @throws LabError  if the formula throws or fills no output
  [[nodiscard]] std::shared_ptr<const VariantResult> of(const Variant& variant,
                                                        const CaseData& data);

 private:
  std::map<std::pair<const Variant*, const CaseData*>, std::shared_ptr<const VariantResult>> kept_;
  std::size_t elements_ = 0;
};

/// The variant that gives nearly all wrong elements of nearly all failing cases, and explains half
/// of these, if it is the only one: a lab's formula comes before a general variant that gives the
/// same; two formulas of a lab that do, or two general variants, are not an explanation. Changed
/// golden functions that compute the same in all these cases are one: the first one names it.
///
/// If there is no such formula of the lab, a second mistake may hide it: one is searched that gives
/// one of several outputs, the cases without accesses outside of arrays (if these are most), or all
/// elements that were written (if these are most).
///
/// Cases are compared from small to large, and a variant that does not explain one is dropped, so
/// large cases cost little. A variant that throws is dropped, too.
/// @param kept  of searches among the same cases, and for further ones
[[nodiscard]] std::optional<Explanation> explain(const WrongOutputs& asked,
                                                 const std::vector<Variant>& variants,
                                                 const ExplanationBudget& budget,
                                                 KeptResults& kept);
[[nodiscard]] std::optional<Explanation> explain(const WrongOutputs& asked,
                                                 const std::vector<Variant>& variants,
                                                 const ExplanationBudget& budget = {});

/// The formula that gives the elements that are wrong, whatever it makes of those that are right,
/// and of the cases that are: code has several paths, for borders, sizes or operators, and one of
/// them may compute something else. It has to give all cases that were compared, and either numbers
/// with many digits or many elements of different values; general variants are not asked.
[[nodiscard]] std::optional<Explanation> explain_where_wrong(const WrongOutputs& asked,
                                                             const std::vector<Variant>& variants,
                                                             const ExplanationBudget& budget,
                                                             KeptResults& kept);
[[nodiscard]] std::optional<Explanation> explain_where_wrong(const WrongOutputs& asked,
                                                             const std::vector<Variant>& variants,
                                                             const ExplanationBudget& budget = {});

}  // namespace warpgrade
