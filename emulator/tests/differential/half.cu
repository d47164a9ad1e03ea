#include <cuda_fp16.h>

#include <bit>

#include "emulator/tests/differential/half_model.h"
#include "emulator/tests/differential/map.h"

// Half precision: every operation is one rounding of the exact result.

namespace differential {

template <>
struct Described<__half> {
  using Tag = F16Tag;
};

namespace {

using F16 = Format16<10>;

double wide(__half a) {
  return F16::to_double(std::bit_cast<std::uint16_t>(a));
}

__half narrow(double a) {
  return std::bit_cast<__half>(F16::from_double(a));
}

__half clamp_to_unit(double a) {
  return narrow(a > 0 ? (a < 1 ? a : 1.0) : 0.0);
}

#define HALF1(Name, device_f, model)                        \
  struct Name {                                             \
    __host__ __device__ __half operator()(__half a) const { \
      return DEVICE_OR_HOST(device_f, model);               \
    }                                                       \
  };

#define HALF2(Name, device_f, model)                                  \
  struct Name {                                                       \
    __host__ __device__ __half operator()(__half a, __half b) const { \
      return DEVICE_OR_HOST(device_f, model);                         \
    }                                                                 \
  };

HALF2(Add, __hadd_rn(a, b), narrow(add_to_odd(wide(a), wide(b))))
HALF2(Subtract, __hsub_rn(a, b), narrow(add_to_odd(wide(a), -wide(b))))
HALF2(Multiply, __hmul_rn(a, b), narrow(wide(a) * wide(b)))
HALF2(Divide, __hdiv(a, b), narrow(wide(a) / wide(b)))
HALF2(Minimum, __hmin(a, b), narrow(minimum(wide(a), wide(b))))
HALF2(Maximum, __hmax(a, b), narrow(maximum(wide(a), wide(b))))
HALF1(Negate, __hneg(a), narrow(-wide(a)))
HALF1(AbsoluteValue, __habs(a), narrow(std::fabs(wide(a))))
HALF1(SquareRoot, hsqrt(a), narrow(std::sqrt(wide(a))))
HALF1(Floor, hfloor(a), narrow(std::floor(wide(a))))
HALF1(Ceiling, hceil(a), narrow(std::ceil(wide(a))))
HALF1(Truncate, htrunc(a), narrow(std::trunc(wide(a))))
HALF1(RoundToEven, hrint(a), narrow(std::nearbyint(wide(a))))

struct Fused {
  __host__ __device__ __half operator()(__half a, __half b, __half c) const {
    return DEVICE_OR_HOST(__hfma(a, b, c), narrow(fma_to_odd(wide(a), wide(b), wide(c))));
  }
};

struct FusedSaturated {
  __host__ __device__ __half operator()(__half a, __half b, __half c) const {
    return DEVICE_OR_HOST(__hfma_sat(a, b, c),
                          clamp_to_unit(fma_to_odd(wide(a), wide(b), wide(c))));
  }
};

struct CompareBits {
  __host__ __device__ int operator()(__half a, __half b) const {
#ifdef __CUDA_ARCH__
    return int(__hlt(a, b)) | int(__hle(a, b)) << 1 | int(__heq(a, b)) << 2 |
           int(__hne(a, b)) << 3 | int(__hge(a, b)) << 4 | int(__hgt(a, b)) << 5 |
           int(__hltu(a, b)) << 6 | int(__hequ(a, b)) << 7 | int(__hneu(a, b)) << 8 |
           int(__hisnan(a)) << 9;
#else
    const double x = wide(a), y = wide(b);
    const bool unordered = x != x || y != y;
    return int(x < y) | int(x <= y) << 1 | int(x == y) << 2 | int(!unordered && x != y) << 3 |
           int(x >= y) << 4 | int(x > y) << 5 | int(unordered || x < y) << 6 |
           int(unordered || x == y) << 7 | int(x != y) << 8 | int(x != x) << 9;
#endif
  }
};

struct ToFloat {
  __host__ __device__ float operator()(__half a) const {
    return DEVICE_OR_HOST(__half2float(a), float(wide(a)));
  }
};

struct FromFloat {
  __host__ __device__ __half operator()(float a) const {
    return DEVICE_OR_HOST(__float2half_rn(a), narrow(double(a)));
  }
};

struct FromDouble {
  __host__ __device__ __half operator()(double a) const {
    return DEVICE_OR_HOST(__double2half(a), narrow(a));
  }
};

struct ToInteger {
  static bool valid(__half a) { return std::fabs(wide(a)) <= 65504; }
  __host__ __device__ std::int32_t operator()(__half a) const {
    return DEVICE_OR_HOST(__half2int_rn(a), std::int32_t(std::nearbyint(wide(a))));
  }
};

struct FromInteger {
  __host__ __device__ __half operator()(std::int32_t a) const {
    return DEVICE_OR_HOST(__int2half_rn(a), narrow(double(a)));
  }
};

struct FromShort {
  __host__ __device__ __half operator()(std::int16_t a) const {
    return DEVICE_OR_HOST(__short2half_rn(a), narrow(double(a)));
  }
};

/// Two halves in a register, each lane of the pair on its own.
struct PairedFma {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b,
                                               std::uint32_t c) const {
#ifdef __CUDA_ARCH__
    __half2 x, y, z;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    memcpy(&z, &c, 4);
    const __half2 r = __hfma2(x, y, z);
    const bool low = __hisnan(__low2half(r)), high = __hisnan(__high2half(r));
    std::uint32_t out;
    memcpy(&out, &r, 4);
    // NaNs may differ in payload: only say that there is one.
    if (low) out = (out & 0xffff0000u) | 0x7fffu;
    if (high) out = (out & 0x0000ffffu) | 0x7fff0000u;
    return out;
#else
    std::uint32_t out = 0;
    for (int at = 0; at < 32; at += 16) {
      const auto part = [&](std::uint32_t word) {
        return F16::to_double(std::uint16_t(word >> at));
      };
      out |= std::uint32_t(F16::from_double(fma_to_odd(part(a), part(b), part(c)))) << at;
    }
    return out;
#endif
  }
};

}  // namespace

