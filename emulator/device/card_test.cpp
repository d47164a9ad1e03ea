#include "emulator/device/card.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

using namespace warpsim;

TEST_CASE("cards are found by id, whatever the case", "[device][unit]") {
  REQUIRE(find_card("h200") != nullptr);
  CHECK(find_card("h200")->name == "NVIDIA H200");
  CHECK(find_card("H200") == find_card("h200"));
  CHECK(find_card("RTX4090")->multiprocessors == 128);
}

TEST_CASE("a name that is only a part of an id is not a card", "[device][unit]") {
  CHECK(find_card("h20") == nullptr);
  CHECK(find_card("h2000") == nullptr);
  CHECK(find_card("") == nullptr);
}

TEST_CASE("the default card is an A100", "[device][unit]") {
  CHECK(default_card().id == "a100");
  CHECK(default_card().major == 8);
  CHECK(default_card().minor == 0);
}

TEST_CASE("the eight promised cards are there, each once", "[device][unit]") {
  std::set<std::string> ids;
  for (const Card& card : all_cards()) ids.insert(card.id);
  CHECK(ids ==
        std::set<std::string>{"t4", "rtx3060", "a40", "a100", "l4", "rtx4090", "h100", "h200"});
  CHECK(all_cards().size() == ids.size());
}

TEST_CASE("bandwidth follows from bus width and memory clock on every card", "[device][unit]") {
  // The listed memory clock is half of the data rate for every memory type here.
  for (const Card& card : all_cards()) {
    const double derived = 2.0 * card.memory_clock_khz * 1e3 * card.memory_bus_bits / 8;
    INFO(card.id);
    CHECK(derived > 0.97 * card.memory_bandwidth);
    CHECK(derived < 1.03 * card.memory_bandwidth);
  }
}

TEST_CASE("limits of every card are consistent", "[device][unit]") {
  for (const Card& card : all_cards()) {
    INFO(card.id);
    CHECK(card.max_threads_per_sm % 32 == 0);
    CHECK(card.shared_per_block <= card.shared_per_block_optin);
    CHECK(card.shared_per_block_optin + card.reserved_shared_per_block == card.shared_per_sm);
    CHECK(card.l2_bandwidth > card.memory_bandwidth);
  }
}

TEST_CASE("shared memory is carved out of the first-level cache on every card", "[device][unit]") {
  for (const Card& card : all_cards()) {
    INFO(card.id);
    CHECK(card.l1_bytes > card.shared_per_sm);
    CHECK(std::ranges::is_sorted(card.shared_carve_outs));
    CHECK(card.shared_carve_outs.back() == card.shared_per_sm);
  }
}

TEST_CASE("rates of the pipes give the data sheets' peak performance", "[device][unit]") {
  struct Peak {
    const char* id;
    double single, matrix;  // teraflops: f32, and f16 matrices with f32 sums, dense
  };
  for (const Peak& peak : {Peak{"t4", 8.1, 65}, Peak{"a40", 37.4, 149.7}, Peak{"a100", 19.5, 312},
                           Peak{"l4", 30.3, 121}, Peak{"rtx4090", 82.6, 165.2},
                           Peak{"rtx3060", 12.7, 25.5}, Peak{"h100", 66.9, 989}}) {
    const Card& card = *find_card(peak.id);
    const double cycles = card.multiprocessors * (card.clock_khz * 1e3) / 1e12;
    INFO(peak.id);
    CHECK(std::abs(2 * card.fp32_lanes_per_sm * cycles / peak.single - 1) < 0.03);
    // Large chips are rated at a lower clock for their matrix units.
    CHECK(std::abs(card.tensor_flops_per_clock * cycles / peak.matrix - 1) < 0.09);
    CHECK(card.fp64_lanes_per_sm > 0);
    CHECK(card.fp16_per_clock >= card.fp32_lanes_per_sm);
  }
}
