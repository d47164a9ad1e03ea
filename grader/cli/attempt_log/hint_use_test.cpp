#include "grader/cli/attempt_log/hint_use.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

OwnAttempt attempt(double points, const char* mistake) {
  OwnAttempt one;
  one.points = points;
  one.max_points = 100;
  one.mistake = mistake;
  return one;
}

TEST_CASE("a hint was followed if the next check names another mistake, or none", "[attempt_log]") {
  const auto uses =
      hint_use({attempt(10, "P1"), attempt(10, "P1"), attempt(40, "P22"), attempt(60, "text-12"),
                attempt(60, "text-34"), attempt(100, ""), attempt(90, "P1")});
  CHECK(uses.at("P1").named == 2);  // nothing follows the last one
  CHECK(uses.at("P1").followed == 1);
  CHECK(uses.at("P22").followed == 1);
  CHECK(uses.at("other").named == 2);
  CHECK(uses.at("other").followed == 2);
  CHECK_FALSE(uses.contains(""));
  CHECK(sum_of(uses).named == 5);
  CHECK(sum_of(uses).followed == 4);
}

TEST_CASE("checks to full marks are counted from the first failure", "[attempt_log]") {
  CHECK(checks_to_full_marks({attempt(10, "P1"), attempt(50, "P2"), attempt(100, "")}) == 3);
  CHECK(checks_to_full_marks({attempt(100, ""), attempt(50, "P2"), attempt(100, "")}) == 2);
  CHECK_FALSE(checks_to_full_marks({attempt(10, "P1"), attempt(50, "P2")}));
  CHECK_FALSE(checks_to_full_marks({attempt(100, "")}));
  CHECK_FALSE(checks_to_full_marks({}));
}

}  // namespace
}  // namespace warpgrade
