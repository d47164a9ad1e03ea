#include <bit>

#include "emulator/tests/differential/map.h"

// Shifts, masks and the bit-counting intrinsics. Intrinsics have a host model written from the
// CUDA Math API's description.

namespace differential {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

struct And {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a & b);
  }
};

struct Or {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a | b);
  }
};

struct Xor {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a ^ b);
  }
};

struct Not {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return T(~a);
  }
};

/// One lop3 in the best case: (a & b) | (~a & c) ^ b.
struct ThreeInputLogic {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    return T(((a & b) | (~a & c)) ^ (b | ~c));
  }
};

struct ShiftLeft {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(Unsigned<T>(a) << (Unsigned<T>(b) % (sizeof(T) * 8)));
  }
};

struct ShiftRight {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a >> (Unsigned<T>(b) % (sizeof(T) * 8)));
  }
};

struct RotateLeft {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    constexpr unsigned kBits = sizeof(T) * 8;
    const unsigned by = unsigned(b % kBits);
    return T(T(a << by) | T(a >> ((kBits - by) % kBits)));
  }
};

struct ByteSwap {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    T out = 0;
    for (unsigned i = 0; i < sizeof(T); ++i) out = T(out << 8) | T((a >> (8 * i)) & 0xff);
    return out;
  }
};

struct ExtractField {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    const unsigned first = unsigned(b) % (sizeof(T) * 8), width = unsigned(c) % 8 + 1;
    return T((a >> first) & T((1u << width) - 1));
  }
};

struct SignExtendField {
  __host__ __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    const int width = int(std::uint32_t(b) % 32) + 1;
    return std::int32_t(std::uint32_t(a) << (32 - width)) >> (32 - width);
  }
};

struct InterleaveBits {
  __host__ __device__ std::uint32_t operator()(std::uint16_t a, std::uint16_t b) const {
    std::uint32_t out = 0;
    for (int i = 0; i < 16; ++i) {
      out |= std::uint32_t((a >> i) & 1) << (2 * i) | std::uint32_t((b >> i) & 1) << (2 * i + 1);
    }
    return out;
  }
};

// Reference for brev, written without any intrinsic.
template <class T>
T reversed(T a) {
  T out = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i) out = T(out << 1) | T((a >> i) & 1);
  return out;
}

struct CountLeadingZeros32 {
  __host__ __device__ int operator()(std::int32_t a) const {
    return DEVICE_OR_HOST(__clz(a), std::countl_zero(std::uint32_t(a)));
  }
};

struct CountLeadingZeros64 {
  __host__ __device__ int operator()(std::int64_t a) const {
    return DEVICE_OR_HOST(__clzll(a), std::countl_zero(std::uint64_t(a)));
  }
};

struct PopulationCount32 {
  __host__ __device__ int operator()(std::uint32_t a) const {
    return DEVICE_OR_HOST(__popc(a), std::popcount(a));
  }
};

struct PopulationCount64 {
  __host__ __device__ int operator()(std::uint64_t a) const {
    return DEVICE_OR_HOST(__popcll(a), std::popcount(a));
  }
};

struct BitReverse32 {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a) const {
    return DEVICE_OR_HOST(__brev(a), reversed(a));
  }
};

struct BitReverse64 {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a) const {
    return DEVICE_OR_HOST(__brevll(a), reversed(a));
  }
};

struct FindFirstSet32 {
  __host__ __device__ int operator()(std::int32_t a) const {
    return DEVICE_OR_HOST(__ffs(a), a == 0 ? 0 : std::countr_zero(std::uint32_t(a)) + 1);
  }
};

struct FindFirstSet64 {
  __host__ __device__ int operator()(std::int64_t a) const {
    return DEVICE_OR_HOST(__ffsll(a), a == 0 ? 0 : std::countr_zero(std::uint64_t(a)) + 1);
  }
};

struct BytePermute {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b,
                                               std::uint32_t s) const {
#ifdef __CUDA_ARCH__
    return __byte_perm(a, b, s);
#else
    const std::uint64_t bytes = std::uint64_t(b) << 32 | a;
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) {
      const unsigned selector = (s >> (4 * i)) & 7;  // the intrinsic ignores the sign bit
      out |= std::uint32_t((bytes >> (8 * selector)) & 0xff) << (8 * i);
    }
    return out;
#endif
  }
};

struct FunnelShiftLeft {
  __host__ __device__ std::uint32_t operator()(std::uint32_t low, std::uint32_t high,
                                               std::uint32_t by) const {
    return DEVICE_OR_HOST(__funnelshift_l(low, high, by),
                          std::uint32_t(((std::uint64_t(high) << 32 | low) << (by & 31)) >> 32));
  }
};

