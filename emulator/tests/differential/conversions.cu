#include <cfenv>
#include <cmath>

#include "emulator/tests/differential/map.h"
#include "emulator/tests/differential/rounding.h"

// Conversions between every pair of scalar types, and the intrinsics that name a rounding mode.

namespace differential {
namespace {

using ScalarTypes = Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                          std::uint32_t, std::int64_t, std::uint64_t, float, double>;

/// static_cast, where C++ defines it: a float outside of the integer's range has no value there.
template <class To>
struct Cast {
  template <class From>
  static bool valid(From a) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      const long double whole = std::trunc((long double)(a));
      return whole >= (long double)(std::numeric_limits<To>::min()) &&
             whole <= (long double)(std::numeric_limits<To>::max());
    }
    return true;
  }
  template <class From>
  __host__ __device__ To operator()(From a) const {
    return static_cast<To>(a);
  }
};

/// The model of cvt.rXi.<integer>.<float>: round, then clamp. NaN becomes 0 from 32 to 32 bits, and
/// the most significant bit alone where either side has 64 (as measured on compute capability 9.0).
template <class To, class From>
To saturate(From a, int mode) {
  if (std::isnan(a)) {
    const bool narrow = sizeof(To) == 4 && sizeof(From) == 4;
    return narrow ? To(0) : To(std::uint64_t{1} << (sizeof(To) * 8 - 1));
  }
  const From whole = round_to_integer(a, mode);
  using Limits = std::numeric_limits<To>;
  if ((long double)(whole) <= (long double)(Limits::min())) return Limits::min();
  if ((long double)(whole) >= (long double)(Limits::max())) return Limits::max();
  return To(whole);
}

#define TO_INTEGER(Name, To, From, intrinsic, mode)                       \
  struct Name {                                                           \
    __host__ __device__ To operator()(From a) const {                     \
      return DEVICE_OR_HOST(intrinsic(a), (saturate<To, From>(a, mode))); \
    }                                                                     \
  };

