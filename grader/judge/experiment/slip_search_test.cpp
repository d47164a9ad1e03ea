#include "grader/judge/experiment/slip_search.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

Slip slip_in(std::uint32_t line, std::string kind, std::size_t right = 3) {
  Slip slip = {.trial = "",
               .text = "a.cu",
               .file = "a.cu",
               .line = line,
               .kind = std::move(kind),
               .fix = "`<` in place of `<=`",
               .pitfall = ""};
  slip.repaired = {"small", "large"};
  slip.points = 10;
  slip.tried = 3;
  slip.right = right;
  return slip;
}

std::string said(const std::vector<Slip>& slips, Hints hints = Hints::kind) {
  SlipCases cases;
  cases.total = 3;
  cases.lost = 10;
  const auto explanation = explanation_by(slips, cases, hints, {});
  return explanation ? explanation->message : std::string();
}

}  // namespace

TEST_CASE("a slip is said as its kind or its fix, with the cases that it makes right",
          "[experiment][unit]") {
  const std::string end = " of a.cu, all 3 visible cases are correct; now 1 is.";
  const Slip slip = slip_in(4, "another number");
  CHECK(said({slip}) == "With another number at line 4" + end);
  CHECK(said({slip}, Hints::place) == "With one change at line 4" + end);
  CHECK(said({slip}, Hints::fix) == "With `<` in place of `<=` at line 4" + end);
  Slip twin = slip;
  twin.also = {5};
  CHECK(said({twin}) == "With another number at lines 4 and 5" + end);
  twin.also = {5, 9};
  CHECK(said({twin}) == "With another number at lines 4, 5 and 9" + end);
}

TEST_CASE("slips in two lines are both named, and of more none", "[experiment][unit]") {
  const std::string end = " of a.cu, all 3 visible cases are correct; now 1 is.";
  const Slip slip = slip_in(4, "another number");
  CHECK(said({slip, slip_in(4, "another type")}) == "With another number at line 4" + end);
  CHECK(said({slip, slip_in(6, "another number")}) ==
        "With another number at line 4 or line 6" + end);
  CHECK(said({slip, slip_in(6, "another operator")}) ==
        "With another number at line 4 or another operator at line 6" + end);
  CHECK(said({slip, slip_in(6, "another number"), slip_in(7, "another number")}).empty());
  SlipCases cases;
  cases.total = 3;
  cases.lost = 10;
  CHECK_FALSE(explanation_by({slip, slip_in(6, "another number")}, cases, Hints::kind, {}, true));
  CHECK(explanation_by({slip}, cases, Hints::kind, {}, true));
}

TEST_CASE("a slip that leaves a case wrong, or mends few points, is not said",
          "[experiment][unit]") {
  CHECK(said({slip_in(4, "another number", 2)}).empty());
  Slip small = slip_in(4, "another number");
  small.points = 4;
  CHECK(said({small}).empty());
  CHECK(said({}).empty());
  // All but one case of little weight, in a single line.
  Slip most = slip_in(4, "another number");
  most.repaired = {"one", "two", "three"};
  most.tried = 5;
  most.right = 4;
  most.left = 2;
  CHECK(said({most}) ==
        "With another number at line 4 of a.cu, 4 of 5 visible cases that were "
        "tried are correct; now 1 is. In the other one something else is wrong, "
        "too.");
  Slip elsewhere = most;
  elsewhere.line = 9;
  CHECK(said({most, elsewhere}).empty());
  most.left = 3;
  CHECK(said({most}).empty());
  most.left = 2;
  most.spoils = true;
  CHECK(said({most}).empty());
  // One that mends less does not make the best one doubtful.
  CHECK(said({small, slip_in(6, "another type")}).starts_with("With another type at line 6"));
}

TEST_CASE("a call is named beside one line of code, and alone if the code says nothing clear",
          "[experiment][unit]") {
  const auto call_in = [](std::uint32_t line, bool is_weak = false) {
    Slip slip = slip_in(line, "two arguments exchanged in the launch of `add`");
    slip.of_call = true;
    slip.is_weak = is_weak;
    return slip;
  };
  const auto lines = [](const std::vector<Slip>& slips) {
    std::string text;
    for (const Slip& slip : whole_slips(slips)) text += std::to_string(slip.line) + " ";
    return text;
  };
  const Slip code = slip_in(4, "another number");
  CHECK(lines({call_in(9)}) == "9 ");
  CHECK(lines({call_in(9, true)}) == "9 ");
  CHECK(lines({call_in(9), call_in(10, true)}) == "9 ");
  CHECK(lines({call_in(9), code}) == "4 9 ");
  CHECK(lines({call_in(9, true), code}) == "4 ");
  CHECK(lines({call_in(9), call_in(10), code}) == "4 ");
  CHECK(lines({call_in(9), code, slip_in(5, "another number")}) == "4 5 ");
  CHECK(lines({call_in(9), code, slip_in(5, ""), slip_in(6, "")}) == "9 ");
  CHECK(lines({call_in(9), slip_in(4, "another number", 2)}) == "9 ");  // leaves a case wrong
}

}  // namespace warpgrade
