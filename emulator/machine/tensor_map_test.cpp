#include "emulator/machine/tensor_map.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

using namespace warpsim;

namespace {

struct Plane {
  std::uint64_t dimensions[2] = {100, 30};
  std::uint64_t strides[1] = {208};
  std::uint32_t box[2] = {32, 8};
  std::uint32_t steps[2] = {1, 1};

  [[nodiscard]] TensorMapRequest request() const {
    return {.type = 6,
            .rank = 2,
            .address = 4096,
            .dimensions = dimensions,
            .strides = strides,
            .box = box,
            .steps = steps};
  }
};

}  // namespace

TEST_CASE("a tensor map comes back from its 128 bytes", "[emulator][tensor map]") {
  Plane plane;
  plane.steps[1] = 3;
  const auto map = encode(plane.request());
  REQUIRE(map);
  std::byte bytes[TensorMap::kBytes];
  map->store(bytes);
  const auto again = TensorMap::load(bytes);
  REQUIRE(again);
  CHECK(again->address == 4096);
  CHECK(again->rank == 2);
  CHECK(again->element == TensorElement::f16);
  CHECK(again->last[0] == 99);
  CHECK(again->stride[0] == 208);
  CHECK(again->count(1) == 3);  // of 8 rows, each third
  CHECK(again->row_bytes() == 64);
  CHECK(again->box_bytes() == 192);
  CHECK(again->place_bytes() == 192);
}

TEST_CASE("rows of a swizzled box are as far apart as the swizzle is wide",
          "[emulator][tensor map]") {
  const Plane plane;
  auto request = plane.request();
  request.swizzle = 3;
  const auto map = encode(request);
  REQUIRE(map);
  CHECK(map->pitch() == 128);
  CHECK(map->box_bytes() == 512);
  CHECK(map->place_bytes() == 1024);
}

TEST_CASE("bytes that were changed are another thing than a tensor map", "[emulator][tensor map]") {
  std::byte bytes[TensorMap::kBytes] = {};
  CHECK(!TensorMap::load(bytes));
  encode(Plane().request())->store(bytes);
  bytes[16] ^= std::byte{16};  // of the address
  CHECK(!TensorMap::load(bytes));
}

TEST_CASE("what the driver refuses is refused", "[emulator][tensor map]") {
  const auto refuses = [](auto change) {
    Plane plane;
    auto request = plane.request();
    change(plane, request);
    return !encode(request);
  };
  CHECK(!refuses([](Plane&, TensorMapRequest&) {}));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.address = 4104; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.rank = 0; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.rank = 6; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.type = 13; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.interleave = 1; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.swizzle = 1; }));  // rows of 64 bytes
  CHECK(!refuses([](Plane&, TensorMapRequest& r) { r.swizzle = 2; }));
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.strides[0] = 200; }));
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.strides[0] = std::uint64_t{1} << 40; }));
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.dimensions[1] = 0; }));
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.box[1] = 257; }));
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.box[0] = 4; }));  // 8 bytes
  CHECK(refuses([](Plane& p, TensorMapRequest&) { p.steps[1] = 9; }));
  CHECK(!refuses([](Plane& p, TensorMapRequest&) { p.steps[1] = 8; }));
  CHECK(!refuses([](Plane&, TensorMapRequest& r) { r.fill = 1; }));
  CHECK(refuses([](Plane&, TensorMapRequest& r) { r.type = 1, r.fill = 1; }));  // integers
}
