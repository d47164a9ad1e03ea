#include "harness/core/closest.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace warpgrade {

TEST_CASE("the closest name is the one with the fewest edits", "[lab][closest]") {
  const std::vector<std::string> names = {"points", "prints", "hint"};
  CHECK(closest("ponts", names) == "points");
  CHECK(closest("hnt", names) == "hint");
  CHECK(closest("visible", names).empty());
  CHECK(closest("", names).empty());
}

}  // namespace warpgrade
