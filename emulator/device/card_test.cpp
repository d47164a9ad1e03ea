#include "emulator/device/card.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace warpsim;

TEST_CASE("cards are found by id, whatever the case", "[device][unit]") {
  REQUIRE(find_card("h200") != nullptr);
  CHECK(find_card("h200")->name == "NVIDIA H200");
  CHECK(find_card("H200") == find_card("h200"));
  CHECK(find_card("RTX4090")->multiprocessors == 128);
}

TEST_CASE("a name that is only a part of an id is no card", "[device][unit]") {
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
