#pragma once

// Words between a warp's registers and where a shape says that its 32 lanes' memory is.

#include "emulator/isa/handlers/lane_patterns.h"

namespace warpsim::WARPSIM_SIMD {

#if defined(__AVX512F__)
/// Replaces the words of some of 16 lanes. A store of all of them, as the instruction that reads
/// them next would have to wait for one under a mask.
[[gnu::always_inline]] inline void replace_half(u32* d, u32 lanes, const std::byte* from) {
  const __m512i all =
      _mm512_mask_loadu_epi32(_mm512_load_si512(d), static_cast<__mmask16>(lanes), from);
  _mm512_store_si512(d, all);
}

/// Loads a word for each of some lanes, of a row that begins with lane 0's.
[[gnu::always_inline]] inline void load_row(u32* d, u32 lanes, const std::byte* from) {
  if (lanes == kFullMask) [[likely]] {
    _mm512_store_si512(d, _mm512_loadu_si512(from));
    _mm512_store_si512(d + 16, _mm512_loadu_si512(from + 64));
    return;
  }
  replace_half(d, lanes & 0xffff, from);
  replace_half(d + 16, lanes >> 16, from + 64);
}

/// Stores a word for each of some lanes, as a row.
[[gnu::always_inline]] inline void store_row(std::byte* to, u32 lanes, const u32* s) {
  if (lanes == kFullMask) [[likely]] {
    _mm512_storeu_si512(to, _mm512_load_si512(s));
    _mm512_storeu_si512(to + 64, _mm512_load_si512(s + 16));
    return;
  }
  _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(lanes), _mm512_load_si512(s));
  _mm512_mask_storeu_epi32(to + 64, static_cast<__mmask16>(lanes >> 16), _mm512_load_si512(s + 16));
}
#elif defined(__AVX2__)
/// As with AVX-512. Most masks of a part of a warp are of its first lanes.
[[gnu::always_inline]] inline void load_row(u32* d, u32 lanes, const std::byte* from) {
  const auto put = [&](int i, __m256i words) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(d + i), words);
  };
  if (lanes == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; i += 8) put(i, eight_words(from + 4 * i));
    return;
  }
  for (int i = 0; i < kWarpSize && lanes >> i != 0; i += 8) {
    const __m256i some = words_of(lanes, i);
    const __m256i words = _mm256_maskload_epi32(reinterpret_cast<const int*>(from + 4 * i), some);
    put(i, _mm256_blendv_epi8(eight_words(d + i), words, some));
  }
}

[[gnu::always_inline]] inline void store_row(std::byte* to, u32 lanes, const u32* s) {
  if (lanes == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; i += 8) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 4 * i), eight_words(s + i));
    }
    return;
  }
  for (int i = 0; i < kWarpSize && lanes >> i != 0; i += 8) {
    _mm256_maskstore_epi32(reinterpret_cast<int*>(to + 4 * i), words_of(lanes, i),
                           eight_words(s + i));
  }
}
#else
[[gnu::always_inline]] inline void load_row(u32* d, u32 lanes, const std::byte* from) {
  if (lanes == kFullMask) [[likely]] {
    __builtin_memcpy(d, from, 128);
  } else {
    for_each_lane(lanes, [&](int i) { __builtin_memcpy(d + i, from + 4 * i, 4); });
  }
}

[[gnu::always_inline]] inline void store_row(std::byte* to, u32 lanes, const u32* s) {
  if (lanes == kFullMask) [[likely]] {
    __builtin_memcpy(to, s, 128);
  } else {
    for_each_lane(lanes, [&](int i) { __builtin_memcpy(to + 4 * i, s + i, 4); });
  }
}
#endif

/// Loads a word per lane from where the shape says, counted from `first`. Half-warps that read one
/// word (a row of a tile) or consecutive ones (its column) are far cheaper than a gather.
[[gnu::always_inline]] inline void load_halves(u32* d, const std::byte* first,
                                               const LaneShape& shape) {
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
        if (active == 0xffff) [[likely]] {
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
          replace_half(d, active, from);
        }
#else
        if (active == 0xffff) [[likely]] {
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

/// Stores a word per lane. Where lanes meet, the highest one's stays.
[[gnu::always_inline]] inline void store_halves(const u32* s, std::byte* first,
                                                const LaneShape& shape) {
  for (int h = 0; h < 2; ++h, s += 16) {
    const u32 active = (shape.mask >> (16 * h)) & 0xffff;
    if (shape.half[h] == LaneShape::Half::row) {
      std::byte* const to = first + shape.origin[h];
#if defined(__AVX512F__)
      _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(active), _mm512_load_si512(s));
#else
      if (active == 0xffff) [[likely]] {
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

}  // namespace warpsim::WARPSIM_SIMD
