#include "grader/serve/pages/side_by_side.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("changed lines stand beside each other, added ones beside nothing", "[serve][unit]") {
  const auto rows = side_by_side("a\nb\nc\n", "a\nB\nnew\nc\n");
  REQUIRE(rows.size() == 4);
  CHECK((rows[0].old_line == 1 && rows[0].new_line == 1 && !rows[0].changed));
  CHECK((rows[1].old_text == "b" && rows[1].new_text == "B" && rows[1].changed));
  CHECK((rows[2].old_line == 0 && rows[2].new_line == 3 && rows[2].new_text == "new"));
  CHECK((rows[3].old_line == 3 && rows[3].new_line == 4 && rows[3].old_text == "c"));
}

TEST_CASE("equal texts have no rows, and a text beside none has all of its lines",
          "[serve][unit]") {
  CHECK(side_by_side("a\n", "a\n").empty());
  const auto rows = side_by_side("", "a\nb\n");
  REQUIRE(rows.size() == 2);
  CHECK((rows[1].old_line == 0 && rows[1].new_line == 2));
}

TEST_CASE("equal lines that are left out are marked", "[serve][unit]") {
  std::string old_text, new_text;
  for (int i = 1; i <= 40; ++i) {
    old_text += std::to_string(i) + "\n";
    new_text += (i == 5 || i == 35 ? "x" : std::to_string(i)) + "\n";
  }
  const auto rows = side_by_side(old_text, new_text);
  REQUIRE(rows.size() == 14);
  CHECK(rows[0].after_gap);
  CHECK(rows[0].old_line == 2);
  CHECK(rows[7].after_gap);
  CHECK(rows[7].old_line == 32);
  CHECK_FALSE(rows[8].after_gap);
}

}  // namespace warpgrade
