#include "emulator/counters/cost.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

using Catch::Approx;

const Card& a100() {
  return *find_card("a100");
}

/// Two blocks of 8 warps for each multiprocessor, which do a little of everything.
CostInputs some_of_all() {
  CostInputs in;
  in.launches = 1;
  in.blocks = 216;
  in.warps = 8 * in.blocks;
  in.blocks_per_multiprocessor = 8;
  in.instructions = 1e6;
  in.lanes = 32e6;
  in.special = 1e3;
  in.f32 = 2e5;
  in.barriers = 3e4;
  in.global_load_requests = 6e4;
  in.global_load_sectors = 3e5;
  in.global_load_ideal_sectors = 2.4e5;
  in.global_load_hits = 1e5;
  in.global_store_requests = 1e4;
  in.global_store_sectors = in.global_store_ideal_sectors = 4e4;
  in.reduction_requests = 1e3;
  in.reduction_sectors = in.global_turns = in.global_updates = 8e3;
  in.shared_load_requests = in.shared_load_ideal_wavefronts = 2e5;
  in.shared_load_wavefronts = 3e5;
  in.shared_atomic_requests = 1e3;
  in.shared_atomic_wavefronts = 4e3;
  in.l2_reads = 2e5;
  in.l2_read_hits = 1.5e5;
  in.l2_writes = 4e4;
  in.l2_atomics = 8e3;
  in.dram_reads = 5e4;
  in.dram_writes = 4e4;
  in.hottest_atomics = 5e3;
  return in;
}

TEST_CASE("the parts of the modelled time sum to it", "[counters][cost][unit]") {
  CostInputs in = some_of_all();
  for (const double blocks : {1.0, 50.0, 108.0, 216.0, 217.0, 5000.0}) {
    in.warps *= blocks / in.blocks;
    in.blocks = blocks;
    for (const Card& card : all_cards()) {
      INFO(card.id << ", " << blocks << " blocks");
      const TimeSplit split = split_time(in, card);
      CHECK(split.total() == Approx(modelled_milliseconds(in, card)).epsilon(1e-12));
      CHECK(std::ranges::all_of(split.ms, [](double part) { return part >= 0; }));
    }
  }
}

TEST_CASE("the parts of a term sum to the term", "[counters][cost][unit]") {
  const CostInputs in = some_of_all();
  for (const CostTerm& term : cost_terms(in, shape_of(in, a100()), a100())) {
    double sum = 0;
    for (const CostPart& part : term.parts) sum += part.seconds;
    INFO(term.name);
    CHECK(sum == Approx(term.seconds).epsilon(1e-12));
  }
}

TEST_CASE("what no line has a share of is what launching kernels and blocks costs",
          "[counters][cost][unit]") {
  // As many warps as a multiprocessor can hold, and a block for each: nothing is tail or idle.
  CostInputs in = some_of_all();
  in.blocks = 108;
  in.warps = 64 * in.blocks;
  double lines = 0;
  for (const CostPart& part : time_by_count(in, a100())) lines += 1e3 * part.seconds;
  const double rest = modelled_milliseconds(in, a100()) - lines;
  CHECK(rest == Approx(split_time(in, a100()).of(TimeCause::launches)).epsilon(1e-9));
  CHECK(rest >= 1e3 * kLaunchSeconds);
}

TEST_CASE("a cause has no part in the time of a launch that lacks it", "[counters][cost][unit]") {
  struct Lacking {
    TimeCause cause;
    void (*remove)(CostInputs& in);
  };
  const Lacking all[] = {
      {TimeCause::global_memory,
       [](CostInputs& in) {
         in.global_load_requests = in.global_load_sectors = in.global_load_hits = 0;
         in.global_store_requests = in.global_store_sectors = in.global_store_ideal_sectors = 0;
         in.reduction_requests = in.reduction_sectors = 0;
         in.l2_reads = in.l2_read_hits = in.l2_writes = in.dram_reads = in.dram_writes = 0;
       }},
      {TimeCause::shared_memory, [](CostInputs& in) { in.shared_load_wavefronts = 0; }},
      {TimeCause::barriers, [](CostInputs& in) { in.barriers = 0; }},
      {TimeCause::atomics,
       [](CostInputs& in) {
         in.hottest_atomics = in.l2_atomics = in.shared_atomic_wavefronts = 0;
         in.dram_reads = in.l2_reads - in.l2_read_hits;  // none of them for an atomic
       }},
      {TimeCause::tail, [](CostInputs&) {}},  // two rounds for all
  };
  for (const Lacking& lacking : all) {
    INFO(name_of(lacking.cause));
    CostInputs in = some_of_all();
    if (lacking.cause != TimeCause::tail) {
      CHECK(split_time(in, a100()).of(lacking.cause) > 0);
    }
    lacking.remove(in);
    CHECK(split_time(in, a100()).of(lacking.cause) == 0);
  }
}

TEST_CASE("a block more than a whole round is a tail, a block less than one is idleness",
          "[counters][cost][unit]") {
  CostInputs in = some_of_all();
  const auto split_with = [&](double blocks) {
    in.blocks = blocks;
    in.warps = 64 * blocks;  // all that a multiprocessor can hold
    return split_time(in, a100());
  };
  CHECK(split_with(108).of(TimeCause::tail) == 0);
  CHECK(split_with(108).of(TimeCause::idle) == 0);
  CHECK(split_with(109).of(TimeCause::tail) > 0);
  CHECK(split_with(109).of(TimeCause::idle) == 0);
  CHECK(split_with(107).of(TimeCause::tail) == 0);
  CHECK(split_with(107).of(TimeCause::idle) > 0);
}

TEST_CASE("too few warps to hide what they wait for are idleness, too", "[counters][cost][unit]") {
  CostInputs in = some_of_all();
  in.blocks = 108;
  in.warps = 64 * in.blocks;
  const double full = split_time(in, a100()).of(TimeCause::idle);
  in.warps = 2 * in.blocks;
  CHECK(full == 0);
  CHECK(split_time(in, a100()).of(TimeCause::idle) > 0);
}

TEST_CASE("launches alike take as often the time of one", "[counters][cost][unit]") {
  const CostInputs one = some_of_all();
  CHECK(modelled_milliseconds(one.scaled(7), a100()) ==
        Approx(7 * modelled_milliseconds(one, a100())).epsilon(1e-12));
  CHECK(modelled_milliseconds(CostInputs{}, a100()) == 0);
}

TEST_CASE("the model takes the same from a launch and from its inputs", "[counters][cost][unit]") {
  KernelCounters launch;
  launch.launches = 1;
  launch.blocks = 300;
  launch.warps = 2400;
  launch.blocks_per_multiprocessor = 8;
  launch.totals.executed = 50000;
  Counts& loads = launch.totals.by_kind[static_cast<std::size_t>(AccessKind::global_load)];
  loads.requests = 1000;
  loads.sectors = 4000;
  loads.ideal_sectors = 4000;
  const CostInputs in = cost_inputs(launch);
  CHECK(in.dram_reads == 4000);  // without the cache model everything misses
  CHECK(modelled_milliseconds(launch, a100()) == modelled_milliseconds(in, a100()));
}

}  // namespace
}  // namespace warpsim
