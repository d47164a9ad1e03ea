#include "harness/worker/host_buffer.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

namespace warpgrade::worker {

namespace {

std::size_t address_of(const HostBuffer& buffer) {
  return reinterpret_cast<std::size_t>(buffer.data());
}

}  // namespace

TEST_CASE("without an offset the byte after the buffer is guarded", "[worker][host_buffer]") {
  for (const std::size_t size : {0U, 4U, 100U, 4096U, 1000012U}) {
    const HostBuffer buffer(size, 4, 0);
    CHECK(buffer.guards(buffer.data() + size));
    if (size > 0) CHECK_FALSE(buffer.guards(buffer.data() + size - 1));
    CHECK_FALSE(buffer.guards(buffer.data() - 1));
    CHECK(address_of(buffer) % 4 == 0);
  }
}

TEST_CASE("a misaligned buffer is off from 16 bytes by its offset", "[worker][host_buffer]") {
  for (const std::size_t offset : {4U, 8U, 12U}) {
    const HostBuffer buffer(20000, 16, offset);
    CHECK(address_of(buffer) % 16 == offset);
    CHECK(buffer.guards(buffer.data() + 20000 + 15));
  }
}

TEST_CASE("untouched canaries show no damage", "[worker][host_buffer]") {
  const HostBuffer buffer(10, 16, 4);
  std::memset(buffer.data(), 0, 10);
  CHECK(buffer.damage_before().count == 0);
  CHECK(buffer.damage_behind().count == 0);
}

TEST_CASE("writes next to the buffer are found with their distance", "[worker][host_buffer]") {
  const HostBuffer buffer(8, 16, 4);
  buffer.data()[-3] = std::byte{1};
  buffer.data()[-4] = std::byte{1};
  CHECK(buffer.damage_before().count == 2);
  CHECK(buffer.damage_before().distance == 3);
  buffer.data()[8] = std::byte{1};
  CHECK(buffer.damage_behind().count == 1);
  CHECK(buffer.damage_behind().distance == 1);
}

}  // namespace warpgrade::worker
