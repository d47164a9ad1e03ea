#include "emulator/tests/differential/map.h"

// Integer arithmetic intrinsics of the CUDA Math API, and video (SIMD-in-a-word) ones. The host
// model is written from the API's description.

namespace differential {
namespace {

struct MultiplyHigh32 {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return DEVICE_OR_HOST(__mulhi(a, b), std::int32_t(std::int64_t(a) * b >> 32));
  }
};

struct MultiplyHighU32 {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__umulhi(a, b), std::uint32_t(std::uint64_t(a) * b >> 32));
  }
};

struct MultiplyHigh64 {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return DEVICE_OR_HOST(__mul64hi(a, b), std::int64_t((__int128)(a)*b >> 64));
  }
};

struct MultiplyHighU64 {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return DEVICE_OR_HOST(__umul64hi(a, b), std::uint64_t((unsigned __int128)(a)*b >> 64));
  }
};

// The low 24 bits of each operand count.
struct Multiply24 {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return DEVICE_OR_HOST(__mul24(a, b), std::int32_t(std::int64_t(a << 8 >> 8) * (b << 8 >> 8)));
  }
};

struct MultiplyU24 {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__umul24(a, b), (a & 0xffffff) * (b & 0xffffff));
  }
};

struct SumOfAbsoluteDifferences {
  __host__ __device__ std::uint32_t operator()(std::int32_t a, std::int32_t b,
                                               std::uint32_t c) const {
    return DEVICE_OR_HOST(__sad(a, b, c),
                          c + std::uint32_t(a > b ? std::int64_t(a) - b : std::int64_t(b) - a));
  }
};

struct SumOfAbsoluteDifferencesUnsigned {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b,
                                               std::uint32_t c) const {
    return DEVICE_OR_HOST(__usad(a, b, c), c + (a > b ? a - b : b - a));
  }
};

struct HalvingAdd {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return DEVICE_OR_HOST(__hadd(a, b), std::int32_t((std::int64_t(a) + b) >> 1));
  }
};

struct RoundedHalvingAdd {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return DEVICE_OR_HOST(__rhadd(a, b), std::int32_t((std::int64_t(a) + b + 1) >> 1));
  }
};

struct HalvingAddUnsigned {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__uhadd(a, b), std::uint32_t((std::uint64_t(a) + b) >> 1));
  }
};

struct RoundedHalvingAddUnsigned {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__urhadd(a, b), std::uint32_t((std::uint64_t(a) + b + 1) >> 1));
  }
};

// Byte i of a word, signed or unsigned.
template <class T>
__host__ std::int32_t byte_of(T word, int i) {
  if constexpr (std::is_signed_v<T>) return std::int8_t(std::uint32_t(word) >> (8 * i));
  return std::uint8_t(std::uint32_t(word) >> (8 * i));
}

template <class T>
__host__ std::int32_t half_of(T word, int i) {
  if constexpr (std::is_signed_v<T>) return std::int16_t(std::uint32_t(word) >> (16 * i));
  return std::uint16_t(std::uint32_t(word) >> (16 * i));
}

struct DotProduct4 {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b,
                                              std::int32_t c) const {
#ifdef __CUDA_ARCH__
    return __dp4a(a, b, c);
#else
    for (int i = 0; i < 4; ++i) c += byte_of(a, i) * byte_of(b, i);
    return c;
#endif
  }
};

struct DotProduct4Unsigned {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b,
                                               std::uint32_t c) const {
#ifdef __CUDA_ARCH__
    return __dp4a(a, b, c);
#else
    for (int i = 0; i < 4; ++i) c += std::uint32_t(byte_of(a, i) * byte_of(b, i));
    return c;
#endif
  }
};

struct DotProduct2Low {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b,
                                              std::int32_t c) const {
#ifdef __CUDA_ARCH__
    return __dp2a_lo(a, b, c);
#else
    for (int i = 0; i < 2; ++i) c += half_of(a, i) * byte_of(b, i);
    return c;
#endif
  }
};

struct DotProduct2HighUnsigned {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b,
                                               std::uint32_t c) const {
#ifdef __CUDA_ARCH__
    return __dp2a_hi(a, b, c);
#else
    for (int i = 0; i < 2; ++i)
      c += std::uint32_t(half_of(a, i)) * std::uint32_t(byte_of(b, 2 + i));
    return c;
#endif
  }
};

/// Applies a model to each byte (Bits 8) or half (Bits 16) of two words.
template <int Bits, class F>
__host__ std::uint32_t each_part(std::uint32_t a, std::uint32_t b, F f) {
  constexpr std::uint32_t kMask = (1u << Bits) - 1;
  std::uint32_t out = 0;
  for (int at = 0; at < 32; at += Bits) {
    out |= (std::uint32_t(f(std::int32_t(a >> at & kMask), std::int32_t(b >> at & kMask))) & kMask)
           << at;
  }
  return out;
}

