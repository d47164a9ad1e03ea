#include "emulator/isa/group_operand.h"

#include <catch2/catch_test_macros.hpp>

using namespace warpsim;

TEST_CASE("a matrix descriptor names address, offsets, base and swizzle", "[emulator][wgmma]") {
  const auto d = GroupDescriptor::decode(0x4006'0040'0020'1234);
  CHECK(d.start == 0x12340);
  CHECK(d.leading == 0x200);
  CHECK(d.stride == 0x400);
  CHECK(d.base == 3);
  CHECK(d.swizzle == 128);
  CHECK(d.unknown == 0);
  CHECK(GroupDescriptor::decode(std::uint64_t{2} << 62).swizzle == 64);
  CHECK(GroupDescriptor::decode(std::uint64_t{3} << 62).swizzle == 32);
  CHECK(GroupDescriptor::decode(0).swizzle == 0);
  CHECK(GroupDescriptor::decode(std::uint64_t{1} << 14).unknown != 0);
  CHECK(GroupDescriptor::decode(std::uint64_t{1} << 48).unknown != 0);
  CHECK(GroupDescriptor::decode(std::uint64_t{1} << 61).unknown != 0);
}

TEST_CASE("without a swizzle, eight rows of 16 bytes follow each other", "[emulator][wgmma]") {
  const GroupDescriptor d{.start = 4096, .leading = 512, .stride = 128};
  CHECK(d.along_k(0, 0) == 4096);
  CHECK(d.along_k(7, 0) == 4096 + 7 * 16);
  CHECK(d.along_k(8, 0) == 4096 + 128);
  CHECK(d.along_k(0, 1) == 4096 + 512);
  CHECK(d.across_k(0, 7) == 4096 + 7 * 16);
  CHECK(d.across_k(0, 8) == 4096 + 512);
  CHECK(d.across_k(1, 0) == 4096 + 128);
}

TEST_CASE("a swizzle exchanges chunks by the number of the 128-byte row", "[emulator][wgmma]") {
  GroupDescriptor d{.start = 8192, .leading = 4096, .stride = 1024, .swizzle = 128};
  CHECK(d.along_k(0, 1) == 8192 + 16);
  CHECK(d.along_k(1, 0) == 8192 + 128 + 16);
  CHECK(d.along_k(1, 1) == 8192 + 128);
  CHECK(d.along_k(8, 0) == 8192 + 1024);
  CHECK(d.across_k(7, 0) == 8192 + 7 * 16);
  CHECK(d.across_k(8, 0) == 8192 + 4096);
  CHECK(d.across_k(0, 1) == 8192 + 128 + 16);
  // A step along k begins inside the pattern, and is swizzled by its own address.
  d.start = 8192 + 32;
  CHECK(d.along_k(1, 0) == 8192 + 128 + 3 * 16);
  // A pattern that begins elsewhere names its row.
  d.start = 8192 + 3 * 128;
  d.base = 3;
  CHECK(d.along_k(0, 1) == d.start + 16);
  d = {.start = 8192, .leading = 4096, .stride = 256, .swizzle = 32};
  CHECK(d.along_k(3, 0) == 8192 + 96);
  CHECK(d.along_k(4, 0) == 8192 + 128 + 16);
}
