#include "grader/diagnose/places.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

TEST_CASE("an array of which a quarter is set was given a number of elements for bytes",
          "[diagnose][places]") {
  CHECK(written_by_elements({{25, 100, 4}, {250, 1003, 4}}));
  CHECK(written_by_elements({{12, 100, 8}, {125, 1000, 8}}));
  CHECK_FALSE(written_by_elements({{25, 100, 4}}));  // once may be chance
  CHECK_FALSE(written_by_elements({{25, 100, 4}, {25, 100, 4}}));
  CHECK_FALSE(written_by_elements({{25, 100, 4}, {256, 1003, 4}}));
  CHECK_FALSE(written_by_elements({{0, 1, 4}, {0, 2, 4}}));
  CHECK_FALSE(written_by_elements({}));
}

TEST_CASE("an element that is the first unwritten one at every size is named",
          "[diagnose][places]") {
  CHECK(same_first_unwritten({{1024, 1500, 4}, {1024, 4000, 4}}) == 1024);
  CHECK(same_first_unwritten({{1024, 1500, 4}, {1024, 1500, 4}}) == 0);
  CHECK(same_first_unwritten({{1024, 1500, 4}, {256, 4000, 4}}) == 0);
  CHECK(same_first_unwritten({{0, 1500, 4}, {0, 4000, 4}}) == 0);
  CHECK(same_first_unwritten({{7, 1500, 4}, {7, 4000, 4}}) == 0);
}

TEST_CASE("a finding's element and the size of its array are read from its text",
          "[diagnose][places]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  ReportedFinding finding;
  finding.kind = "unwritten-global-read";
  finding.severity = "error";
  finding.message = "4-byte read of uninitialized global memory: `d_a` (400 bytes, cudaMalloc #2)";
  finding.got = "unwritten bytes at offset 100 (element 25 of 4 bytes)";
  evidence.cases[0].emulator->findings = {finding};
  const std::vector<Item> items;
  const auto found = first_unwritten(Clues(evidence, items, {}), finding);
  REQUIRE(found.size() == 1);
  CHECK(found[0].element == 25);
  CHECK(found[0].elements == 100);
  CHECK(found[0].width == 4);
  CHECK(number_after("element -1", "element ") == -1);
  CHECK_FALSE(number_after("element x", "element "));
}

}  // namespace
}  // namespace warpgrade
