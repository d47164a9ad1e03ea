#pragma once

#include <cstdint>
#include <string>

#include "harness/core/expression.h"

namespace warpgrade {

/// A course formula compared with counters of one case: at_least * expected <= measured <= at_most
/// * expected.
struct ConceptCheck {
  std::string id = {};
  std::string title = {};
  double points = 0;
  std::string on = {};  // name of the case that is measured
  Expression measured = Expression("0");  // over counters (counter_names.h) and dims
  Expression expected = Expression("0");  // over dims
  double at_least = 0;
  double at_most = 1;
  std::string unit = {};  // of both, for messages: "sectors", "sectors per request"
  /// Both in words, with {} for the number and [singular|plural] after it: "each bin gets {} global
  /// [atomic|atomics] per block", "{} [is|are] enough". Empty: made from the unit.
  std::string says = {};
  std::string enough = {};
  std::string pitfall = {};  // "P75"
  std::string hint = {};
};

enum class KeyNeed : std::uint8_t { required, optional };

/// What must hold for a value in lab.toml.
enum class KeyRule : std::uint8_t {
  none,
  points,  // 0 to 100
  case_name,  // a case of this lab
  over_counters,  // a formula over counters and dims
  over_dims,  // a formula over dims
  placeholder,  // contains {}, the place of the number
};

/// A key of [[concept]] in lab.toml.
template <class Value>
struct ConceptKey {
  const char* name;
  Value ConceptCheck::*member;
  KeyNeed need;
  KeyRule rule;
  const char* in_grade = "";  // its key in `numbers` of an item of grade.json; empty: not there
};
template <class Value, class... Rest>
ConceptKey(const char*, Value ConceptCheck::*, Rest...) -> ConceptKey<Value>;

/// Calls visit(ConceptKey) for each key. Reading and checking lab.toml, the JSON of grades and the
/// test of docs/adding-a-lab.md follow from this list.
template <class Visitor>
void for_each_concept_key(Visitor visit) {
  using enum KeyNeed;
  using enum KeyRule;
  using Check = ConceptCheck;
  visit(ConceptKey{"id", &Check::id, required, none});
  visit(ConceptKey{"title", &Check::title, required, none});
  visit(ConceptKey{"points", &Check::points, required, points});
  visit(ConceptKey{"case", &Check::on, required, case_name});
  visit(ConceptKey{"measured", &Check::measured, required, over_counters, "measured_formula"});
  visit(ConceptKey{"expected", &Check::expected, required, over_dims, "expected_formula"});
  visit(ConceptKey{"at_least", &Check::at_least, optional, none, "at_least"});
  visit(ConceptKey{"at_most", &Check::at_most, required, none, "at_most"});
  visit(ConceptKey{"unit", &Check::unit, required, none, "unit"});
  visit(ConceptKey{"says", &Check::says, optional, placeholder});
  visit(ConceptKey{"enough", &Check::enough, optional, placeholder});
  visit(ConceptKey{"pitfall", &Check::pitfall, optional, none});
  visit(ConceptKey{"hint", &Check::hint, required, none});
}

}  // namespace warpgrade
