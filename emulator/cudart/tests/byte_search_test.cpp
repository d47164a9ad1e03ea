#include "emulator/cudart/byte_search.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

using warpsim::cudart::ByteSearch;

namespace {

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
  return bytes;
}

}  // namespace

TEST_CASE("each part of a byte string is found, in any order", "[cudart][byte_search][unit]") {
  const auto whole = random_bytes(5000, 1);
  ByteSearch search(whole);
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const std::size_t size = 16 + random() % 300;
    const std::size_t at = random() % (whole.size() - size + 1);
    CAPTURE(at, size);
    CHECK(search.contains(std::span(whole).subspan(at, size)));
  }
  CHECK(search.contains(whole));
}

TEST_CASE("a string that differs from each part in one byte is not found",
          "[cudart][byte_search][unit]") {
  const auto whole = random_bytes(5000, 1);
  ByteSearch search(whole);
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const std::size_t size = 16 + random() % 300;
    const std::size_t at = random() % (whole.size() - size + 1);
    std::vector<std::byte> part(whole.begin() + static_cast<std::ptrdiff_t>(at),
                                whole.begin() + static_cast<std::ptrdiff_t>(at + size));
    part[random() % size] ^= std::byte{0x10};
    CAPTURE(at, size);
    CHECK_FALSE(search.contains(part));
  }
}

TEST_CASE("fewer than 16 bytes are found only where they are the whole string",
          "[cudart][byte_search][unit]") {
  const auto whole = random_bytes(15, 1);
  ByteSearch search(whole);
  CHECK(search.contains(whole));
  CHECK_FALSE(search.contains(std::span(whole).first(14)));
  CHECK_FALSE(search.contains({}));
  CHECK_FALSE(search.contains(random_bytes(16, 1)));
  CHECK_FALSE(ByteSearch().contains(whole));
}

TEST_CASE("a string after many equal beginnings is found among the first 64 places",
          "[cudart][byte_search][unit]") {
  std::vector<std::byte> part(80);  // 64 equal bytes, then others
  part.back() = std::byte{1};
  for (const std::size_t zeros : {std::size_t{40}, std::size_t{400}}) {
    std::vector<std::byte> whole(zeros);
    whole.insert(whole.end(), part.begin(), part.end());
    CHECK(ByteSearch(whole).contains(part) == (zeros == 40));
  }
}
