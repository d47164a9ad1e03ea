#include "harness/worker/mixed_input.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <vector>

namespace warpgrade::worker {

namespace {

std::vector<std::uint32_t> order_of(std::uint64_t key, std::uint32_t parts) {
  const PartOrder order(key, parts);
  std::vector<std::uint32_t> all(parts);
  for (std::uint32_t place = 0; place < parts; ++place) all[place] = order(place);
  return all;
}

/// The numbers 0 to 1249 in an order of 1000 of them.
std::vector<std::uint16_t> mixed(std::uint64_t key) {
  std::vector<std::uint16_t> file(1250);
  for (std::size_t i = 0; i < file.size(); ++i) file[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint16_t> input(1000);
  mix_on_host(std::as_writable_bytes(std::span(input)), std::as_bytes(std::span(file)), 2, key);
  return input;
}

}  // namespace

TEST_CASE("an order of parts is a permutation, another for each key", "[worker][timing]") {
  for (const std::uint32_t parts : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 1000U, 65537U}) {
    std::vector<std::uint32_t> order = order_of(7, parts);
    if (parts > 100) CHECK(order != order_of(8, parts));
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < parts; ++i) REQUIRE(order[i] == i);
  }
}

TEST_CASE("a mixed input has whole parts of its file, not all of them, and no part twice",
          "[worker][timing]") {
  const std::vector<std::uint16_t> input = mixed(5);
  std::vector<std::uint16_t> firsts;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (i % kMixedTogether == 0) firsts.push_back(input[i]);
    REQUIRE(input[i] == input[i - i % kMixedTogether] + i % kMixedTogether);
  }
  CHECK(firsts.size() == 32);
  CHECK(std::all_of(firsts.begin(), firsts.end(),
                    [](std::uint16_t first) { return first % kMixedTogether == 0; }));
  std::sort(firsts.begin(), firsts.end());
  CHECK(std::adjacent_find(firsts.begin(), firsts.end()) == firsts.end());
  // Another key, other parts.
  std::vector<std::uint16_t> other = mixed(6);
  CHECK(other != input);
  std::sort(other.begin(), other.end());
  std::vector<std::uint16_t> sorted = input;
  std::sort(sorted.begin(), sorted.end());
  CHECK(other != sorted);
}

TEST_CASE("a file that has too few parts is not mixed", "[worker][timing]") {
  CHECK(can_mix(1000, 1250));
  CHECK(can_mix(96, 96));
  CHECK_FALSE(can_mix(97, 113));
  CHECK_FALSE(can_mix(5, 21));
}

}  // namespace warpgrade::worker
