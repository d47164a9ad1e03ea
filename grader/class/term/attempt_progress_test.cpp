#include "grader/class/term/attempt_progress.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using namespace std::chrono_literals;

MadeAttempt attempt(bool complete, const char* mistake, std::chrono::minutes after = 0min) {
  return {.at = Instant(after), .mistake = mistake, .complete = complete};
}

}  // namespace

TEST_CASE("a hint was followed if the next attempt names another mistake, or none",
          "[class][unit]") {
  const auto uses = hint_use({attempt(false, "P1"), attempt(false, "P1"), attempt(false, "P22"),
                              attempt(false, "text-12"), attempt(false, "text-34"),
                              attempt(true, ""), attempt(false, "P1")});
  CHECK(uses.at("P1").named == 2);  // nothing follows the last one
  CHECK(uses.at("P1").followed == 1);
  CHECK(uses.at("P22").followed == 1);
  CHECK(uses.at("other").named == 2);
  CHECK(uses.at("other").followed == 2);
  CHECK_FALSE(uses.contains(""));
  CHECK(sum_of(uses).named == 5);
  CHECK(sum_of(uses).followed == 4);
}

TEST_CASE("the way to full marks begins with the first failure", "[class][unit]") {
  const MadeAttempt wrong = attempt(false, "P1"), right = attempt(true, "");
  CHECK(way_to_full_marks({wrong, wrong, right}).value().attempts == 3);
  CHECK(way_to_full_marks({right, wrong, right}).value().attempts == 2);
  CHECK_FALSE(way_to_full_marks({wrong, wrong}));
  CHECK_FALSE(way_to_full_marks({right}));
  CHECK_FALSE(way_to_full_marks({}));
  CHECK(way_to_full_marks({wrong, attempt(true, "", 90min)}).value().hours == 1.5);
  MadeAttempt unknown = right;
  unknown.at.reset();
  CHECK_FALSE(way_to_full_marks({wrong, unknown}).value().hours);
}

TEST_CASE("pitfalls are counted by the hour, and sentences without a page are not",
          "[class][unit]") {
  AttemptProgress progress;
  progress.add({attempt(false, "P1", 59min), attempt(false, "P1", 60min),
                attempt(false, "text-1", 61min), attempt(true, "", 62min)});
  progress.add({attempt(false, "P1", 5min), attempt(false, "P2", 10min)});
  REQUIRE(progress.pitfalls.size() == 2);
  CHECK(progress.pitfalls.at(Instant(0h)) ==
        std::map<std::string, std::size_t>{{"P1", 2}, {"P2", 1}});
  CHECK(progress.pitfalls.at(Instant(1h)) == std::map<std::string, std::size_t>{{"P1", 1}});
  CHECK(progress.attempts == std::vector<double>{4});
  CHECK(progress.hints.named == 4);
  CHECK(progress.hints.followed == 3);
}

}  // namespace warpgrade
