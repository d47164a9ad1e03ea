#pragma once

// Distributions of cuRAND's device functions. Uniform numbers are in (0, 1]; normal numbers come in
// pairs (Box and Muller, 1958), of which the second one is kept for the next call.

namespace warpgrade_cuda {

/// Of 32 bits: the middles of 2^32 intervals.
WARPGRADE_DEVICE float unit_float(unsigned bits) {
  return __fmaf_rn((float)bits, 0x1p-32f, 0x1p-33f);
}
/// Of 53 bits.
WARPGRADE_DEVICE double unit_double(unsigned low, unsigned high) {
  const unsigned long long bits = (unsigned long long)low ^ (unsigned long long)high << 21;
  return __fma_rn((double)bits, 0x1p-53, 0x1p-54);
}

/// Sine and cosine are the fast approximations, as in cuRAND.
WARPGRADE_DEVICE float2 box_muller(float radius, float angle) {
  const float length = __fsqrt_rn(-2.0f * logf(radius));
  return float2{length * __sinf(angle), length * __cosf(angle)};
}
/// @param angle  in multiples of pi
WARPGRADE_DEVICE double2 box_muller(double radius, double angle) {
  const double length = sqrt(-2.0 * log(radius));
  return double2{length * sinpi(angle), length * cospi(angle)};
}

template <class State>
WARPGRADE_DEVICE float2 normal_pair(State* state) {
  const unsigned x = curand(state), y = curand(state);
  constexpr float kTurn = 6.2831855f * 0x1p-32f;  // 2 pi
  return box_muller(unit_float(x), __fmaf_rn((float)y, kTurn, kTurn / 2));
}
template <class State>
WARPGRADE_DEVICE double2 normal_pair_double(State* state) {
  const unsigned x_low = curand(state), x_high = curand(state);
  const unsigned y_low = curand(state), y_high = curand(state);
  return box_muller(unit_double(x_low, x_high), 2 * unit_double(y_low, y_high));
}
/// Numbers of MRG32k3a always have 32 bits.
WARPGRADE_DEVICE double mrg_unit(curandStateMRG32k3a* state) {
  return mrg_number(state) * 2.3283065498378288e-10;
}
WARPGRADE_DEVICE float2 normal_pair(curandStateMRG32k3a* state) {
  const float x = (float)mrg_unit(state), y = (float)mrg_unit(state);
  return box_muller(x, y * 6.2831855f);
}
WARPGRADE_DEVICE double2 normal_pair_double(curandStateMRG32k3a* state) {
  const double x = mrg_unit(state), y = mrg_unit(state);
  return box_muller(x, 2 * y);
}

}  // namespace warpgrade_cuda

template <class State>
WARPGRADE_DEVICE float curand_uniform(State* state) {
  return warpgrade_cuda::unit_float(curand(state));
}
template <class State>
WARPGRADE_DEVICE double curand_uniform_double(State* state) {
  const unsigned low = curand(state), high = curand(state);
  return warpgrade_cuda::unit_double(low, high);
}
WARPGRADE_DEVICE float curand_uniform(curandStateMRG32k3a_t* state) {
  return (float)warpgrade_cuda::mrg_unit(state);
}
WARPGRADE_DEVICE double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return warpgrade_cuda::mrg_unit(state);
}
WARPGRADE_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return ((double)curand(state) + 1) * 0x1p-32;
}
WARPGRADE_DEVICE double curand_uniform_double(curandStateSobol32_t* state) {
  return ((double)curand(state) + 1) * 0x1p-32;
}
WARPGRADE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return float4{warpgrade_cuda::unit_float(bits.x), warpgrade_cuda::unit_float(bits.y),
                warpgrade_cuda::unit_float(bits.z), warpgrade_cuda::unit_float(bits.w)};
}
WARPGRADE_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return double2{warpgrade_cuda::unit_double(bits.x, bits.y),
                 warpgrade_cuda::unit_double(bits.z, bits.w)};
}

template <class State>
WARPGRADE_DEVICE float2 curand_normal2(State* state) {
  return warpgrade_cuda::normal_pair(state);
}
template <class State>
WARPGRADE_DEVICE double2 curand_normal2_double(State* state) {
  return warpgrade_cuda::normal_pair_double(state);
}

