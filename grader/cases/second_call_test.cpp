#include "grader/cases/second_call.h"

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

TEST_CASE("the second call is of the largest cheap case, the first of the next smaller one",
          "[assess]") {
  Lab lab = lab_of({{"nothing", 0}, {"large", 300}, {"small", 7}, {"too large", 1 << 20}});
  CHECK(pick_call_pair(lab).first->name == "small");
  CHECK(pick_call_pair(lab).second->name == "large");
  lab.cases[1].visible = false;
  CHECK(pick_call_pair(lab).first == nullptr);
}

TEST_CASE("cases of one size are not a pair", "[assess]") {
  CHECK(pick_call_pair(lab_of({{"one", 300}, {"other", 300}})).first == nullptr);
  const Lab lab = lab_of({{"small", 20}, {"one", 300}, {"other", 300}});
  CHECK(pick_call_pair(lab).first->name == "small");
}

}  // namespace
}  // namespace warpgrade
