#pragma once

// The frame of floating-point instructions: `.ftz` and `.sat`, NaN results, packed operands. An
// operation is a type with `kArity` and a static `apply` on float and double, or on bit patterns.

#include "emulator/isa/handlers/float_rounding.h"

namespace warpsim::WARPSIM_SIMD {

template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
  using type = F32;
};
template <>
struct FormatOf<double> {
  using type = F64;
};

template <class T>
[[gnu::always_inline]] inline T flush_value(T value) {
  using F = typename FormatOf<T>::type;
  return value_of<F>(flush<F>(bits_of<F>(value)));
}

[[gnu::always_inline]] inline float canonical_value(float value) {
  return value == value ? value : value_of<F32>(F32::kNan);
}

/// The NaN that f64 arithmetic returns: of its operands' the one that comes first among b, c, a.
[[gnu::always_inline]] inline double nan_of(double a) {
  return a == a ? value_of<F64>(F64::kNan) : value_of<F64>(returned_nan<F64>(bits_of<F64>(a)));
}
[[gnu::always_inline]] inline double nan_of(double a, double b) {
  return b == b ? nan_of(a) : nan_of(b);
}
[[gnu::always_inline]] inline double nan_of(double a, double b, double c) {
  return b == b ? nan_of(a, c) : nan_of(b);
}

/// Whether one of a register's 32 values is a NaN. One comparison looks at two values: they are
/// unordered when either is a NaN.
template <class T>
[[gnu::always_inline]] inline bool any_nan(const T* values) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return _mm512_cmp_ps_mask(_mm512_load_ps(values), _mm512_load_ps(values + 16), _CMP_UNORD_Q) !=
           0;
  } else {
    return (_mm512_cmp_pd_mask(_mm512_load_pd(values), _mm512_load_pd(values + 8), _CMP_UNORD_Q) |
            _mm512_cmp_pd_mask(_mm512_load_pd(values + 16), _mm512_load_pd(values + 24),
                               _CMP_UNORD_Q)) != 0;
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    const auto unordered = [&](int i) {
      return _mm256_cmp_ps(_mm256_load_ps(values + i), _mm256_load_ps(values + i + 8),
                           _CMP_UNORD_Q);
    };
    return _mm256_movemask_ps(_mm256_or_ps(unordered(0), unordered(16))) != 0;
  } else {
    const auto unordered = [&](int i) {
      return _mm256_cmp_pd(_mm256_load_pd(values + i), _mm256_load_pd(values + i + 4),
                           _CMP_UNORD_Q);
    };
    return _mm256_movemask_pd(_mm256_or_pd(_mm256_or_pd(unordered(0), unordered(8)),
                                           _mm256_or_pd(unordered(16), unordered(24)))) != 0;
  }
#else
  int unordered = 0;
  for (int i = 0; i < kWarpSize / 2; ++i) {
    unordered |= __builtin_isunordered(values[i], values[i + kWarpSize / 2]);
  }
  return unordered != 0;
#endif
}

[[gnu::noinline]] inline void make_nans_canonical(float* values) {
  for (int i = 0; i < kWarpSize; ++i) values[i] = canonical_value(values[i]);
}