struct AddBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vadd4(a, b), each_part<8>(a, b, [](int x, int y) { return x + y; }));
  }
};

struct SubtractHalves {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vsub2(a, b), each_part<16>(a, b, [](int x, int y) { return x - y; }));
  }
};

struct MaximumOfBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vmaxu4(a, b),
                          each_part<8>(a, b, [](int x, int y) { return x > y ? x : y; }));
  }
};

struct MinimumOfSignedBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vmins4(a, b), each_part<8>(a, b, [](int x, int y) {
                            return std::int8_t(x) < std::int8_t(y) ? x : y;
                          }));
  }
};

struct AbsoluteDifferenceOfBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vabsdiffu4(a, b),
                          each_part<8>(a, b, [](int x, int y) { return x > y ? x - y : y - x; }));
  }
};

struct EqualBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vcmpeq4(a, b),
                          each_part<8>(a, b, [](int x, int y) { return x == y ? 0xff : 0; }));
  }
};

struct SaturatingAddOfBytes {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vaddus4(a, b), each_part<8>(a, b, [](int x, int y) {
                            return x + y > 255 ? 255 : x + y;
                          }));
  }
};

struct SaturatingAddOfSignedHalves {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(__vaddss2(a, b), each_part<16>(a, b, [](int x, int y) {
                            const int sum = std::int16_t(x) + std::int16_t(y);
                            return sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
                          }));
  }
};

struct MinimumIntrinsic {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return DEVICE_OR_HOST(llmin(a, b), a < b ? a : b);
  }
};

struct MaximumIntrinsic {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return DEVICE_OR_HOST(umax(a, b), a > b ? a : b);
  }
};

struct AbsoluteIntrinsic {
  __host__ __device__ std::int32_t operator()(std::int32_t a) const {
    return DEVICE_OR_HOST(abs(a), std::int32_t(a < 0 ? 0u - std::uint32_t(a) : std::uint32_t(a)));
  }
};

struct SelectPower {
  /// Smallest power of two that is not below a.
  __host__ __device__ std::uint32_t operator()(std::uint32_t a) const {
#ifdef __CUDA_ARCH__
    return a <= 1 ? 1 : 1u << (32 - __clz(int(a - 1))) % 32;
#else
    std::uint32_t power = 1;
    for (int i = 0; i < 32 && power < a && i < 31; ++i) power <<= 1;
    return power < a ? 1 : power;
#endif
  }
};

}  // namespace

void register_cases(Suite& suite) {
  using S = std::int32_t;
  using U = std::uint32_t;
  add_map<MultiplyHigh32, S, S>(suite, "mulhi");
  add_map<MultiplyHighU32, U, U>(suite, "umulhi");
  add_map<MultiplyHigh64, std::int64_t, std::int64_t>(suite, "mul64hi");
  add_map<MultiplyHighU64, std::uint64_t, std::uint64_t>(suite, "umul64hi");
  add_map<Multiply24, S, S>(suite, "mul24");
  add_map<MultiplyU24, U, U>(suite, "umul24");
  add_map<SumOfAbsoluteDifferences, S, S, U>(suite, "sad");
  add_map<SumOfAbsoluteDifferencesUnsigned, U, U, U>(suite, "usad");
  add_map<HalvingAdd, S, S>(suite, "hadd");
  add_map<RoundedHalvingAdd, S, S>(suite, "rhadd");
  add_map<HalvingAddUnsigned, U, U>(suite, "uhadd");
  add_map<RoundedHalvingAddUnsigned, U, U>(suite, "urhadd");
  add_map<DotProduct4, S, S, S>(suite, "dp4a s32");
  add_map<DotProduct4Unsigned, U, U, U>(suite, "dp4a u32");
  add_map<DotProduct2Low, S, S, S>(suite, "dp2a_lo s32");
  add_map<DotProduct2HighUnsigned, U, U, U>(suite, "dp2a_hi u32");
  add_map<AddBytes, U, U>(suite, "vadd4");
  add_map<SubtractHalves, U, U>(suite, "vsub2");
  add_map<MaximumOfBytes, U, U>(suite, "vmaxu4");
  add_map<MinimumOfSignedBytes, U, U>(suite, "vmins4");
  add_map<AbsoluteDifferenceOfBytes, U, U>(suite, "vabsdiffu4");
  add_map<EqualBytes, U, U>(suite, "vcmpeq4");
  add_map<SaturatingAddOfBytes, U, U>(suite, "vaddus4");
  add_map<SaturatingAddOfSignedHalves, U, U>(suite, "vaddss2");
  add_map<MinimumIntrinsic, std::int64_t, std::int64_t>(suite, "llmin");
  add_map<MaximumIntrinsic, U, U>(suite, "umax");
  add_map<AbsoluteIntrinsic, S>(suite, "abs");
  add_map<SelectPower, U>(suite, "next power of two");
}

}  // namespace differential
