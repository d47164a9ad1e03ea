#include "grader/run/cases/second_call.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

Lab lab_of(const std::vector<std::pair<const char*, std::int64_t>>& sizes) {
  Lab lab = testing::test_lab();
  Parameter values;
  values.name = "values";
  values.shape = {Expression("n")};
  lab.parameters = {values};
  lab.cases.clear();
  for (const auto& [name, n] : sizes) {
    Case spec;
    spec.name = name;
    spec.data.dims = {{"n", n}};
    lab.cases.push_back(spec);
  }
  return lab;
}

std::vector<CaseOutcome> all_passed(const Lab& lab) {
  std::vector<CaseOutcome> outcomes;
  for (const Case& spec : lab.cases) {
    CaseOutcome& c = outcomes.emplace_back();
    c.report.name = spec.name;
    c.report.verdict = CaseVerdict::passed;
  }
  return outcomes;
}

CallPair pair_of(const Lab& lab) {
  return pick_call_pair(lab, all_passed(lab));
}

TEST_CASE("a case that is wrong alone is not called a second time", "[cases]") {
  const Lab lab = lab_of({{"small", 7}, {"large", 300}, {"largest", 400}});
  std::vector<CaseOutcome> outcomes = all_passed(lab);
  outcomes[2].report.verdict = CaseVerdict::wrong;
  CHECK(pick_call_pair(lab, outcomes).first->name == "small");
  CHECK(pick_call_pair(lab, outcomes).second->name == "large");
  outcomes[1].report.verdict = CaseVerdict::crashed;
  CHECK(pick_call_pair(lab, outcomes).first == nullptr);
}

TEST_CASE("the second call has the largest cheap case, the first the next smaller one", "[cases]") {
  Lab lab = lab_of({{"nothing", 0}, {"large", 300}, {"small", 7}, {"too large", 1 << 20}});
  CHECK(pair_of(lab).first->name == "small");
  CHECK(pair_of(lab).second->name == "large");
  lab.cases[1].visible = false;
  CHECK(pair_of(lab).first == nullptr);
}

TEST_CASE("cases of one size are not a pair", "[cases]") {
  CHECK(pair_of(lab_of({{"one", 300}, {"other", 300}})).first == nullptr);
  const Lab lab = lab_of({{"small", 20}, {"one", 300}, {"other", 300}});
  CHECK(pair_of(lab).first->name == "small");
}

}  // namespace
}  // namespace warpgrade
