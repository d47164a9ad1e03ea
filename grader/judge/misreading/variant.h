#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/case_data.h"
#include "harness/data/expected.h"
#include "harness/golden/misreading.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What a variant leaves at one position of an output.
struct Left {
  enum class Kind : std::uint8_t {
    value,  // that of position `from`, times `factor`
    blank,  // not computed: what was there before the call, or 0
    any,  // the variant does not say
  };
  Kind kind = Kind::value;
  std::size_t from = 0;
  double factor = 1;
};

/// For each position of an output with these extents.
using Rule = std::function<Left(std::size_t)>;

/// A wrong result that a submission may have computed: another formula, or right values in wrong
/// places.
struct Variant {
  std::string id;
  std::string says;  // completes "Your output is exactly the right one ..."
  std::string pitfall = {};
  /// Of the lab's misreadings.cpp, or of the changed golden function; empty for a general variant.
  std::function<void(const GoldenCall&)> formula = {};
  /// Of a general variant: how an output with these extents follows from the right one; empty if it
  /// has nothing to change there.
  std::function<Rule(const std::vector<std::uint64_t>&)> rule = {};
  /// Of a variant of the inputs: the right results for other inputs; nothing if it leaves those of
  /// the case as they are.
  std::function<std::optional<std::map<std::string, Expected>>(const CaseData&)> of_inputs = {};

  /// The golden function with one place changed: hundreds of these are tried, of which several may
  /// compute the same.
  bool of_golden = false;

  [[nodiscard]] bool of_lab() const { return static_cast<bool>(formula) && !of_golden; }
  /// Whether it says what is computed, and not only where right values are.
  [[nodiscard]] bool is_formula() const {
    return static_cast<bool>(formula) || static_cast<bool>(of_inputs);
  }
};

/// The variants of a lab's misreadings.cpp, valid as long as its library.
[[nodiscard]] std::vector<Variant> lab_variants(const MisreadingList& list);

/// Those of any lab: shifted, transposed, reversed, permuted, scaled, partly written. Results of an
/// earlier call are not among them: a case is one call in a process of its own.
[[nodiscard]] const std::vector<Variant>& general_variants();

/// A variant's results for one output of one case.
class VariantOutput {
 public:
  /// @param right  what should come out
  /// @param own    to what the rule or at() refers; null: `right`
  /// @param rule   of a general variant; null if it leaves the output as it is
  VariantOutput(const Expected& right, const Expected* own, const Rule* rule)
      : right_(right),
        own_(own == nullptr ? right : *own),
        rule_(rule),
        is_formula_(own != nullptr) {}

  /// What it leaves at a position.
  [[nodiscard]] Left at(std::size_t i) const;
  /// The number at a position for which it has a value; 0 at others.
  [[nodiscard]] double number(std::size_t i) const;
  /// To which at() refers.
  [[nodiscard]] const Expected& values() const { return own_; }
  /// Whether the variant changes this output at all.
  [[nodiscard]] bool is_changed() const { return is_formula_ || rule_ != nullptr; }
  /// Whether it differs from the right value at a position by more than both bounds.
  [[nodiscard]] bool differs(std::size_t i) const;

 private:
  const Expected& right_;
  const Expected& own_;
  const Rule* rule_;
  bool is_formula_;
};

/// A variant's results for one case.
class VariantResult {
 public:
  /// @throws LabError  if the formula throws or fills no output
  VariantResult(const Variant& variant, const CaseData& data);

  /// Its results for an output; valid as long as this and the case's data.
  [[nodiscard]] VariantOutput of(const std::string& output) const;
  /// That are kept here: none of a general variant.
  [[nodiscard]] std::size_t elements() const;

 private:
  const CaseData& data_;
  bool general_ = false;
  std::map<std::string, Expected> computed_;
  std::map<std::string, Rule> rules_;
};

/// Whether two results for one output differ anywhere by more than their bounds.
[[nodiscard]] bool are_told_apart(const Expected& a, const Expected& b);

/// The outputs that variants are compared with: of fixed order, and not decided by a predicate.
[[nodiscard]] std::vector<std::string> comparable_outputs(const Lab& lab);

}  // namespace warpgrade
