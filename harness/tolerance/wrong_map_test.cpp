#include "harness/tolerance/wrong_map.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

std::vector<bool> all_right_but(std::size_t count, std::initializer_list<std::size_t> wrong) {
  std::vector<bool> right(count, true);
  for (const std::size_t i : wrong) right[i] = false;
  return right;
}

TEST_CASE("a small matrix has a cell for each element", "[harness][wrong-map]") {
  const std::uint64_t shape[] = {2, 3};
  const WrongMap map = map_wrong("c", all_right_but(6, {2, 3}), shape);
  CHECK(map.cells == std::vector<std::string>{"009", "900"});
  CHECK_FALSE(map.folded);
  CHECK(map.cell_rows == 1);
}

TEST_CASE("a long array is folded into rows whose cells are whole powers of two",
          "[harness][wrong-map]") {
  const std::uint64_t shape[] = {100'000};
  const WrongMap map = map_wrong("c", all_right_but(100'000, {0, 99'999}), shape);
  CHECK(map.folded);
  CHECK(map.cell_columns == 32);
  CHECK(map.columns == 2048);
  CHECK(map.rows == 49);
  CHECK(map.cells.size() == 49);
  CHECK(map.cells[0].starts_with("10"));  // one of 32 is not nothing
  CHECK(map.cells[48].ends_with("."));  // past the end
  CHECK(map.cells[47].find_first_not_of('0') == std::string::npos);
}

TEST_CASE("no output is too large for 64 by 64 cells", "[harness][wrong-map]") {
  const std::uint64_t large[] = {1025, 65};
  const WrongMap map = map_wrong("c", std::vector<bool>(1025 * 65, false), large);
  CHECK(map.cells.size() == 33);
  CHECK(map.cells[0].size() == 33);
  CHECK(map.cells[32].find_first_not_of('9') == std::string::npos);
  const std::uint64_t millions[] = {4'194'305};
  CHECK(map_wrong("c", std::vector<bool>(4'194'305, true), millions).cells.size() <= 64);
}

TEST_CASE("the slices of a volume lie one below the other, channels side by side",
          "[harness][wrong-map]") {
  const std::uint64_t volume[] = {2, 3, 5};
  const WrongMap slices = map_wrong("c", all_right_but(30, {15}), volume);
  CHECK_FALSE(slices.folded);
  CHECK(slices.rows == 6);
  CHECK(slices.columns == 5);
  CHECK(slices.cells[3] == "90000");
  const std::uint64_t image[] = {2, 3, 3};
  CHECK(map_wrong("c", all_right_but(18, {9}), image).cells ==
        std::vector<std::string>{"000000000", "900000000"});
}

TEST_CASE("one element and none at all have a map too", "[harness][wrong-map]") {
  const std::uint64_t one[] = {1};
  CHECK(map_wrong("sum", {false}, one).cells == std::vector<std::string>{"9"});
  const std::uint64_t none[] = {0};
  CHECK(map_wrong("sum", {}, none).cells.empty());
}

}  // namespace
}  // namespace warpgrade
