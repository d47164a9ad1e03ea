#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "emulator/device/card.h"

using namespace warpsim;
using Catch::Matchers::WithinAbs;

namespace {
struct Case {
  const char* card;
  int threads;
  int registers;
  std::uint64_t shared;
  int blocks;
  double fraction;
  const char* limiter;
};
}  // namespace

// Values from NVIDIA's occupancy calculator for the same inputs.
TEST_CASE("occupancy has the calculator's value and limiter", "[device][occupancy][unit]") {
  const Case c = GENERATE(
      Case{"a100", 256, 32, 0, 8, 1.0, "threads"}, Case{"a100", 256, 64, 0, 4, 0.5, "registers"},
      Case{"a100", 256, 33, 0, 6, 0.75, "registers"}, Case{"a100", 32, 16, 0, 32, 0.5, "blocks"},
      Case{"a100", 256, 32, 48 * 1024, 3, 0.375, "shared memory"},
      Case{"a100", 1024, 65, 0, 0, 0.0, "registers"},
      Case{"a100", 96, 40, 0, 16, 0.75, "registers"}, Case{"t4", 256, 32, 0, 4, 1.0, "threads"},
      Case{"t4", 1024, 64, 0, 1, 1.0, "threads"},
      Case{"t4", 128, 32, 16 * 1024, 4, 0.5, "shared memory"},
      Case{"rtx4090", 1024, 32, 0, 1, 2.0 / 3.0, "threads"},
      Case{"rtx4090", 32, 16, 0, 24, 0.5, "blocks"},
      Case{"h200", 1024, 32, 227 * 1024, 1, 0.5, "shared memory"},
      Case{"h200", 128, 256, 0, 0, 0.0, "registers"});
  INFO(c.card << " threads " << c.threads << " registers " << c.registers << " shared "
              << c.shared);
  const Occupancy got = occupancy(*find_card(c.card), c.threads, c.registers, c.shared);
  CHECK(got.blocks_per_sm == c.blocks);
  CHECK_THAT(got.fraction, WithinAbs(c.fraction, 1e-12));
  CHECK(got.limiter == c.limiter);
}

TEST_CASE("a block of more threads than the card allows fits nowhere",
          "[device][occupancy][unit]") {
  CHECK(occupancy(default_card(), 1025, 16, 0).blocks_per_sm == 0);
  CHECK(occupancy(default_card(), 0, 16, 0).blocks_per_sm == 0);
  CHECK(occupancy(default_card(), 1024, 16, 0).blocks_per_sm == 2);
}

TEST_CASE("one byte of shared memory over the opt-in limit fits nowhere",
          "[device][occupancy][unit]") {
  const Card& card = default_card();
  CHECK(occupancy(card, 128, 16, card.shared_per_block_optin).blocks_per_sm == 1);
  CHECK(occupancy(card, 128, 16, card.shared_per_block_optin + 1).blocks_per_sm == 0);
}

TEST_CASE("launch bounds leave as many registers as let the promised blocks fit",
          "[device][occupancy][unit]") {
  CHECK(registers_within_bounds(1024, 1) == 64);
  CHECK(registers_within_bounds(512, 1) == 128);
  CHECK(registers_within_bounds(256, 2) == 128);
  CHECK(registers_within_bounds(256, 3) == 80);
  CHECK(registers_within_bounds(256, 1) == 255);
  CHECK(registers_within_bounds(33, 16) == 64);
  CHECK(registers_within_bounds(160, 1) == 255);
  CHECK(registers_within_bounds(288, 1) == 168);  // one scheduler has three of the nine warps
  CHECK(registers_within_bounds(1024, 64) == 16);
}
