#pragma once

// Questions about the addresses of a warp's 32 lanes that memory instructions ask on their fast
// paths: answered with vector masks where AVX-512 has them, elsewhere by loops that the compiler
// vectorises.

#include "emulator/isa/handlers/bind.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace warpsim::WARPSIM_SIMD {

#if defined(__AVX512F__)

/// True when an address has a bit of `bits` set.
[[gnu::always_inline]] inline bool any_has_bits(const u64* address, u64 bits) {
  const __m512i wanted = _mm512_set1_epi64(static_cast<s64>(bits));
  const __m512i* lanes = reinterpret_cast<const __m512i*>(address);
  const __m512i low = _mm512_or_si512(_mm512_load_si512(lanes), _mm512_load_si512(lanes + 1));
  const __m512i high = _mm512_or_si512(_mm512_load_si512(lanes + 2), _mm512_load_si512(lanes + 3));
  return _mm512_test_epi64_mask(_mm512_or_si512(low, high), wanted) != 0;
}

/// True when every lane's [address, address + width) lies in [base, end).
[[gnu::always_inline]] inline bool all_inside(const u64* address, u64 base, u64 end, u32 width) {
  if (end - base < width) return false;
  const __m512i first = _mm512_set1_epi64(static_cast<s64>(base));
  const __m512i last = _mm512_set1_epi64(static_cast<s64>(end - base - width));
  unsigned outside = 0;
  for (int i = 0; i < kWarpSize; i += 8) {
    const __m512i place = _mm512_sub_epi64(_mm512_load_si512(address + i), first);
    outside |= _mm512_cmpgt_epu64_mask(place, last);
  }
  return outside == 0;
}

/// True when lane i is at address[0] + i * width.
[[gnu::always_inline]] inline bool is_contiguous(const u64* address, u32 width) {
  const __m512i step = _mm512_mullo_epi32(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                          _mm512_set1_epi64(static_cast<s64>(width)));
  unsigned off = 0;
  for (int i = 0; i < kWarpSize; i += 8) {
    const u64 first = address[0] + static_cast<u64>(i) * width;
    const __m512i want = _mm512_add_epi64(_mm512_set1_epi64(static_cast<s64>(first)), step);
    off |= _mm512_cmpneq_epi64_mask(_mm512_load_si512(address + i), want);
  }
  return off == 0;
}

/// True when every lane's bytes lie in [base, end) of shared memory and are aligned to `width`.
[[gnu::always_inline]] inline bool all_good(const u32* offset, u32 base, u32 end, u32 width) {
  if (end - base < width) return false;
  const __m512i first = _mm512_set1_epi32(static_cast<s32>(base));
  const __m512i last = _mm512_set1_epi32(static_cast<s32>(end - base - width));
  const __m512i low = _mm512_load_si512(offset);
  const __m512i high = _mm512_load_si512(offset + 16);
  const unsigned outside = _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(low, first), last) |
                           _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(high, first), last);
  const __m512i bits = _mm512_set1_epi32(static_cast<s32>(width - 1));
  return (outside | _mm512_test_epi32_mask(_mm512_or_si512(low, high), bits)) == 0;
}

#else

[[gnu::always_inline]] inline bool any_has_bits(const u64* address, u64 bits) {
  u64 all = 0;
  for (int i = 0; i < kWarpSize; ++i) all |= address[i];
  return (all & bits) != 0;
}

[[gnu::always_inline]] inline bool all_inside(const u64* address, u64 base, u64 end, u32 width) {
  if (end - base < width) return false;
  const s64 last = static_cast<s64>(end - base - width);
  s64 outside = 0;  // negative once a lane is before the base or after the last place
  for (int i = 0; i < kWarpSize; ++i) {
    const s64 offset = static_cast<s64>(address[i] - base);
    outside |= offset | (last - offset);
  }
  return outside >= 0;
}

[[gnu::always_inline]] inline bool is_contiguous(const u64* address, u32 width) {
  u64 off = 0;
  for (u32 i = 0; i < kWarpSize; ++i) off |= address[i] ^ (address[0] + u64{i} * width);
  return off == 0;
}

[[gnu::always_inline]] inline bool all_good(const u32* offset, u32 base, u32 end, u32 width) {
  if (end - base < width) return false;
  const s32 last = static_cast<s32>(end - base - width);
  s32 outside = 0;
  u32 bits = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const s32 place = static_cast<s32>(offset[i] - base);
    outside |= place | (last - place);
    bits |= offset[i];
  }
  return outside >= 0 && (bits & (width - 1)) == 0;
}

#endif

/// How the offsets of 16 neighbouring lanes lie. Tiles make the lanes of half a warp read one word
/// (a row's element) or consecutive ones (a column's), and both are far cheaper than a gather.
enum class HalfPattern { scattered, consecutive, same };

/// @param offset  of 16 lanes, in bytes; consecutive ones are 4 apart
[[gnu::always_inline]] inline HalfPattern half_pattern(const u32* offset) {
#if defined(__AVX512F__)
  const __m512i lanes = _mm512_load_si512(offset);
  const __m512i first = _mm512_set1_epi32(static_cast<s32>(offset[0]));
  if (_mm512_cmpneq_epi32_mask(lanes, first) == 0) return HalfPattern::same;
  const __m512i step =
      _mm512_set_epi32(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
  return _mm512_cmpneq_epi32_mask(lanes, _mm512_add_epi32(first, step)) == 0
             ? HalfPattern::consecutive
             : HalfPattern::scattered;
#else
  u32 not_same = 0, not_consecutive = 0;
  for (u32 i = 0; i < 16; ++i) {
    not_same |= offset[i] ^ offset[0];
    not_consecutive |= offset[i] ^ (offset[0] + 4 * i);
  }
  if (not_same == 0) return HalfPattern::same;
  return not_consecutive == 0 ? HalfPattern::consecutive : HalfPattern::scattered;
#endif
}

}  // namespace warpsim::WARPSIM_SIMD
