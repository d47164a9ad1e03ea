#pragma once

// Questions about the addresses of a warp's 32 lanes that memory instructions ask on their fast
// paths: answered with vector masks where AVX-512 has them, elsewhere by loops that the compiler
// vectorises.

#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/lane_shape.h"

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

#if defined(__AVX512F__)
/// Replaces the words of some of 16 lanes. A store of all of them, as the instruction that reads
/// them next would have to wait for one under a mask.
[[gnu::always_inline]] inline void replace_words(u32* d, u32 lanes, const std::byte* from) {
  const __m512i all =
      _mm512_mask_loadu_epi32(_mm512_load_si512(d), static_cast<__mmask16>(lanes), from);
  _mm512_store_si512(d, all);
}
#endif

/// Loads a word a lane from where the shape says, counted from `first`. Half-warps that read one
/// word (a row of a tile) or consecutive ones (its column) are far cheaper than a gather.
[[gnu::always_inline]] inline void load_words(u32* d, const std::byte* first,
                                              const LaneShape& shape) {
#if defined(__AVX512F__)
  if (shape.one_row) [[likely]] {
    const std::byte* const from = first + shape.origin[0];
    replace_words(d, shape.mask & 0xffff, from);
    replace_words(d + 16, shape.mask >> 16, from + 64);
    return;
  }
#endif
  for (int h = 0; h < 2; ++h, d += 16) {
    const u32 active = (shape.mask >> (16 * h)) & 0xffff;
    const std::byte* const from = first + shape.origin[h];
    const u32* const relative = shape.relative + 16 * h;
    static_cast<void>(relative);
    switch (shape.half[h]) {
      case LaneShape::Half::none:
        break;
      case LaneShape::Half::same: {
        u32 word;
        __builtin_memcpy(&word, from, sizeof word);
#if defined(__AVX512F__)
        if (active == 0xffff) [[likely]] {
          _mm512_store_si512(d, _mm512_set1_epi32(static_cast<s32>(word)));
        } else {
          _mm512_mask_store_epi32(d, static_cast<__mmask16>(active),
                                  _mm512_set1_epi32(static_cast<s32>(word)));
        }
#else
        if (active == 0xffff) {
          for (int i = 0; i < 16; ++i) d[i] = word;
        } else {
          for_each_lane(active, [&](int i) { d[i] = word; });
        }
#endif
        break;
      }
      case LaneShape::Half::row:
#if defined(__AVX512F__)
        if (active == 0xffff) [[likely]] {
          _mm512_store_si512(d, _mm512_loadu_si512(from));
        } else {
          replace_words(d, active, from);
        }
#else
        if (active == 0xffff) {
          __builtin_memcpy(d, from, 64);
        } else {
          for_each_lane(active, [&](int i) { __builtin_memcpy(d + i, from + 4 * i, 4); });
        }
#endif
        break;
      case LaneShape::Half::scattered:
#if defined(__AVX512F__)
        _mm512_store_si512(
            d, _mm512_mask_i32gather_epi32(_mm512_load_si512(d), static_cast<__mmask16>(active),
                                           _mm512_load_si512(relative), first, 1));
#else
        for_each_lane(active, [&](int i) {
          __builtin_memcpy(d + i, first + static_cast<s32>(relative[i]), 4);
        });
#endif
        break;
    }
  }
}

/// Stores a word a lane. Where lanes meet, the highest one's stays.
[[gnu::always_inline]] inline void store_words(const u32* s, std::byte* first,
                                               const LaneShape& shape) {
#if defined(__AVX512F__)
  if (shape.one_row) [[likely]] {
    std::byte* const to = first + shape.origin[0];
    _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(shape.mask), _mm512_load_si512(s));
    _mm512_mask_storeu_epi32(to + 64, static_cast<__mmask16>(shape.mask >> 16),
                             _mm512_load_si512(s + 16));
    return;
  }
#endif
  for (int h = 0; h < 2; ++h, s += 16) {
    const u32 active = (shape.mask >> (16 * h)) & 0xffff;
    if (shape.half[h] == LaneShape::Half::row) {
      std::byte* const to = first + shape.origin[h];
#if defined(__AVX512F__)
      _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(active), _mm512_load_si512(s));
#else
      if (active == 0xffff) {
        __builtin_memcpy(to, s, 64);
      } else {
        for_each_lane(active, [&](int i) { __builtin_memcpy(to + 4 * i, s + i, 4); });
      }
#endif
    } else {
      const u32* const relative = shape.relative + 16 * h;
      for_each_lane(active, [&](int i) {
        __builtin_memcpy(first + static_cast<s32>(relative[i]), s + i, 4);
      });
    }
  }
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
  if (shape.is_row(width)) {
    __builtin_memset(first, 1, std::size_t{kWarpSize} * width);
    return;
  }
  for_each_lane(shape.mask, [&](int i) {
    __builtin_memset(first + static_cast<s32>(shape.relative[i]), 1, width);
  });
}

}  // namespace warpsim::WARPSIM_SIMD