void register_cases(Suite& suite) {
  using H = __half;
  add_map<Add, H, H>(suite, "add f16");
  add_map<Subtract, H, H>(suite, "subtract f16");
  add_map<Multiply, H, H>(suite, "multiply f16");
  add_map<Divide, H, H>(suite, "divide f16");
  add_map<Fused, H, H, H>(suite, "fused multiply-add f16");
  add_map<FusedSaturated, H, H, H>(suite, "saturated fused multiply-add f16");
  add_map<Minimum, H, H>(suite, "minimum f16");
  add_map<Maximum, H, H>(suite, "maximum f16");
  add_map<Negate, H>(suite, "negate f16");
  add_map<AbsoluteValue, H>(suite, "absolute value f16");
  add_map<SquareRoot, H>(suite, "square root f16");
  add_map<Floor, H>(suite, "floor f16");
  add_map<Ceiling, H>(suite, "ceil f16");
  add_map<Truncate, H>(suite, "trunc f16");
  add_map<RoundToEven, H>(suite, "rint f16");
  add_map<CompareBits, H, H>(suite, "all comparisons f16");
  add_map<ToFloat, H>(suite, "f16 to f32");
  add_map<FromFloat, float>(suite, "f32 to f16");
  add_map<FromDouble, double>(suite, "f64 to f16");
  add_map<ToInteger, H>(suite, "f16 to s32");
  add_map<FromInteger, std::int32_t>(suite, "s32 to f16");
  add_map<FromShort, std::int16_t>(suite, "s16 to f16");
  add_map<PairedFma, std::uint32_t, std::uint32_t, std::uint32_t>(suite, "fma of f16 pairs");
}

}  // namespace differential
