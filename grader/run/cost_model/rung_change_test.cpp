#include "grader/run/cost_model/rung_change.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Catch::Approx;
using warpsim::CostInputs;

CostInputs launch(double blocks, double instructions) {
  CostInputs in;
  in.launches = 1;
  in.blocks = blocks;
  in.warps = 8 * blocks;
  in.blocks_per_multiprocessor = 8;
  in.instructions = instructions;
  in.lanes = 32 * instructions;
  in.global_load_requests = 100 * blocks;
  in.global_load_sectors = in.global_load_ideal_sectors = 400 * blocks;
  in.global_load_hits = 300 * blocks;
  in.l2_reads = in.dram_reads = 100 * blocks;
  return in;
}

/// A kernel with three launches of falling size.
EmulatorReport tree() {
  KernelReport kernel{.name = "tree",
                      .launches = 3,
                      .grid = {1024, 1, 1},
                      .block = {256, 1, 1},
                      .counters = {{"modelled_ms", 0}},
                      .lines = {}};
  for (const double blocks : {1024.0, 64.0, 1.0}) {
    kernel.shapes.push_back({.grid = {}, .block = {}, .cost = launch(blocks, 1000 * blocks)});
    kernel.counters["modelled_ms"] +=
        warpsim::modelled_milliseconds(kernel.shapes.back().cost, *warpsim::find_card("a100"));
  }
  kernel.counters["smsp__inst_executed.sum"] = 1000 * 1089;
  kernel.counters["blocks"] = 1089;
  return {.device = warpsim::find_card("a100")->name, .kernels = {kernel}, .findings = {}};
}

std::optional<LaunchCosts> changed(const EmulatorReport& report, const std::string& counter,
                                   const std::string& value) {
  return change_counters(*LaunchCosts::of(report), report.kernels, {{counter, Expression(value)}},
                         {{"n", 1000}});
}

TEST_CASE("a change of a counter is distributed over launches, with its instructions",
          "[speed][unit]") {
  const EmulatorReport report = tree();
  const auto half = changed(report, "global_load_requests", "100 * blocks / 2");
  REQUIRE(half);
  CHECK(half->sum().global_load_requests == Approx(100 * 1089 / 2.0));
  CHECK(half->sum().instructions == Approx(1000 * 1089 - 100 * 1089 / 2.0));
  CHECK(half->groups()[0].inputs.global_load_requests == Approx(50 * 1024));
  CHECK(half->ms() < LaunchCosts::of(report)->ms());
  const auto same = changed(report, "warp_instructions", "warp_instructions");
  REQUIRE(same);
  CHECK(same->ms() == Approx(report.total("modelled_ms")));
}

TEST_CASE("fewer sectors keep the misses as far as there are enough sectors", "[speed][unit]") {
  const EmulatorReport report = tree();
  const auto fewer = changed(report, "global_load_sectors", "200 * blocks");
  REQUIRE(fewer);
  CHECK(fewer->sum().l2_reads == Approx(100 * 1089));
  const auto fewest = changed(report, "global_load_sectors", "50 * blocks");
  REQUIRE(fewest);
  CHECK(fewest->sum().l2_reads == Approx(50 * 1089));
  CHECK(fewest->sum().dram_reads == Approx(50 * 1089));
}

TEST_CASE("one launch instead of several keeps the largest, which does the work of all",
          "[speed][unit]") {
  const EmulatorReport report = tree();
  const auto one = changed(report, "launches", "1");
  REQUIRE(one);
  REQUIRE(one->groups().size() == 1);
  CHECK(one->sum().launches == 1);
  CHECK(one->sum().blocks == 1024);
  CHECK(one->sum().instructions == Approx(1000 * 1089));
  CHECK(report.total("modelled_ms") - one->ms() > 2 * 2.5e-3);
  const auto more = changed(report, "launches", "6");
  REQUIRE(more);
  CHECK(more->sum().launches == Approx(6));
  CHECK(more->sum().instructions == Approx(1000 * 1089));
  CHECK(more->ms() > report.total("modelled_ms"));
}

TEST_CASE(
    "blocks of another size leave as many warps on a multiprocessor, and a single block as it is",
    "[speed][unit]") {
  const EmulatorReport report = tree();
  const auto larger = changed(report, "blocks", "blocks / 4");
  REQUIRE(larger);
  CHECK(larger->groups()[0].inputs.blocks == Approx(256));
  CHECK(larger->groups()[0].inputs.blocks_per_multiprocessor == Approx(2));
  const auto fewer = changed(report, "warps", "8 * blocks / 4");
  REQUIRE(fewer);
  CHECK(fewer->groups()[0].inputs.warps == Approx(2 * 1024));
  CHECK(fewer->groups()[0].inputs.blocks_per_multiprocessor == Approx(32));
  CHECK(fewer->groups()[2].inputs.warps == Approx(8));
}

TEST_CASE("a formula without a value changes nothing, a counter without a cost is an error",
          "[speed][unit]") {
  const EmulatorReport report = tree();
  CHECK_FALSE(changed(report, "global_load_requests", "1 / shared_load_requests"));
  CHECK_FALSE(changed(report, "global_load_requests", "0 - 1"));
  CHECK_THROWS_AS(changed(report, "branch_instructions", "0"), LabError);
}

}  // namespace
}  // namespace warpgrade
