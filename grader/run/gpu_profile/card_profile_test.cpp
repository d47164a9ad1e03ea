#include "grader/run/gpu_profile/card_profile.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

/// The test lab with an array as long as its cases say.
Lab lab_with_array() {
  Lab lab = testing::test_lab();
  Parameter parameter;
  parameter.name = "a";
  parameter.type = ElementType::f32;
  parameter.shape = {Expression("n")};
  lab.parameters = {parameter};
  return lab;
}

TEST_CASE("compute-sanitizer gets the case in which the emulator found most",
          "[profile][card_profile]") {
  Lab lab = lab_with_array();
  Evidence evidence = testing::right_evidence(lab);
  const auto chosen = [&]() -> std::string {
    const CaseOutcome* outcome = case_to_check(evidence);
    return outcome == nullptr ? "none" : outcome->report.name;
  };
  SECTION("of cases that are all right, the largest that is small") {
    CHECK(chosen() == "large");
    lab.cases[1].data.dims["n"] = 1 << 20;
    CHECK(chosen() == "small");
  }
  SECTION("one that is not right before one that is") {
    testing::make_wrong(evidence, 0, "tail", 96, 1, 2);
    CHECK(chosen() == "small");
  }
  SECTION("findings before all") {
    testing::make_wrong(evidence, 1, "tail", 96, 1, 2);
    evidence.cases[0].emulator->findings.resize(1);
    evidence.cases[0].emulator->findings[0].kind = "leak";
    CHECK(chosen() == "small");
  }
  SECTION("never a hidden one, nor one that does not end") {
    lab.cases[1].visible = false;
    CHECK(chosen() == "small");
    evidence.cases[0].report.verdict = CaseVerdict::never_ends;
    CHECK(chosen() == "none");
  }
}

}  // namespace
}  // namespace warpgrade
