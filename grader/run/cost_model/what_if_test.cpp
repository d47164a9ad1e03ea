#include "grader/run/cost_model/what_if.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "grader/judge/speed/speed.h"
#include "grader/run/cost_model/line_times.h"

namespace warpgrade {
namespace {

using Catch::Approx;
using warpsim::CostInputs;

/// A line that loads `sectors` for each of many requests of 32 floats, all of which miss.
CostInputs loads(double requests, double sectors) {
  CostInputs line;
  line.instructions = line.global_load_requests = requests;
  line.lanes = 32 * requests;
  line.global_load_sectors = sectors * requests;
  line.global_load_ideal_sectors = 4 * requests;
  line.global_load_bytes = 128 * requests;
  return line;
}

struct Line {
  std::uint32_t number;
  CostInputs cost;
};

/// A kernel of these lines in a launch that fills the card evenly; all its data come from DRAM.
EmulatorReport report_of(const std::vector<Line>& lines,
                         const std::function<void(CostInputs&)>& change = {}) {
  KernelReport kernel{.name = "kernel(float*)",
                      .launches = 1,
                      .grid = {1728, 1, 1},
                      .block = {256, 1, 1},
                      .counters = {{"sm__maximum_warps_per_active_cycle_pct", 100}},
                      .lines = {}};
  kernel.file = "a.cu";
  CostInputs shape;
  shape.launches = 1;
  shape.blocks = 1728;
  shape.warps = 8 * shape.blocks;
  shape.blocks_per_multiprocessor = 8;
  for (const Line& line : lines) {
    shape += line.cost;
    kernel.lines.push_back(
        {.file = "a.cu", .line = line.number, .counters = {}, .cost = line.cost});
  }
  shape.l2_reads = shape.dram_reads = shape.global_load_sectors;
  shape.l2_writes = shape.dram_writes = shape.global_store_sectors;
  shape.l2_atomics = shape.reduction_sectors;
  if (change) {
    change(shape);
  }
  kernel.counters["modelled_ms"] =
      warpsim::modelled_milliseconds(shape, *warpsim::find_card("a100"));
  kernel.shapes = {{.grid = {}, .block = {}, .cost = shape}};
  return {.device = warpsim::find_card("a100")->name, .kernels = {kernel}, .findings = {}};
}

const WhatIf* find_what_if(const std::vector<WhatIf>& gains, const std::string& change,
                           std::uint32_t line = 0) {
  const auto it = std::find_if(gains.begin(), gains.end(), [&](const WhatIf& gain) {
    return gain.change == change && (line == 0 || gain.line == line);
  });
  return it == gains.end() ? nullptr : &*it;
}

std::vector<WhatIf> what_ifs_of(const EmulatorReport& report) {
  return what_if(report, *LaunchCosts::of(report));
}

TEST_CASE("for scattered loads, the gain is the time over that of coalesced ones",
          "[speed][unit]") {
  const EmulatorReport scattered = report_of({{14, loads(1e5, 32)}, {15, loads(1e4, 4)}});
  const EmulatorReport coalesced = report_of({{14, loads(1e5, 4)}, {15, loads(1e4, 4)}});
  const std::vector<WhatIf> gains = what_ifs_of(scattered);
  const WhatIf* gain = find_what_if(gains, "coalesced-loads", 14);
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P62");
  CHECK(gain->condition == "the loads of line 14 were coalesced");
  CHECK(gain->file == "a.cu");
  CHECK(gain->ms == Approx(LaunchCosts::of(coalesced)->ms()));
  CHECK(gain->times_faster == Approx(LaunchCosts::of(scattered)->ms() / gain->ms));
  CHECK(gain_words(*gain).ends_with("times faster if the loads of line 14 were coalesced (P62)"));
  // The largest comes first, and adjacent accesses have nothing to gain.
  CHECK(gains.front().change == "coalesced-loads");
  CHECK(find_what_if(gains, "coalesced-loads", 15) == nullptr);
  CHECK(find_what_if(what_ifs_of(coalesced), "coalesced-loads") == nullptr);
}

TEST_CASE("where few warps load scattered elements, a warp could do the work of each thread",
          "[speed][unit]") {
  const auto blocks = [](double count) {
    return [count](CostInputs& shape) {
      shape.blocks = count;
      shape.warps = 8 * count;
    };
  };
  const std::vector<WhatIf> gains = what_ifs_of(report_of({{14, loads(1e5, 32)}}, blocks(98)));
  const WhatIf* gain = find_what_if(gains, "warp-per-thread", 14);
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P62");
  CHECK(gain->condition ==
        "a warp did the work of each thread, so that the loads of line 14 were coalesced");
  CostInputs shared = loads(1e5, 4);
  shared.instructions += 64 * 98 * 256;
  shared.lanes += 32 * 64 * 98 * 256;
  CHECK(gain->ms == Approx(LaunchCosts::of(report_of({{14, shared}}, blocks(32 * 98)))->ms()));

  // Near misses: enough warps; loads of pairs, which are half coalesced; a few blocks only.
  CHECK(find_what_if(what_ifs_of(report_of({{14, loads(1e5, 32)}})), "warp-per-thread") == nullptr);
  CHECK(find_what_if(what_ifs_of(report_of({{14, loads(1e5, 8)}}, blocks(98))),
                     "warp-per-thread") == nullptr);
  CHECK(find_what_if(what_ifs_of(report_of({{14, loads(1e5, 32)}}, blocks(4))),
                     "warp-per-thread") == nullptr);
}

TEST_CASE("lines that limit a kernel together are named together", "[speed][unit]") {
  const std::vector<WhatIf> gains =
      what_ifs_of(report_of({{14, loads(1e5, 32)}, {20, loads(1e5, 32)}}));
  const WhatIf* both = find_what_if(gains, "coalesced-loads");
  REQUIRE(both != nullptr);
  CHECK(both->condition == "the loads of lines 14 and 20 were coalesced");
  CHECK(find_what_if(gains, "coalesced-loads", 20) != nullptr);
}

TEST_CASE("the gain of removing bank conflicts is the cost of their wavefronts", "[speed][unit]") {
  const auto shared = [](double wavefronts) {
    CostInputs line;
    line.instructions = line.shared_load_requests = line.shared_load_ideal_wavefronts = 1e6;
    line.lanes = 32e6;
    line.shared_load_wavefronts = wavefronts;
    return line;
  };
  const EmulatorReport conflicts = report_of({{30, shared(8e6)}});
  const EmulatorReport none = report_of({{30, shared(1e6)}});
  const std::vector<WhatIf> gains = what_ifs_of(conflicts);
  const WhatIf* gain = find_what_if(gains, "no-bank-conflicts", 30);
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P69");
  CHECK(gain->ms == Approx(LaunchCosts::of(none)->ms()));
  CHECK(find_what_if(what_ifs_of(none), "no-bank-conflicts") == nullptr);
}

TEST_CASE("half the barriers gain half of their cost, if that is significant", "[speed][unit]") {
  const auto waits = [](double barriers) {
    CostInputs line;
    line.instructions = line.barriers = barriers;
    line.lanes = 32 * barriers;
    return line;
  };
  const std::vector<WhatIf> gains = what_ifs_of(report_of({{9, waits(4e6)}}));
  const WhatIf* gain = find_what_if(gains, "half-the-barriers", 9);
  REQUIRE(gain != nullptr);
  CHECK(gain->ms == Approx(LaunchCosts::of(report_of({{9, waits(2e6)}}))->ms()));
  CHECK(find_what_if(what_ifs_of(report_of({{9, waits(1e3)}})), "half-the-barriers") == nullptr);
}

TEST_CASE("fewer global atomics are a gain under contention only", "[speed][unit]") {
  CostInputs line;
  line.instructions = line.reduction_requests = 1e5;
  line.lanes = 32e5;
  line.reduction_sectors = line.global_turns = 1e6;
  line.global_updates = 3.2e6;
  const auto hot = [](CostInputs& shape) { shape.hottest_atomics = 1e6; };
  const std::vector<WhatIf> gains = what_ifs_of(report_of({{40, line}}, hot));
  const WhatIf* gain = find_what_if(gains, "fewer-atomics", 40);
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P65");
  CHECK(gain->times_faster > 5);
  CostInputs few = line.scaled(1e-3);
  CHECK(find_what_if(what_ifs_of(report_of({{40, few}, {41, loads(1e5, 4)}})), "fewer-atomics") ==
        nullptr);
}

TEST_CASE("loads that reread the same values gain by a tile, single ones do not", "[speed][unit]") {
  CostInputs line = loads(1e6, 4);
  line.global_load_hits = 0.9 * line.global_load_sectors;
  const auto traffic = [](double distinct) {
    return [distinct](CostInputs& shape) {
      shape.l2_reads = 4e5;
      shape.dram_reads = distinct;
      shape.l2_read_hits = shape.l2_reads - distinct;
    };
  };
  const std::vector<WhatIf> again = what_ifs_of(report_of({{14, line}}, traffic(1e4)));
  const WhatIf* gain = find_what_if(again, "tile", 14);
  REQUIRE(gain != nullptr);
  CHECK(gain->pitfall == "P64");
  CHECK(find_what_if(what_ifs_of(report_of({{14, loads(1e5, 4)}})), "tile") == nullptr);
}

TEST_CASE("a larger tile is suggested for loads that are stored in shared memory",
          "[speed][unit]") {
  // 1e5 loads of few distinct values; shared memory is read as often as it is said.
  const auto gain = [](double stores_of_line, double other_stores, double shared_loads) {
    CostInputs load = loads(1e5, 4);
    load.instructions += stores_of_line;
    load.shared_store_requests = load.shared_store_wavefronts = stores_of_line;
    CostInputs rest;
    rest.instructions = shared_loads + other_stores + 1e4;
    rest.lanes = 32 * rest.instructions;
    rest.shared_load_requests = rest.shared_load_wavefronts = shared_loads;
    rest.shared_store_requests = rest.shared_store_wavefronts = other_stores;
    rest.barriers = 1e4;
    const EmulatorReport report =
        report_of({{14, load}, {20, rest}}, [](CostInputs& shape) { shape.dram_reads = 1e4; });
    const std::vector<WhatIf> gains = what_ifs_of(report);
    return find_what_if(gains, "larger-tile") != nullptr;
  };
  CHECK(gain(1e5, 0, 2e5));  // tile[i] = a[i]
  CHECK(gain(0, 1e5, 4e5));  // through a register, and read four times
  // Near misses: a tree adds up what a block has loaded, and another line fills the tile.
  CHECK_FALSE(gain(0, 1e5, 2e5));
  CHECK_FALSE(gain(0, 1e4, 4e5));
}

TEST_CASE("lines of a library get no advice", "[speed][unit]") {
  EmulatorReport report = report_of({{14, loads(1e5, 32)}});
  report.kernels[0].lines[0].file = "/usr/include/cub/load.cuh";
  CHECK(find_what_if(what_ifs_of(report), "coalesced-loads") == nullptr);
}

TEST_CASE("each line has its share of the time, without the start of the kernel", "[speed][unit]") {
  EmulatorReport report = report_of({{14, loads(1e5, 8)}, {15, loads(3e5, 4)}});
  add_line_times(report);
  const std::vector<KernelLine>& lines = report.kernels[0].lines;
  const double first = lines[0].counters.at("modelled_ms");
  const double second = lines[1].counters.at("modelled_ms");
  CHECK(first > 0);
  CHECK(second > first);
  const double rest = report.total("modelled_ms") - first - second;
  CHECK(rest >= 2.5e-3);
  CHECK(rest < 3e-3);
}

TEST_CASE("a card that the emulator does not have, and no launches, have no advice",
          "[speed][unit]") {
  EmulatorReport report = report_of({{14, loads(1e5, 32)}});
  CHECK(LaunchCosts::of(report));
  report.device = "GeForce 256";
  CHECK_FALSE(LaunchCosts::of(report));
  CHECK_FALSE(
      LaunchCosts::of({.device = warpsim::find_card("a100")->name, .kernels = {}, .findings = {}}));
}

}  // namespace
}  // namespace warpgrade
