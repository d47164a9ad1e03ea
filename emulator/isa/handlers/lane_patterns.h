#pragma once

// Questions about the addresses of a warp's 32 lanes that memory instructions ask on their fast
// paths: answered with vector masks where AVX-512 has them, elsewhere by loops that the compiler
// vectorises.

#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/lane_shape.h"
#include "emulator/machine/written.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace warpsim::WARPSIM_SIMD {

#if defined(__AVX2__) && !defined(__AVX512F__)
/// Ones in the words of those of eight lanes, from `first` on, that are active.
[[gnu::always_inline]] inline __m256i words_of(u32 active, int first) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i all = _mm256_set1_epi32(static_cast<s32>(active >> first));
  return _mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit);
}

/// The same for the double words of four lanes.
[[gnu::always_inline]] inline __m256i double_words_of(u32 active, int first) {
  const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
  const __m256i all = _mm256_set1_epi64x(active >> first);
  return _mm256_cmpeq_epi64(_mm256_and_si256(all, bit), bit);
}

[[gnu::always_inline]] inline __m256i eight_words(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
#endif

/// True when the active lanes' values are as far from the first one's as the shape remembers.
[[gnu::always_inline]] inline bool same_shape(const u32* value, u32 active,
                                              const LaneShape& shape) {
  if (shape.mask != active) return false;
  const u32 first = value[std::countr_zero(active) & 31];
#if defined(__AVX512F__)
  const __m512i start = _mm512_set1_epi32(static_cast<s32>(first));
  unsigned off = 0;
  for (int i = 0; i < kWarpSize; i += 16) {
    const __m512i place = _mm512_sub_epi32(_mm512_load_si512(value + i), start);
    off |= _mm512_mask_cmpneq_epi32_mask(static_cast<__mmask16>(active >> i), place,
                                         _mm512_load_si512(shape.relative + i));
  }
  return off == 0;
#elif defined(__AVX2__)
  const __m256i start = _mm256_set1_epi32(static_cast<s32>(first));
  __m256i off = _mm256_setzero_si256();
  const auto off_eight = [&](int i) {
    const __m256i place = _mm256_sub_epi32(eight_words(value + i), start);
    return _mm256_xor_si256(place, eight_words(shape.relative + i));
  };
  if (active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; i += 8) off = _mm256_or_si256(off, off_eight(i));
  } else {
    for (int i = 0; i < kWarpSize && active >> i != 0; i += 8) {
      off = _mm256_or_si256(off, _mm256_and_si256(words_of(active, i), off_eight(i)));
    }
  }
  return _mm256_testz_si256(off, off) != 0;
#else
  u32 off = 0;
  if (active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; ++i) off |= (value[i] - first) ^ shape.relative[i];
  } else {
    for (int i = 0; i < kWarpSize; ++i) {
      off |= (active >> i) & 1 ? (value[i] - first) ^ shape.relative[i] : 0;
    }
  }
  return off == 0;
#endif
}

[[gnu::always_inline]] inline bool same_shape(const u64* value, u32 active,
                                              const LaneShape& shape) {
  if (shape.mask != active) return false;
  const u64 first = value[std::countr_zero(active) & 31];
#if defined(__AVX512F__)
  const __m512i start = _mm512_set1_epi64(static_cast<s64>(first));
  unsigned off = 0;
  for (int i = 0; i < kWarpSize; i += 8) {
    const __m256i relative =
        _mm256_load_si256(reinterpret_cast<const __m256i*>(shape.relative + i));
    const __m512i place = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(relative));
    off |= _mm512_mask_cmpneq_epi64_mask(static_cast<__mmask8>(active >> i), place,
                                         _mm512_load_si512(value + i));
  }
  return off == 0;
#elif defined(__AVX2__)
  const __m256i start = _mm256_set1_epi64x(static_cast<s64>(first));
  __m256i off = _mm256_setzero_si256();
  const auto off_four = [&](int i) {
    const __m128i* const relative = reinterpret_cast<const __m128i*>(shape.relative + i);
    const __m256i place = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm_load_si128(relative)));
    return _mm256_xor_si256(place, eight_words(value + i));
  };
  if (active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; i += 4) off = _mm256_or_si256(off, off_four(i));
  } else {
    for (int i = 0; i < kWarpSize && active >> i != 0; i += 4) {
      off = _mm256_or_si256(off, _mm256_and_si256(double_words_of(active, i), off_four(i)));
    }
  }
  return _mm256_testz_si256(off, off) != 0;
#else
  u64 off = 0;
  const auto off_lane = [&](int i) {
    return value[i] ^ (first + static_cast<u64>(s64{static_cast<s32>(shape.relative[i])}));
  };
  if (active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; ++i) off |= off_lane(i);
  } else {
    for (int i = 0; i < kWarpSize; ++i) off |= (active >> i) & 1 ? off_lane(i) : 0;
  }
  return off == 0;
#endif
}

/// True when the shadow of all that the lanes access is set; `first` is the first lane's.
[[gnu::always_inline]] inline bool shape_written(const std::uint8_t* first, const LaneShape& shape,
                                                 u32 width) {
  if (width != 4) {
    bool written = true;
    for_each_lane(shape.mask, [&](int i) {
      const std::uint8_t* const place = first + static_cast<s32>(shape.relative[i]);
      for (u32 k = 0; k < width; ++k) written = written && (place[k] & 1) != 0;
    });
    return written;
  }
  u32 all = ~u32{0};
  for (int h = 0; h < 2; ++h) {
    const u32 active = (shape.mask >> (16 * h)) & 0xffff;
    if (shape.half[h] == LaneShape::Half::same ||
        (shape.half[h] == LaneShape::Half::row && active == 0xffff)) {
      const int words = shape.half[h] == LaneShape::Half::row ? 16 : 1;
      const std::uint8_t* const from = first + shape.origin[h];
      for (int i = 0; i < words; ++i) {
        u32 four;
        __builtin_memcpy(&four, from + 4 * i, 4);
        all &= four;
      }
    } else {
      for_each_lane(active, [&](int i) {
        u32 four;
        __builtin_memcpy(&four, first + static_cast<s32>(shape.relative[16 * h + i]), 4);
        all &= four;
      });
    }
  }
  return (all & 0x01010101u) == 0x01010101u;
}

/// Marks what the lanes access as written.
[[gnu::always_inline]] inline void mark_shape(std::uint8_t* first, const LaneShape& shape,
                                              u32 width) {
  const int mark = written_by_store(width);
  if (shape.is_row(width)) {
    __builtin_memset(first, mark, std::size_t{kWarpSize} * width);
    return;
  }
  for_each_lane(shape.mask, [&](int i) {
    __builtin_memset(first + static_cast<s32>(shape.relative[i]), mark, width);
  });
}

}  // namespace warpsim::WARPSIM_SIMD