struct FunnelShiftLeftClamped {
  __host__ __device__ std::uint32_t operator()(std::uint32_t low, std::uint32_t high,
                                               std::uint32_t by) const {
    return DEVICE_OR_HOST(
        __funnelshift_lc(low, high, by),
        std::uint32_t(((std::uint64_t(high) << 32 | low) << (by < 32 ? by : 32)) >> 32));
  }
};

struct FunnelShiftRight {
  __host__ __device__ std::uint32_t operator()(std::uint32_t low, std::uint32_t high,
                                               std::uint32_t by) const {
    return DEVICE_OR_HOST(__funnelshift_r(low, high, by),
                          std::uint32_t((std::uint64_t(high) << 32 | low) >> (by & 31)));
  }
};

struct FunnelShiftRightClamped {
  __host__ __device__ std::uint32_t operator()(std::uint32_t low, std::uint32_t high,
                                               std::uint32_t by) const {
    return DEVICE_OR_HOST(__funnelshift_rc(low, high, by),
                          std::uint32_t((std::uint64_t(high) << 32 | low) >> (by < 32 ? by : 32)));
  }
};

struct ParityOfBits {
  __host__ __device__ std::uint32_t operator()(std::uint64_t a) const {
    for (int by = 32; by > 0; by /= 2) a ^= a >> by;
    return std::uint32_t(a & 1);
  }
};

struct XorShiftHash {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a) const {
    a ^= a >> 30;
    a *= 0xbf58476d1ce4e5b9u;
    a ^= a >> 27;
    a *= 0x94d049bb133111ebu;
    return a ^ a >> 31;
  }
};

struct Crc32Bitwise {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a) const {
    std::uint32_t crc = ~a;
    for (int i = 0; i < 32; ++i) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    return ~crc;
  }
};

}  // namespace

void register_cases(Suite& suite) {
  add_maps<2, And>(suite, "and", IntegerTypes{});
  add_maps<2, Or>(suite, "or", IntegerTypes{});
  add_maps<2, Xor>(suite, "xor", IntegerTypes{});
  add_maps<1, Not>(suite, "not", IntegerTypes{});
  add_maps<3, ThreeInputLogic>(suite, "three-input logic", UnsignedTypes{});
  add_maps<2, ShiftLeft>(suite, "shift left", IntegerTypes{});
  add_maps<2, ShiftRight>(suite, "shift right", IntegerTypes{});
  add_maps<2, RotateLeft>(suite, "rotate left", UnsignedTypes{});
  add_maps<1, ByteSwap>(suite, "byte swap", UnsignedTypes{});
  add_maps<3, ExtractField>(suite, "extract field", UnsignedTypes{});
  add_map<SignExtendField, std::int32_t, std::int32_t>(suite, "sign-extend field");
  add_map<InterleaveBits, std::uint16_t, std::uint16_t>(suite, "interleave bits");

  add_map<CountLeadingZeros32, std::int32_t>(suite, "clz");
  add_map<CountLeadingZeros64, std::int64_t>(suite, "clzll");
  add_map<PopulationCount32, std::uint32_t>(suite, "popc");
  add_map<PopulationCount64, std::uint64_t>(suite, "popcll");
  add_map<BitReverse32, std::uint32_t>(suite, "brev");
  add_map<BitReverse64, std::uint64_t>(suite, "brevll");
  add_map<FindFirstSet32, std::int32_t>(suite, "ffs");
  add_map<FindFirstSet64, std::int64_t>(suite, "ffsll");
  add_map<BytePermute, std::uint32_t, std::uint32_t, std::uint32_t>(suite, "byte_perm");
  add_map<FunnelShiftLeft, std::uint32_t, std::uint32_t, std::uint32_t>(suite, "funnelshift_l");
  add_map<FunnelShiftLeftClamped, std::uint32_t, std::uint32_t, std::uint32_t>(suite,
                                                                               "funnelshift_lc");
  add_map<FunnelShiftRight, std::uint32_t, std::uint32_t, std::uint32_t>(suite, "funnelshift_r");
  add_map<FunnelShiftRightClamped, std::uint32_t, std::uint32_t, std::uint32_t>(suite,
                                                                                "funnelshift_rc");
  add_map<ParityOfBits, std::uint64_t>(suite, "parity");
  add_map<XorShiftHash, std::uint64_t>(suite, "xor-shift hash");
  add_map<Crc32Bitwise, std::uint32_t>(suite, "bitwise CRC");
}

}  // namespace differential