namespace warpgrade_cuda {

/// Which distribution's number is kept.
enum Kept : int { kKeptNone, kKeptNormal, kKeptLogNormal };
/// The first of a pair of numbers, or the second one of the same distribution's last pair. A call
/// of another distribution drops it, as in cuRAND.
template <class T, class Draw>
WARPGRADE_DEVICE T one_of_pair(int& kept, T& second, Kept kind, Draw draw) {
  if (kept == kind) {
    kept = kKeptNone;
    return second;
  }
  kept = kind;
  const auto pair = draw();
  second = pair.y;
  return pair.x;
}

}  // namespace warpgrade_cuda

template <class State>
WARPGRADE_DEVICE float curand_normal(State* state) {
  return warpgrade_cuda::one_of_pair(state->kept, state->kept_value, warpgrade_cuda::kKeptNormal,
                                     [&] { return curand_normal2(state); });
}
template <class State>
WARPGRADE_DEVICE double curand_normal_double(State* state) {
  return warpgrade_cuda::one_of_pair(state->kept_double, state->kept_value_double,
                                     warpgrade_cuda::kKeptNormal,
                                     [&] { return curand_normal2_double(state); });
}
// Quasi-random points must not be drawn in pairs, so use the inverse of the distribution.
WARPGRADE_DEVICE float curand_normal(curandStateSobol32_t* state) {
  return normcdfinvf(curand_uniform(state));
}
WARPGRADE_DEVICE double curand_normal_double(curandStateSobol32_t* state) {
  return normcdfinv(curand_uniform_double(state));
}
WARPGRADE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 first = curand_normal2(state), second = curand_normal2(state);
  return float4{first.x, first.y, second.x, second.y};
}

template <class State>
WARPGRADE_DEVICE float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return float2{expf(__fmaf_rn(deviation, pair.x, mean)), expf(__fmaf_rn(deviation, pair.y, mean))};
}
template <class State>
WARPGRADE_DEVICE double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return double2{exp(__fma_rn(deviation, pair.x, mean)), exp(__fma_rn(deviation, pair.y, mean))};
}
template <class State>
WARPGRADE_DEVICE float curand_log_normal(State* state, float mean, float deviation) {
  return warpgrade_cuda::one_of_pair(state->kept, state->kept_value, warpgrade_cuda::kKeptLogNormal,
                                     [&] { return curand_log_normal2(state, mean, deviation); });
}
template <class State>
WARPGRADE_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {
  return warpgrade_cuda::one_of_pair(
      state->kept_double, state->kept_value_double, warpgrade_cuda::kKeptLogNormal,
      [&] { return curand_log_normal2_double(state, mean, deviation); });
}
// Not in pairs, as above.
WARPGRADE_DEVICE float curand_log_normal(curandStateSobol32_t* state, float mean, float deviation) {
  return expf(__fmaf_rn(deviation, curand_normal(state), mean));
}
WARPGRADE_DEVICE double curand_log_normal_double(curandStateSobol32_t* state, double mean,
                                                 double deviation) {
  return exp(__fma_rn(deviation, curand_normal_double(state), mean));
}
WARPGRADE_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean,
                                           float deviation) {
  const float2 first = curand_log_normal2(state, mean, deviation);
  const float2 second = curand_log_normal2(state, mean, deviation);
  return float4{first.x, first.y, second.x, second.y};
}

namespace warpgrade_cuda {

/// W. Hormann, "The transformed rejection method for generating Poisson random variables", 1993,
/// algorithm PTRS: for means of 10 and more.
template <class State>
WARPGRADE_DEVICE unsigned poisson_by_rejection(State* state, double mean) {
  const double root = sqrt(mean), log_mean = log(mean);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    const double distance = 0.5 - fabs(u);
    const double k = floor((2 * a / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= v_r) return (unsigned)k;
    if (k < 0 || distance <= 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v) + log(inverse_alpha) - log(a / (distance * distance) + b) <=
        k * log_mean - mean - lgamma(k + 1)) {
      return (unsigned)k;
    }
  }
}

}  // namespace warpgrade_cuda

/// Below a mean of 64 by D. Knuth's product of uniform numbers, above 4000 rounded normal numbers.
template <class State>
WARPGRADE_DEVICE unsigned curand_poisson(State* state, double mean) {
  if (mean < 64) {
    unsigned count = 0;
    for (float product = expf((float)mean); true; ++count) {
      product *= curand_uniform(state);
      if (!(product > 1.0f)) return count;
    }
  }
  if (mean > 4000) return (unsigned)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
  return warpgrade_cuda::poisson_by_rejection(state, mean);
}
WARPGRADE_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
  const unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean);
  const unsigned z = curand_poisson(state, mean), w = curand_poisson(state, mean);
  return uint4{x, y, z, w};
}