/// `.sat`: into [0, 1]; NaN and -0 become +0.
template <class T>
[[gnu::always_inline]] inline T saturate(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

/// `.relu`: below zero, and -0, become +0; NaN stays.
template <class T>
[[gnu::always_inline]] inline T relu(T value) {
  return value <= T{0} ? T{0} : value;
}

/// `Op` on values, between what `.ftz` does to its inputs and what `.sat` and `.ftz` do to its
/// result. `raw` leaves a NaN as the host made it.
template <class Op, bool kFtz, bool kSat>
struct Framed {
  static constexpr int kArity = Op::kArity;

  template <class T>
  [[gnu::always_inline]] static T input(T value) {
    return kFtz ? flush_value(value) : value;
  }
  template <class T, class... Rest>
  [[gnu::always_inline]] static T raw(T a, Rest... rest) {
    const T value = Op::apply(input(a), input(rest)...);
    const T kept = kSat ? saturate(value) : value;
    return kFtz ? flush_value(kept) : kept;
  }
  /// What to return when raw's result is a NaN.
  template <class... Args>
  [[gnu::always_inline]] static float nan(float, Args...) {
    return value_of<F32>(F32::kNan);
  }
  template <class... Args>
  [[gnu::always_inline]] static double nan(double a, Args... rest) {
    if constexpr (requires { Op::nan(a, rest...); }) {
      return Op::nan(a, rest...);
    } else {
      return nan_of(a, rest...);
    }
  }
  template <class T, class... Rest>
  [[gnu::always_inline]] static T apply(T a, Rest... rest) {
    const T value = raw(a, rest...);
    return value == value ? value : nan(a, rest...);
  }
  /// Whether `.ftz` flushes floats' result. To be called while doubles round as is_tiny wants it.
  template <class... Args>
  [[gnu::always_inline]] static bool has_tiny_result(Rounding rounding, Args... args) {
    return is_tiny<F32>(rounding, Op::apply(static_cast<double>(input(args))...));
  }
};

/// `Op` on both floats of an f32x2.
template <class Op>
struct FloatPair {
  static constexpr int kArity = Op::kArity;
  template <class... Args>
  [[gnu::always_inline]] static u64 apply(Args... args) {
    const float low = Op::apply(value_of<F32>(static_cast<u32>(args))...);
    const float high = Op::apply(value_of<F32>(static_cast<u32>(args >> 32))...);
    return static_cast<u64>(bits_of<F32>(high)) << 32 | bits_of<F32>(low);
  }
};

/// `Op`, from u16 to u16, on both halves of an f16x2 or a bf16x2.
template <class Op>
struct HalfPair {
  static constexpr int kArity = Op::kArity;
  template <class... Args>
  [[gnu::always_inline]] static u32 apply(Args... args) {
    const u16 low = Op::apply(static_cast<u16>(args)...);
    const u16 high = Op::apply(static_cast<u16>(args >> 16)...);
    return static_cast<u32>(high) << 16 | low;
  }
};

/// Whether one of `kCount` floats is the smallest normal number, of either sign.
template <int kCount>
[[gnu::always_inline]] inline bool any_smallest_normal(const float* values) {
  u32 found = 0;
  for (int i = 0; i < kCount; ++i) {
    found |= magnitude<F32>(bits_of<F32>(values[i])) == F32::kSmallestNormal ? 1 : 0;
  }
  return found != 0;
}

/// The handler that runs `Op` on each lane's T.
template <class Op, class T>
const Inst* each_lane(Warp& w, const Inst& in) {
  if constexpr (Op::kArity == 1) {
    return unary<Op, T>(w, in);
  } else if constexpr (Op::kArity == 2) {
    return binary<Op, T>(w, in);
  } else {
    return ternary<Op, T>(w, in);
  }
}

/// As each_lane for a Framed operation on floats. Results are stored as they are and only looked at
/// again when one of them is a NaN: a select a lane would make fma half as slow again.
template <class Op>
const Inst* each_f32(Warp& w, const Inst& in) {
  if (w.active != kFullMask) [[unlikely]]
    return each_lane<Op, float>(w, in);
  if constexpr (Op::kArity == 1) {
    map1<float, float>(w, in, [](float a) { return Op::raw(a); });
  } else if constexpr (Op::kArity == 2) {
    map2<float, float, float>(w, in, [](float a, float b) { return Op::raw(a, b); });
  } else {
    map3<float, float, float, float>(w, in,
                                     [](float a, float b, float c) { return Op::raw(a, b, c); });
  }
  float* d = w.reg<float>(in.d);
  if (any_nan(d)) [[unlikely]]
    make_nans_canonical(d);
  return &in + 1;
}

/// f(i, operands...) for the T of an instruction's sources, `kCount` each.
template <class T, int kArity, int kCount, class F>
[[gnu::always_inline]] inline void each_operand(const Warp& w, const Inst& in, F f) {
  const T* a = w.reg<T>(in.a);
  if constexpr (kArity == 1) {
    for (int i = 0; i < kCount; ++i) f(i, a[i]);
  } else if constexpr (kArity == 2) {
    const T* b = w.reg<T>(in.b);
    for (int i = 0; i < kCount; ++i) f(i, a[i], b[i]);
  } else {
    const T* b = w.reg<T>(in.b);
    const T* c = w.reg<T>(in.c);
    for (int i = 0; i < kCount; ++i) f(i, a[i], b[i], c[i]);
  }
}

/// Replaces the host's NaNs among the results by what the operands' NaNs make of them.
template <class Op>
[[gnu::noinline]] void propagate_nans(const Warp& w, const Inst& in, double* results) {
  each_operand<double, Op::kArity, kWarpSize>(w, in, [&](int i, auto... args) {
    results[i] = results[i] == results[i] ? results[i] : Op::nan(args...);
  });
}

/// As each_f32 for doubles. Results are kept apart until the operands' NaNs have been looked at:
/// the destination may be one of the sources.
template <class Op>
const Inst* each_f64(Warp& w, const Inst& in) {
  if (w.active != kFullMask) [[unlikely]]
    return each_lane<Op, double>(w, in);
  alignas(64) double results[kWarpSize];
  each_operand<double, Op::kArity, kWarpSize>(
      w, in, [&](int i, auto... args) { results[i] = Op::raw(args...); });
  if (any_nan(results)) [[unlikely]]
    propagate_nans<Op>(w, in, results);
  double* d = w.reg<double>(in.d);
  for (int i = 0; i < kWarpSize; ++i) d[i] = results[i];
  return &in + 1;
}

/// Flushes the smallest normal numbers among the results that are it only because subnormal numbers
/// are so far apart.
template <class Op, int kCount>
[[gnu::noinline]] void flush_rounded_up(const Warp& w, const Inst& in, float* results) {
  const auto rounding = static_cast<Rounding>(in.aux);
  const RoundingScope scope(rounding == Rounding::nearest_even ? Rounding::zero : rounding);
  each_operand<float, Op::kArity, kCount>(w, in, [&](int i, auto... args) {
    const u32 bits = bits_of<F32>(results[i]);
    if (magnitude<F32>(bits) == F32::kSmallestNormal && Op::has_tiny_result(rounding, args...)) {
      results[i] = value_of<F32>(bits & F32::kSign);
    }
  });
}

/// As each_f32 with `.ftz` (`kParts` in a lane), where a tiny result may be inexact.
/// The smallest normal number is rare enough to look at its operands again, so results are kept
/// apart: the destination may be one of the sources.
template <class Op, int kParts>
const Inst* each_flushed(Warp& w, const Inst& in) {
  constexpr int kCount = kWarpSize * kParts;
  alignas(64) float results[kCount];
  each_operand<float, Op::kArity, kCount>(
      w, in, [&](int i, auto... args) { results[i] = Op::raw(args...); });
  if (any_smallest_normal<kCount>(results)) [[unlikely]]
    flush_rounded_up<Op, kCount>(w, in, results);
  for (int part = 0; part < kParts; ++part) {
    float* values = results + part * kWarpSize;
    if (any_nan(values)) [[unlikely]]
      make_nans_canonical(values);
  }
  float* d = w.reg<float>(in.d);
  if (w.active == kFullMask) [[likely]] {
    for (int i = 0; i < kCount; ++i) d[i] = results[i];
  } else {
    const u32 active = w.active;
    for (int i = 0; i < kCount; ++i) d[i] = (active >> (i / kParts)) & 1 ? results[i] : d[i];
  }
  return &in + 1;
}

/// Asks for `kArity` sources of `type` and the destination.
template <int kArity>
void bind_float_operands(Binder& b, Type type) {
  if constexpr (kArity == 1) {
    bind_operands(b, type);
  } else if constexpr (kArity == 2) {
    bind_operands(b, type, type);
  } else {
    bind_operands(b, type, type, type);
  }
}

/// Calls f.operator()<first>() with a run-time flag made a constant.
template <class F>
[[gnu::always_inline]] inline void with_flag(bool flag, F f) {
  if (flag) {
    f.template operator()<true>();
  } else {
    f.template operator()<false>();
  }
}

}  // namespace warpsim::WARPSIM_SIMD
