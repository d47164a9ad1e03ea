#include "emulator/machine/texture.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace warpsim {
namespace {

bool is_at(const std::array<float, 3>& direction, std::uint32_t face, float s, float t) {
  const CubePlace place = meet_cube(direction);
  return place.face == face && place.at[0] == s && place.at[1] == t;
}

}  // namespace

// The table of the CUDA Programming Guide, "Cubemap Textures": s and t over the largest coordinate.
TEST_CASE("a direction meets the face of its largest coordinate", "[machine][texture]") {
  CHECK(is_at({4, 1, 2}, 0, 0.25F, 0.375F));  // s = -z, t = -y
  CHECK(is_at({-4, 1, 2}, 1, 0.75F, 0.375F));  // s = z, t = -y
  CHECK(is_at({1, 4, 2}, 2, 0.625F, 0.75F));  // s = x, t = z
  CHECK(is_at({1, -4, 2}, 3, 0.625F, 0.25F));  // s = x, t = -z
  CHECK(is_at({1, 2, 4}, 4, 0.625F, 0.25F));  // s = x, t = -y
  CHECK(is_at({1, 2, -4}, 5, 0.375F, 0.25F));  // s = -x, t = -y
}

TEST_CASE("a direction's length makes no difference", "[machine][texture]") {
  CHECK(is_at({1, 0.25F, 0.5F}, 0, 0.25F, 0.375F));
  CHECK(is_at({1, 0, 0}, 0, 0.5F, 0.5F));
  CHECK(is_at({1e-30F, 0, 0}, 0, 0.5F, 0.5F));
}

TEST_CASE("of equal coordinates z counts before y, and y before x", "[machine][texture]") {
  CHECK(meet_cube({1, 1, 1}).face == 4);
  CHECK(meet_cube({1, 1, 0.5F}).face == 2);
  CHECK(meet_cube({-1, -1, 0.5F}).face == 3);
  CHECK(meet_cube({1, 0.5F, -1}).face == 5);
}

}  // namespace warpsim
