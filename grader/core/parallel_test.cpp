#include "grader/core/parallel.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>
#include <vector>

namespace warpgrade {
namespace {

TEST_CASE("every index runs once, with any number of jobs", "[core][parallel]") {
  const std::size_t jobs = GENERATE(1u, 2u, 7u, 100u);
  std::vector<std::atomic<int>> runs(50);
  parallel_for(runs.size(), jobs, [&](std::size_t i) { ++runs[i]; });
  for (const auto& count : runs) {
    CHECK(count == 1);
  }
}

TEST_CASE("an empty range runs nothing", "[core][parallel]") {
  CHECK_NOTHROW(parallel_for(0, 4, [](std::size_t) { throw std::runtime_error("called"); }));
}

TEST_CASE("a task that throws stops the rest and its exception comes out", "[core][parallel]") {
  std::atomic<int> started = 0;
  CHECK_THROWS_MATCHES(parallel_for(1000, 1,
                                    [&](std::size_t i) {
                                      ++started;
                                      if (i == 3) {
                                        throw std::runtime_error("three");
                                      }
                                    }),
                       std::runtime_error, Catch::Matchers::Message("three"));
  CHECK(started == 4);
}

}  // namespace
}  // namespace warpgrade
