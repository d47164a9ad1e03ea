#include "grader/run/cost_model/launch_changes.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>

namespace warpgrade {
namespace {

using Catch::Approx;
using warpsim::CostInputs;

/// Instructions that wait for nothing but each other.
CostInputs instructions(double count) {
  CostInputs work;
  work.instructions = count;
  work.lanes = 32 * count;
  work.path_cycles = 4 * count;
  return work;
}

/// Loads of 32 floats each, all of them in the first-level cache.
CostInputs cached_loads(double count) {
  CostInputs work = instructions(count);
  work.global_load_requests = count;
  work.global_load_sectors = work.global_load_ideal_sectors = work.global_load_hits = 4 * count;
  work.global_load_bytes = 128 * count;
  work.load_waits = count;
  return work;
}

/// One launch of a kernel that does this work, in blocks of 256 threads that fill the card evenly.
EmulatorReport report_of(const CostInputs& work,
                         const std::function<void(CostInputs&)>& change = {}) {
  CostInputs shape = work;
  shape.launches = 1;
  shape.blocks = 1728;
  shape.warps = 8 * shape.blocks;
  shape.blocks_per_multiprocessor = 8;
  if (change) {
    change(shape);
  }
  const warpsim::Card& card = *warpsim::find_card("a100");
  KernelReport kernel{.name = "kernel(float*)",
                      .launches = 1,
                      .grid = {1728, 1, 1},
                      .block = {256, 1, 1},
                      .counters = {{"sm__maximum_warps_per_active_cycle_pct", 100}},
                      .lines = {}};
  kernel.counters["modelled_ms"] = warpsim::modelled_milliseconds(shape, card);
  kernel.shapes = {{.grid = {}, .block = {}, .cost = shape}};
  return {.device = card.name, .kernels = {kernel}, .findings = {}};
}

/// Changes the number of blocks, and warps of each.
std::function<void(CostInputs&)> blocks(double count, double warps = 8) {
  return [=](CostInputs& shape) {
    shape.blocks = count;
    shape.warps = warps * count;
  };
}

double ms_of(const EmulatorReport& report) {
  return LaunchCosts::of(report)->ms();
}

std::vector<WhatIf> gains_of(const EmulatorReport& report, std::size_t least_launches = 1) {
  return launch_changes(report, *LaunchCosts::of(report), least_launches);
}

const WhatIf* find(const std::vector<WhatIf>& gains, const std::string& change) {
  const auto it = std::find_if(gains.begin(), gains.end(),
                               [&](const WhatIf& gain) { return gain.change == change; });
  return it == gains.end() ? nullptr : &*it;
}

TEST_CASE("too few blocks for the card gain by being more", "[speed][unit]") {
  const std::vector<WhatIf> gains = gains_of(report_of(instructions(1e6), blocks(1)));
  const WhatIf* gain = find(gains, "all-multiprocessors");
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P71");
  CHECK(gain->condition == "kernel had 108 blocks of 256 threads, one for each multiprocessor");
  CHECK(gain->ms == Approx(ms_of(report_of(instructions(1e6), blocks(108)))));
  CHECK(find(gains_of(report_of(instructions(1e6), blocks(108))), "all-multiprocessors") ==
        nullptr);
}

TEST_CASE("only the launches with too few blocks are meant", "[speed][unit]") {
  EmulatorReport report = report_of(instructions(1e6), blocks(108));
  KernelReport& kernel = report.kernels[0];
  for (const double few : {1.0, 2.0}) {
    kernel.shapes.push_back(report_of(instructions(1e6), blocks(few)).kernels[0].shapes[0]);
    const std::vector<WhatIf> gains = gains_of(report);
    const WhatIf* gain = find(gains, "all-multiprocessors");
    REQUIRE(gain != nullptr);
    CHECK(gain->condition ==
          std::string(
              "kernel had 108 blocks of 256 threads, one for each multiprocessor, where it ") +
              (few > 1 ? "now has 2 or fewer" : "now has 1"));
  }
}

TEST_CASE("blocks for nearly all multiprocessors are divided if that gains", "[speed][unit]") {
  const auto with_fit = [](double count, double warps) {
    return [=](CostInputs& shape) {
      blocks(count, warps)(shape);
      shape.blocks_per_multiprocessor = 64 / warps;
    };
  };
  // 40 blocks of 1024 threads keep the issue slots of 40 multiprocessors busy.
  const std::vector<WhatIf> gains = gains_of(report_of(instructions(1e7), with_fit(40, 32)));
  const WhatIf* gain = find(gains, "smaller-blocks");
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P71");
  CHECK(gain->condition ==
        "kernel had 80 blocks of 512 threads instead of 40 of 1024, for the 108 multiprocessors");
  CHECK(gain->ms == Approx(ms_of(report_of(instructions(1e7), with_fit(80, 16)))));
  CHECK(find(gains, "all-multiprocessors") == nullptr);

  // Near misses: of 196 blocks a multiprocessor has two, as much work as one of 98; and a block of
  // one warp cannot be divided.
  const std::vector<WhatIf> nearly_all = gains_of(report_of(instructions(1e7), blocks(98)));
  CHECK(find(nearly_all, "smaller-blocks") == nullptr);
  CHECK(find(nearly_all, "all-multiprocessors") == nullptr);
  CHECK(find(gains_of(report_of(instructions(1e6), blocks(40, 1))), "smaller-blocks") == nullptr);
}

TEST_CASE("few resident warps with much work each gain by sharing it", "[speed][unit]") {
  const CostInputs work = cached_loads(1e6);
  const std::vector<WhatIf> gains = gains_of(report_of(work, blocks(98)));
  const WhatIf* gain = find(gains, "more-threads");
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P66");
  CHECK(gain->condition ==
        "kernel had twice as many threads with half of the work each, as 8 warps are too few to "
        "keep a multiprocessor busy");
  CHECK(gain->ms == Approx(ms_of(report_of(work, blocks(98, 16)))));

  // A value from shared memory is used for fewer results of a thread then.
  CostInputs shared = work;
  shared.shared_load_requests = shared.shared_load_wavefronts = 1e6;
  shared.shared_load_ideal_wavefronts = 1e6;
  CostInputs loads_more = shared;
  loads_more.instructions += 5e5;
  loads_more.shared_load_requests *= 1.5;
  loads_more.shared_load_wavefronts *= 1.5;
  const std::vector<WhatIf> of_shared = gains_of(report_of(shared, blocks(98)));
  gain = find(of_shared, "more-threads");
  REQUIRE(gain != nullptr);
  CHECK(gain->ms == Approx(ms_of(report_of(loads_more, blocks(98, 16)))));

  // Near misses: many warps; warps that do little; blocks that wait for others to end, so that
  // occupancy is the limit; and work that does not wait.
  CHECK(find(gains_of(report_of(work, blocks(98, 16))), "more-threads") == nullptr);
  CHECK(find(gains_of(report_of(cached_loads(5e4), blocks(98))), "more-threads") == nullptr);
  const auto one_at_a_time = [](CostInputs& shape) {
    blocks(216)(shape);
    shape.blocks_per_multiprocessor = 1;
  };
  CHECK(find(gains_of(report_of(work, one_at_a_time)), "more-threads") == nullptr);
  CostInputs busy = instructions(1e6);
  busy.f64 = 1e6;
  CHECK(find(gains_of(report_of(busy, blocks(108, 12))), "more-threads") == nullptr);
}

TEST_CASE("a last wave of one block gains by being removed", "[speed][unit]") {
  const auto full_blocks = [](double count) {
    return [count](CostInputs& shape) {
      shape.blocks = count;
      shape.warps = 64 * count;  // a block fills a multiprocessor
      shape.blocks_per_multiprocessor = 1;
    };
  };
  const CostInputs work = instructions(1e6);
  CHECK(find(gains_of(report_of(work, full_blocks(109))), "whole-rounds") != nullptr);
  CHECK(find(gains_of(report_of(work, full_blocks(216))), "whole-rounds") == nullptr);
}

TEST_CASE("occupancy gains if warps wait and there are more blocks, otherwise nothing",
          "[speed][unit]") {
  const CostInputs work = cached_loads(1e6);
  const auto report = [&](double fit, double percent, double blocks) {
    EmulatorReport made = report_of(work, [&](CostInputs& shape) {
      shape.blocks_per_multiprocessor = fit;
      shape.blocks = blocks;
      shape.warps = 8 * blocks;
    });
    made.kernels[0].counters["sm__maximum_warps_per_active_cycle_pct"] = percent;
    made.kernels[0].occupancy_limiter = "registers";
    return made;
  };
  const std::vector<WhatIf> gains = gains_of(report(1, 12.5, 1728));
  const WhatIf* gain = find(gains, "full-occupancy");
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P66");
  CHECK(gain->ms == Approx(LaunchCosts::of(report(8, 100, 1728))->ms()));
  CHECK(gain->condition.find("limited by registers") != std::string::npos);
  // There is only one block per multiprocessor, so higher occupancy is impossible.
  CHECK(find(gains_of(report(1, 12.5, 108)), "full-occupancy") == nullptr);
  CHECK(find(gains_of(report(8, 100, 1728)), "full-occupancy") == nullptr);
}

TEST_CASE("many launches of little work gain by being merged, as far as the task allows",
          "[speed][unit]") {
  const auto launches = [](double count) {
    EmulatorReport many = report_of(cached_loads(1e3));
    warpsim::CostInputs& cost = many.kernels[0].shapes[0].cost;
    cost = cost.scaled(count);
    many.kernels[0].counters["modelled_ms"] *= count;
    return many;
  };
  const EmulatorReport many = launches(22);
  const std::vector<WhatIf> gains = gains_of(many);
  const WhatIf* gain = find(gains, "one-launch");
  REQUIRE(gain != nullptr);
  CHECK(gain->condition == "one launch did the work of 22");
  CHECK(gain->ms == Approx(many.total("modelled_ms") - 21 * 2.5e-3));
  CHECK(find(gains_of(launches(1)), "one-launch") == nullptr);
  // Two functions need a launch each.
  const std::vector<WhatIf> of_two = gains_of(many, 2);
  gain = find(of_two, "one-launch");
  REQUIRE(gain != nullptr);
  CHECK(gain->condition == "2 launches did the work of 22");
  CHECK(gain->ms == Approx(many.total("modelled_ms") - 20 * 2.5e-3));
  CHECK(find(gains_of(launches(2), 2), "one-launch") == nullptr);
}

}  // namespace
}  // namespace warpgrade
