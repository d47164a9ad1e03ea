#include "grader/author/model_bench/rank_correlation.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace warpgrade {
namespace {

using Catch::Approx;
using Values = std::vector<double>;

TEST_CASE("the same order correlates to 1 whatever the distances, the opposite to -1", "[bench]") {
  CHECK(rank_correlation(Values{1, 2, 3, 4}, Values{10, 20, 1000, 1001}) == Approx(1));
  CHECK(rank_correlation(Values{1, 2, 3}, Values{3, 2, 1}) == Approx(-1));
}

TEST_CASE("swapping two neighbours among five gives 0.9", "[bench]") {
  CHECK(rank_correlation(Values{1, 2, 3, 4, 5}, Values{1, 2, 3, 5, 4}) == Approx(0.9));
}

TEST_CASE("equal values share their rank, and nothing correlates with a constant", "[bench]") {
  CHECK(rank_correlation(Values{1, 1, 2}, Values{5, 5, 7}) == Approx(1));
  CHECK(rank_correlation(Values{1, 2, 3}, Values{4, 4, 4}) == 0);
  CHECK(rank_correlation(Values{1}, Values{2}) == 0);
}

}  // namespace
}  // namespace warpgrade