#define TO_INTEGER_ALL_MODES(Name, To, From, intrinsic)             \
  TO_INTEGER(Name##Nearest, To, From, intrinsic##_rn, FE_TONEAREST) \
  TO_INTEGER(Name##Zero, To, From, intrinsic##_rz, FE_TOWARDZERO)   \
  TO_INTEGER(Name##Down, To, From, intrinsic##_rd, FE_DOWNWARD)     \
  TO_INTEGER(Name##Up, To, From, intrinsic##_ru, FE_UPWARD)

TO_INTEGER_ALL_MODES(FloatToS32, std::int32_t, float, __float2int)
TO_INTEGER_ALL_MODES(FloatToU32, std::uint32_t, float, __float2uint)
TO_INTEGER_ALL_MODES(FloatToS64, std::int64_t, float, __float2ll)
TO_INTEGER_ALL_MODES(FloatToU64, std::uint64_t, float, __float2ull)
TO_INTEGER_ALL_MODES(DoubleToS32, std::int32_t, double, __double2int)
TO_INTEGER_ALL_MODES(DoubleToU32, std::uint32_t, double, __double2uint)
TO_INTEGER_ALL_MODES(DoubleToS64, std::int64_t, double, __double2ll)
TO_INTEGER_ALL_MODES(DoubleToU64, std::uint64_t, double, __double2ull)

template <class To, int Mode, class From>
To cast_rounded(From a) {
  return with_rounding<Mode, To>([](From x) { return static_cast<To>(x); }, a);
}

#define TO_FLOAT(Name, To, From, intrinsic, mode)                       \
  struct Name {                                                         \
    __host__ __device__ To operator()(From a) const {                   \
      return DEVICE_OR_HOST(intrinsic(a), (cast_rounded<To, mode>(a))); \
    }                                                                   \
  };

#define TO_FLOAT_ALL_MODES(Name, To, From, intrinsic)             \
  TO_FLOAT(Name##Nearest, To, From, intrinsic##_rn, FE_TONEAREST) \
  TO_FLOAT(Name##Zero, To, From, intrinsic##_rz, FE_TOWARDZERO)   \
  TO_FLOAT(Name##Down, To, From, intrinsic##_rd, FE_DOWNWARD)     \
  TO_FLOAT(Name##Up, To, From, intrinsic##_ru, FE_UPWARD)

TO_FLOAT_ALL_MODES(S32ToFloat, float, std::int32_t, __int2float)
TO_FLOAT_ALL_MODES(U32ToFloat, float, std::uint32_t, __uint2float)
TO_FLOAT_ALL_MODES(S64ToFloat, float, std::int64_t, __ll2float)
TO_FLOAT_ALL_MODES(S64ToDouble, double, std::int64_t, __ll2double)
TO_FLOAT_ALL_MODES(DoubleToFloat, float, double, __double2float)

struct FloatBits {
  static bool valid(float a) { return a == a; }
  __host__ __device__ std::int32_t operator()(float a) const {
#ifdef __CUDA_ARCH__
    return __float_as_int(a);
#else
    std::int32_t out;
    std::memcpy(&out, &a, 4);
    return out;
#endif
  }
};

struct BitsToFloat {
  static bool valid(std::int32_t a) { return (a & 0x7fffffff) <= 0x7f800000; }
  __host__ __device__ float operator()(std::int32_t a) const {
#ifdef __CUDA_ARCH__
    return __int_as_float(a);
#else
    float out;
    std::memcpy(&out, &a, 4);
    return out;
#endif
  }
};

struct DoubleHalves {
  static bool valid(double a) { return a == a; }
  __host__ __device__ std::int32_t operator()(double a) const {
#ifdef __CUDA_ARCH__
    return __double2hiint(a) ^ __double2loint(a) * 3;
#else
    std::int64_t bits;
    std::memcpy(&bits, &a, 8);
    return std::int32_t(bits >> 32) ^ std::int32_t(bits) * 3;
#endif
  }
};

struct HalvesToDouble {
  static bool valid(std::int32_t high, std::int32_t) { return (high & 0x7ff00000) != 0x7ff00000; }
  __host__ __device__ double operator()(std::int32_t high, std::int32_t low) const {
#ifdef __CUDA_ARCH__
    return __hiloint2double(high, low);
#else
    const std::uint64_t bits = std::uint64_t(std::uint32_t(high)) << 32 | std::uint32_t(low);
    double out;
    std::memcpy(&out, &bits, 8);
    return out;
#endif
  }
};

template <class T>
struct ToBool {
  __host__ __device__ bool operator()(T a) const { return static_cast<bool>(a); }
};

}  // namespace

void register_cases(Suite& suite) {
  for_each_type(ScalarTypes{}, [&]<class To>() {
    for_each_type(ScalarTypes{}, [&]<class From>() {
      if constexpr (!std::is_same_v<To, From>) {
        add_map<Cast<To>, From>(
            suite, std::string("cast ") + describe<From>()->name + " to " + describe<To>()->name);
      }
    });
  });
  add_map<ToBool<std::int64_t>, std::int64_t>(suite, "cast s64 to bool");
  add_map<ToBool<float>, float>(suite, "cast f32 to bool");

#define ADD_ALL_MODES(Name, From, text)                    \
  add_map<Name##Nearest, From>(suite, text " to nearest"); \
  add_map<Name##Zero, From>(suite, text " toward zero");   \
  add_map<Name##Down, From>(suite, text " down");          \
  add_map<Name##Up, From>(suite, text " up")

  ADD_ALL_MODES(FloatToS32, float, "saturate f32 to s32");
  ADD_ALL_MODES(FloatToU32, float, "saturate f32 to u32");
  ADD_ALL_MODES(FloatToS64, float, "saturate f32 to s64");
  ADD_ALL_MODES(FloatToU64, float, "saturate f32 to u64");
  ADD_ALL_MODES(DoubleToS32, double, "saturate f64 to s32");
  ADD_ALL_MODES(DoubleToU32, double, "saturate f64 to u32");
  ADD_ALL_MODES(DoubleToS64, double, "saturate f64 to s64");
  ADD_ALL_MODES(DoubleToU64, double, "saturate f64 to u64");
  ADD_ALL_MODES(S32ToFloat, std::int32_t, "round s32 to f32");
  ADD_ALL_MODES(U32ToFloat, std::uint32_t, "round u32 to f32");
  ADD_ALL_MODES(S64ToFloat, std::int64_t, "round s64 to f32");
  ADD_ALL_MODES(S64ToDouble, std::int64_t, "round s64 to f64");
  ADD_ALL_MODES(DoubleToFloat, double, "round f64 to f32");
#undef ADD_ALL_MODES

  add_map<FloatBits, float>(suite, "bits of f32");
  add_map<BitsToFloat, std::int32_t>(suite, "f32 from bits");
  add_map<DoubleHalves, double>(suite, "halves of f64");
  add_map<HalvesToDouble, std::int32_t, std::int32_t>(suite, "f64 from halves");
}

}  // namespace differential
