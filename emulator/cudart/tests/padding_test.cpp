#include "emulator/cudart/padding.h"

#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <vector>

#include "emulator/machine/written.h"

namespace warpsim::cudart {
namespace {

/// A member of a structure, which a store of its width has written; 0 bytes wide: nothing has.
struct Member {
  std::uint64_t offset = 0;
  std::uint32_t width = 0;
};

/// The shadow of four structures.
std::vector<std::uint8_t> shadow_of(std::uint64_t size, std::initializer_list<Member> members) {
  std::vector<std::uint8_t> shadow(4 * size, 0);
  for (std::uint64_t start = 0; start < shadow.size(); start += size) {
    for (const Member& member : members) {
      for (std::uint32_t i = 0; i < member.width; ++i) {
        shadow[start + member.offset + i] = written_by_store(member.width);
      }
    }
  }
  return shadow;
}

std::optional<std::uint64_t> hole_in(const std::vector<std::uint8_t>& shadow) {
  return first_hole(shadow, 0, shadow.size());
}

TEST_CASE("padding between and after members is not a hole", "[cudart][unit]") {
  CHECK_FALSE(hole_in(shadow_of(8, {{0, 1}, {4, 4}})));  // {char, int}
  CHECK_FALSE(hole_in(shadow_of(8, {{0, 4}, {4, 1}})));  // {int, char}
  CHECK_FALSE(hole_in(shadow_of(16, {{0, 8}, {8, 4}})));  // {double, int}
  CHECK_FALSE(hole_in(shadow_of(16, {{0, 4}, {8, 8}})));  // {int, double}
  CHECK_FALSE(hole_in(shadow_of(24, {{0, 4}, {8, 8}, {16, 1}})));
  CHECK_FALSE(hole_in(shadow_of(32, {{0, 16}, {16, 4}})));  // {float4, float}
}

TEST_CASE("a forgotten member is a hole", "[cudart][unit]") {
  CHECK(hole_in(shadow_of(8, {{0, 4}})) == 4);  // {int, int}
  CHECK(hole_in(shadow_of(8, {{4, 4}})) == 0);
  CHECK(hole_in(shadow_of(16, {{0, 8}})) == 8);  // {double, double}
  CHECK(hole_in(shadow_of(16, {{0, 4}, {4, 4}, {8, 4}})) == 12);  // four floats
  CHECK(hole_in(shadow_of(4, {{0, 1}, {1, 1}})) == 2);  // four chars
  CHECK(hole_in(shadow_of(24, {{0, 8}, {16, 8}})) == 8);
}

TEST_CASE("elements after the last one that was written are a hole", "[cudart][unit]") {
  std::vector<std::uint8_t> shadow(1002, written_by_store(4));
  shadow[1000] = shadow[1001] = 0;
  CHECK(hole_in(shadow) == 1000);
  CHECK_FALSE(first_hole(shadow, 0, 1000));
  // A memset says nothing of members.
  CHECK(hole_in({1, 1, 1, 0, 1, 1, 1, 1}) == 3);
}

TEST_CASE("a copy that begins in padding has no hole there", "[cudart][unit]") {
  const auto shadow = shadow_of(16, {{0, 8}, {8, 4}});
  CHECK_FALSE(first_hole(shadow, 14, 30));
}

}  // namespace
}  // namespace warpsim::cudart
