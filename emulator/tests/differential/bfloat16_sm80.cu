#include <cuda_bf16.h>

#include <bit>

#include "emulator/tests/differential/half_model.h"
#include "emulator/tests/differential/map.h"

// bfloat16: add, subtract, multiply and fma round the exact result once, on every architecture.

namespace differential {

template <>
struct Described<__nv_bfloat16> {
  using Tag = Bf16Tag;
};

namespace {

using Bf16 = Format16<7>;

double wide(__nv_bfloat16 a) {
  return Bf16::to_double(std::bit_cast<std::uint16_t>(a));
}

__nv_bfloat16 narrow(double a) {
  return std::bit_cast<__nv_bfloat16>(Bf16::from_double(a));
}

#define BF1(Name, device_f, model)                                        \
  struct Name {                                                           \
    __host__ __device__ __nv_bfloat16 operator()(__nv_bfloat16 a) const { \
      return DEVICE_OR_HOST(device_f, model);                             \
    }                                                                     \
  };

#define BF2(Name, device_f, model)                                                         \
  struct Name {                                                                            \
    __host__ __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b) const { \
      return DEVICE_OR_HOST(device_f, model);                                              \
    }                                                                                      \
  };

BF2(Add, __hadd(a, b), narrow(add_to_odd(wide(a), wide(b))))
BF2(Subtract, __hsub(a, b), narrow(add_to_odd(wide(a), -wide(b))))
BF2(Multiply, __hmul(a, b), narrow(wide(a) * wide(b)))
BF2(Minimum, __hmin(a, b), narrow(minimum(wide(a), wide(b))))
BF2(Maximum, __hmax(a, b), narrow(maximum(wide(a), wide(b))))
BF1(Negate, __hneg(a), narrow(-wide(a)))
BF1(AbsoluteValue, __habs(a), narrow(std::fabs(wide(a))))
BF1(Floor, hfloor(a), narrow(std::floor(wide(a))))
BF1(Truncate, htrunc(a), narrow(std::trunc(wide(a))))

struct Fused {
  __host__ __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b,
                                               __nv_bfloat16 c) const {
    return DEVICE_OR_HOST(__hfma(a, b, c), narrow(fma_to_odd(wide(a), wide(b), wide(c))));
  }
};

struct CompareBits {
  __host__ __device__ int operator()(__nv_bfloat16 a, __nv_bfloat16 b) const {
#ifdef __CUDA_ARCH__
    return int(__hlt(a, b)) | int(__hle(a, b)) << 1 | int(__heq(a, b)) << 2 |
           int(__hge(a, b)) << 3 | int(__hgt(a, b)) << 4 | int(__hneu(a, b)) << 5;
#else
    const double x = wide(a), y = wide(b);
    return int(x < y) | int(x <= y) << 1 | int(x == y) << 2 | int(x >= y) << 3 | int(x > y) << 4 |
           int(x != y) << 5;
#endif
  }
};

struct ToFloat {
  __host__ __device__ float operator()(__nv_bfloat16 a) const {
    return DEVICE_OR_HOST(__bfloat162float(a), float(wide(a)));
  }
};

struct FromFloat {
  __host__ __device__ __nv_bfloat16 operator()(float a) const {
    return DEVICE_OR_HOST(__float2bfloat16_rn(a), narrow(double(a)));
  }
};

struct FromInteger {
  __host__ __device__ __nv_bfloat16 operator()(std::int16_t a) const {
    return DEVICE_OR_HOST(__short2bfloat16_rn(a), narrow(double(a)));
  }
};

}  // namespace

void register_cases(Suite& suite) {
  using B = __nv_bfloat16;
  add_map<Add, B, B>(suite, "add bf16");
  add_map<Subtract, B, B>(suite, "subtract bf16");
  add_map<Multiply, B, B>(suite, "multiply bf16");
  add_map<Fused, B, B, B>(suite, "fused multiply-add bf16");
  add_map<Minimum, B, B>(suite, "minimum bf16");
  add_map<Maximum, B, B>(suite, "maximum bf16");
  add_map<Negate, B>(suite, "negate bf16");
  add_map<AbsoluteValue, B>(suite, "absolute value bf16");
  add_map<Floor, B>(suite, "floor bf16");
  add_map<Truncate, B>(suite, "trunc bf16");
  add_map<CompareBits, B, B>(suite, "all comparisons bf16");
  add_map<ToFloat, B>(suite, "bf16 to f32");
  add_map<FromFloat, float>(suite, "f32 to bf16");
  add_map<FromInteger, std::int16_t>(suite, "s16 to bf16");
}

}  // namespace differential
