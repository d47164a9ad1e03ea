#include "harness/worker/mix_on_device.h"

#include <algorithm>
#include <array>

#include "harness/worker/driver_kernel.h"
#include "harness/worker/mixed_input.h"

namespace warpgrade::worker {

namespace {

constexpr unsigned kWarps = 8;  // per block
constexpr unsigned kMostBlocks = 4096;

/// A warp copies a part, which it finds as PartOrder does, in units of
/// 4 bytes or of 1.
constexpr const char* kMix = R"(
.version 6.3
.target sm_75
.address_size 64

.visible .entry warpgrade_mix(
  .param .u64 to, .param .u64 from, .param .u64 size, .param .u32 unit, .param .u32 part_size,
  .param .u32 parts, .param .u32 half, .param .u32 key0, .param .u32 key1, .param .u32 key2,
  .param .u32 key3)
{
  .reg .pred %done, %outside, %bytes;
  .reg .u16 %byte;
  .reg .u32 %place, %places, %lane, %step, %unit, %part, %parts, %half, %mask, %left, %right, %mixed;
  .reg .u32 %shifted, %key<4>, %word, %part_size, %threads, %block;
  .reg .u64 %to, %from, %size, %begin, %at, %end, %offset, %source, %target, %stride;

  ld.param.u64 %to, [to];
  ld.param.u64 %from, [from];
  ld.param.u64 %size, [size];
  ld.param.u32 %unit, [unit];
  ld.param.u32 %part_size, [part_size];
  ld.param.u32 %parts, [parts];
  ld.param.u32 %half, [half];
  ld.param.u32 %key0, [key0];
  ld.param.u32 %key1, [key1];
  ld.param.u32 %key2, [key2];
  ld.param.u32 %key3, [key3];
  setp.eq.u32 %bytes, %unit, 1;
  mov.u32 %mask, 1;
  shl.b32 %mask, %mask, %half;
  sub.u32 %mask, %mask, 1;

  mov.u32 %lane, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %place, %block, %threads, %lane;
  shr.u32 %place, %place, 5;
  and.b32 %lane, %lane, 31;
  mov.u32 %places, %nctaid.x;
  mul.lo.u32 %places, %places, %threads;
  shr.u32 %places, %places, 5;
  mul.lo.u32 %step, %unit, 32;
  cvt.u64.u32 %stride, %step;

PART:
  mul.wide.u32 %begin, %place, %part_size;
  setp.ge.u64 %done, %begin, %size;
  @%done bra END;
  mov.u32 %part, %place;
AGAIN:
  shr.u32 %left, %part, %half;
  and.b32 %right, %part, %mask;
)"
                             R"(
  xor.b32 %mixed, %right, %key0;
  mul.lo.u32 %mixed, %mixed, 0x9e3779b1;
  shr.u32 %shifted, %mixed, 15;
  xor.b32 %mixed, %mixed, %shifted;
  mul.lo.u32 %mixed, %mixed, 0x85ebca77;
  shr.u32 %shifted, %mixed, 13;
  xor.b32 %mixed, %mixed, %shifted;
  and.b32 %mixed, %mixed, %mask;
  xor.b32 %left, %left, %mixed;

  xor.b32 %mixed, %left, %key1;
  mul.lo.u32 %mixed, %mixed, 0x9e3779b1;
  shr.u32 %shifted, %mixed, 15;
  xor.b32 %mixed, %mixed, %shifted;
  mul.lo.u32 %mixed, %mixed, 0x85ebca77;
  shr.u32 %shifted, %mixed, 13;
  xor.b32 %mixed, %mixed, %shifted;
  and.b32 %mixed, %mixed, %mask;
  xor.b32 %right, %right, %mixed;

  xor.b32 %mixed, %right, %key2;
  mul.lo.u32 %mixed, %mixed, 0x9e3779b1;
  shr.u32 %shifted, %mixed, 15;
  xor.b32 %mixed, %mixed, %shifted;
  mul.lo.u32 %mixed, %mixed, 0x85ebca77;
  shr.u32 %shifted, %mixed, 13;
  xor.b32 %mixed, %mixed, %shifted;
  and.b32 %mixed, %mixed, %mask;
  xor.b32 %left, %left, %mixed;

  xor.b32 %mixed, %left, %key3;
  mul.lo.u32 %mixed, %mixed, 0x9e3779b1;
  shr.u32 %shifted, %mixed, 15;
  xor.b32 %mixed, %mixed, %shifted;
  mul.lo.u32 %mixed, %mixed, 0x85ebca77;
  shr.u32 %shifted, %mixed, 13;
  xor.b32 %mixed, %mixed, %shifted;
  and.b32 %mixed, %mixed, %mask;
  xor.b32 %right, %right, %mixed;

  shl.b32 %part, %left, %half;
  or.b32 %part, %part, %right;
  setp.ge.u32 %outside, %part, %parts;
  @%outside bra AGAIN;

  mul.wide.u32 %source, %part, %part_size;
  add.u64 %source, %source, %from;
  add.u64 %target, %to, %begin;
  sub.u64 %end, %size, %begin;
  cvt.u64.u32 %at, %part_size;
  min.u64 %end, %end, %at;
  mul.wide.u32 %at, %lane, %unit;
COPY:
  setp.ge.u64 %done, %at, %end;
  @%done bra NEXT;
  add.u64 %offset, %source, %at;
  @%bytes ld.global.u8 %byte, [%offset];
  @!%bytes ld.global.u32 %word, [%offset];
  add.u64 %offset, %target, %at;
  @%bytes st.global.u8 [%offset], %byte;
  @!%bytes st.global.u32 [%offset], %word;
  add.u64 %at, %at, %stride;
  bra COPY;
NEXT:
  add.u32 %place, %place, %places;
  bra PART;
END:
  ret;
}
)";

}  // namespace

void mix_on_device(std::byte* to, std::size_t size, std::span<const std::byte> file,
                   std::size_t element_size, std::uint64_t key) {
  if (size == 0) return;
  static const DriverKernel kernel(kMix, "warpgrade_mix");
  const std::size_t part_size = kMixedTogether * element_size;
  const PartOrder order(key, static_cast<std::uint32_t>(file.size() / part_size));
  const auto is_aligned = [](auto number) { return number % 4 == 0; };
  const bool in_words = is_aligned(reinterpret_cast<std::uintptr_t>(to)) && is_aligned(size);
  const std::byte* from = file.data();
  auto bytes = static_cast<std::uint64_t>(size);
  unsigned unit = in_words ? 4 : 1;
  auto part_bytes = static_cast<unsigned>(part_size);
  unsigned parts = order.parts();
  unsigned half = order.half_bits();
  std::array<std::uint32_t, 4> keys = order.keys();
  void* arguments[] = {&to,   &from,    &bytes,   &unit,    &part_bytes, &parts,
                       &half, &keys[0], &keys[1], &keys[2], &keys[3]};
  const std::size_t warps = (size + part_size - 1) / part_size;
  const std::size_t blocks = (warps + kWarps - 1) / kWarps;
  kernel.launch(static_cast<unsigned>(std::min<std::size_t>(blocks, kMostBlocks)), 32 * kWarps,
                arguments, "mixing an input");
}

}  // namespace warpgrade::worker
