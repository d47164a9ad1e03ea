#pragma once

// How handlers visit lanes. Included only by the per-level translation units of emulator/isa and
// emulator/machine/handlers: everything here lives in a namespace named after the SIMD level, so
// that code compiled for AVX-512 can never be picked by the linker for an older processor.

#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "emulator/isa/warp.h"

#ifndef WARPSIM_SIMD
#define WARPSIM_SIMD baseline
#endif

namespace warpsim::WARPSIM_SIMD {

/// d = f(a) in every active lane. Computing all lanes and blending is right for anything that
/// cannot fault on the host; integer division and memory need per-lane loops instead.
template <class D, class A, class F>
[[gnu::always_inline]] inline const Inst* map1(Warp& w, const Inst& in, F f) {
  D* d = w.reg<D>(in.d);
  const A* a = w.reg<A>(in.a);
  if (w.active == kFullMask) [[likely]] {
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i]);
  } else {
    const std::uint32_t m = w.active;
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = (m >> i) & 1 ? static_cast<D>(f(a[i])) : d[i];
  }
  return &in + 1;
}

/// d = f(a, b) in every active lane.
template <class D, class A, class B, class F>
[[gnu::always_inline]] inline const Inst* map2(Warp& w, const Inst& in, F f) {
  D* d = w.reg<D>(in.d);
  const A* a = w.reg<A>(in.a);
  const B* b = w.reg<B>(in.b);
  if (w.active == kFullMask) [[likely]] {
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i], b[i]);
  } else {
    const std::uint32_t m = w.active;
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = (m >> i) & 1 ? static_cast<D>(f(a[i], b[i])) : d[i];
  }
  return &in + 1;
}

/// d = f(a, b, c) in every active lane.
template <class D, class A, class B, class C, class F>
[[gnu::always_inline]] inline const Inst* map3(Warp& w, const Inst& in, F f) {
  D* d = w.reg<D>(in.d);
  const A* a = w.reg<A>(in.a);
  const B* b = w.reg<B>(in.b);
  const C* c = w.reg<C>(in.c);
  if (w.active == kFullMask) [[likely]] {
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i], b[i], c[i]);
  } else {
    const std::uint32_t m = w.active;
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i)
      d[i] = (m >> i) & 1 ? static_cast<D>(f(a[i], b[i], c[i])) : d[i];
  }
  return &in + 1;
}

/// Calls f(lane) for each active lane, lowest first.
template <class F>
[[gnu::always_inline]] inline void for_each_lane(std::uint32_t mask, F f) {
  while (mask) {
    f(__builtin_ctz(mask));
    mask &= mask - 1;
  }
}

/// The 32-bit mask whose bit i is flags[i] & 1.
[[gnu::always_inline]] inline std::uint32_t pack_mask(const std::uint8_t* flags) {
#if defined(__AVX2__)
  const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(v, 7)));
#else
  std::uint32_t mask = 0;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, flags + 8 * i, 8);
    // Gathers the low bit of each byte into the top byte of the product.
    mask |= static_cast<std::uint32_t>((eight * 0x0102040810204080ull) >> 56) << (8 * i);
  }
  return mask;
#endif
}

/// Lane mask of f(a, b) over all 32 lanes.
template <class A, class B, class F>
[[gnu::always_inline]] inline std::uint32_t compare(const A* a, const B* b, F f) {
#if defined(__AVX2__)
  if constexpr (sizeof(A) == 4) {
    std::uint32_t mask = 0;
    for (int i = 0; i < kWarpSize; i += 8) {
      alignas(32) std::int32_t words[8];
#pragma GCC ivdep
      for (int k = 0; k < 8; ++k) words[k] = f(a[i + k], b[i + k]) ? -1 : 0;
      const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
      const int signs = _mm256_movemask_ps(_mm256_castsi256_ps(eight));
      mask |= static_cast<std::uint32_t>(signs) << i;
    }
    return mask;
  }
#endif
  alignas(32) std::uint8_t flags[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) flags[i] = f(a[i], b[i]) ? 1 : 0;
  return pack_mask(flags);
}

/// Writes `value` to the active lanes' bits of a predicate slot and leaves the others alone.
[[gnu::always_inline]] inline void set_pred(Warp& w, std::int32_t slot, std::uint32_t value) {
  std::uint32_t& p = w.pred(slot);
  p = (p & ~w.active) | (value & w.active);
}

}  // namespace warpsim::WARPSIM_SIMD
