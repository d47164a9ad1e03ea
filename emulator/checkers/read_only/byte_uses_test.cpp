#include "emulator/checkers/read_only/byte_uses.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

constexpr ByteUse kFirst = {1, 7};
constexpr ByteUse kSecond = {2, 8};
constexpr ByteUse kThird = {3, 9};

std::uint32_t thread(const std::optional<ByteUse>& use) {
  return use ? use->thread : 0;
}

TEST_CASE("a read-only load and a write by two threads contradict each other in either order",
          "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.read(100, 4, kFirst));
  const auto read = uses.write(100, 4, kSecond);
  REQUIRE(read);
  CHECK(read->thread == kFirst.thread);
  CHECK(read->site == kFirst.site);
  CHECK_FALSE(uses.write(200, 4, kSecond));
  const auto write = uses.read(200, 4, kFirst);
  REQUIRE(write);
  CHECK(write->thread == kSecond.thread);
  CHECK(write->site == kSecond.site);
}

TEST_CASE("a thread may read by a read-only load what it writes afterwards, and not before",
          "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.read(100, 4, kFirst));
  CHECK_FALSE(uses.write(100, 4, kFirst));
  CHECK(thread(uses.read(100, 4, kFirst)) == kFirst.thread);
}

TEST_CASE("of several readers one is another thread than the writer", "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.read(100, 4, kFirst));
  CHECK_FALSE(uses.read(100, 4, kFirst));
  CHECK_FALSE(uses.read(100, 4, kSecond));
  CHECK_FALSE(uses.read(100, 4, kThird));
  CHECK(thread(uses.write(100, 4, kFirst)) == kSecond.thread);
  CHECK(thread(uses.write(100, 4, kSecond)) == kFirst.thread);
}

TEST_CASE("bytes beside each other have nothing to do with each other", "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.write(100, 1, kFirst));
  CHECK_FALSE(uses.read(101, 3, kSecond));
  CHECK_FALSE(uses.read(96, 4, kSecond));
  CHECK(thread(uses.read(98, 4, kSecond)) == kFirst.thread);
}

TEST_CASE("an access may lie on two pages", "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.write(4094, 4, kFirst));
  CHECK(thread(uses.read(4097, 1, kSecond)) == kFirst.thread);
  CHECK(thread(uses.read(4094, 1, kSecond)) == kFirst.thread);
  CHECK_FALSE(uses.read(4098, 1, kSecond));
}

TEST_CASE("the next launch may read what this one wrote", "[read-only][unit]") {
  ByteUses uses;
  CHECK_FALSE(uses.write(100, 4, kFirst));
  uses.clear();
  CHECK_FALSE(uses.read(100, 4, kSecond));
}

}  // namespace
}  // namespace warpsim
