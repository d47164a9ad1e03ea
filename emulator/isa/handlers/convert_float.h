#pragma once

// The steps of cvt with a float on either side. A conversion gathers the operand's 32 patterns,
// reads them as doubles, rounds those to integers when the rounding mode says so, encodes them in
// the result's type and scatters the patterns. A double holds every operand exactly, but for
// 64-bit integers, which are rounded to odd: that is as good for every result but f64.

#include <limits>
#include <type_traits>

#include "emulator/isa/handlers/float_ops.h"

namespace warpsim::WARPSIM_SIMD {

enum class IntegerRounding : u8 { none, nearest_even, zero, down, up };

/// What a conversion handler has to know, packed into Inst::imm.
struct Conversion {
  Type source = Type::none;
  Type result = Type::none;
  u8 source_bytes = 0;  // of the registers, which may be wider than the types
  u8 result_bytes = 0;
  Rounding rounding = Rounding::nearest_even;
  IntegerRounding integer_rounding = IntegerRounding::none;
  u8 flags = 0;
  u8 unused = 0;
};
static_assert(sizeof(Conversion) == sizeof(u64));

enum ConversionFlag : u8 { kFlush = 1, kSaturate = 2, kRelu = 4, kSatFinite = 8 };

using Patterns = u64[kWarpSize];
using Numbers = double[kWarpSize];

template <class Register>
[[gnu::always_inline]] inline void gather_as(const Warp& w, std::int32_t slot, Patterns& bits) {
  const Register* a = w.reg<Register>(slot);
  for (int i = 0; i < kWarpSize; ++i) bits[i] = a[i];
}

/// The patterns of a register whose lanes are `bytes` wide, with zeros above.
inline void gather(const Warp& w, std::int32_t slot, int bytes, Patterns& bits) {
  switch (bytes) {
    case 1:
      return gather_as<u8>(w, slot, bits);
    case 2:
      return gather_as<u16>(w, slot, bits);
    case 4:
      return gather_as<u32>(w, slot, bits);
    default:
      return gather_as<u64>(w, slot, bits);
  }
}

template <class Register>
[[gnu::always_inline]] inline void scatter_as(Warp& w, std::int32_t slot, const Patterns& bits) {
  Register* d = w.reg<Register>(slot);
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    d[i] = (active >> i) & 1 ? static_cast<Register>(bits[i]) : d[i];
  }
}

/// Stores the low `bytes` of each pattern in the active lanes.
inline void scatter(Warp& w, std::int32_t slot, int bytes, const Patterns& bits) {
  switch (bytes) {
    case 1:
      return scatter_as<u8>(w, slot, bits);
    case 2:
      return scatter_as<u16>(w, slot, bits);
    case 4:
      return scatter_as<u32>(w, slot, bits);
    default:
      return scatter_as<u64>(w, slot, bits);
  }
}

/// An integer as a double, rounded to odd.
[[gnu::always_inline]] inline double integer_to_odd(u64 value) {
  const bool large = (value >> 53) != 0;
  const u64 kept = large ? value >> 11 : value;
  const u64 sticky = large && (value & 0x7ff) != 0 ? 1 : 0;
  return static_cast<double>(static_cast<s64>(kept | sticky)) * (large ? 2048.0 : 1.0);
}

template <class T>
[[gnu::always_inline]] inline double integer_value(u64 bits) {
  const T value = static_cast<T>(bits);
  if constexpr (sizeof(T) < 8) {
    return static_cast<double>(value);
  } else if constexpr (kIsSigned<T>) {
    const u64 size = value < 0 ? u64{0} - bits : bits;
    const double number = integer_to_odd(size);
    return value < 0 ? -number : number;
  } else {
    return integer_to_odd(value);
  }
}

/// What `bits` is in the type T of kernels' C++: T is an integer type or a format.
template <class T>
void read_numbers(const Patterns& bits, bool ftz, Numbers& numbers) {
  if constexpr (std::is_integral_v<T>) {
    for (int i = 0; i < kWarpSize; ++i) numbers[i] = integer_value<T>(bits[i]);
  } else if constexpr (sizeof(typename T::Bits) == 8) {
    for (int i = 0; i < kWarpSize; ++i) numbers[i] = value_of<F64>(bits[i]);
  } else if constexpr (sizeof(typename T::Bits) == 4) {
    for (int i = 0; i < kWarpSize; ++i) {
      const float value = value_of<F32>(static_cast<u32>(bits[i]));
      numbers[i] = static_cast<double>(ftz ? canonical_value(flush_value(value)) : value);
    }
  } else {
    for (int i = 0; i < kWarpSize; ++i) {
      numbers[i] = static_cast<double>(widen<T>(static_cast<u16>(bits[i])));
    }
  }
}

inline void read(const Conversion& c, const Patterns& bits, Numbers& numbers) {
  const bool ftz = (c.flags & kFlush) != 0;
  switch (c.source) {
    case Type::u8:
      return read_numbers<u8>(bits, ftz, numbers);
    case Type::u16:
      return read_numbers<u16>(bits, ftz, numbers);
    case Type::u32:
      return read_numbers<u32>(bits, ftz, numbers);
    case Type::u64:
      return read_numbers<u64>(bits, ftz, numbers);
    case Type::s8:
      return read_numbers<s8>(bits, ftz, numbers);
    case Type::s16:
      return read_numbers<s16>(bits, ftz, numbers);
    case Type::s32:
      return read_numbers<s32>(bits, ftz, numbers);
    case Type::s64:
      return read_numbers<s64>(bits, ftz, numbers);
    case Type::f16:
      return read_numbers<F16>(bits, ftz, numbers);
    case Type::bf16:
      return read_numbers<BF16>(bits, ftz, numbers);
    case Type::f32:
      return read_numbers<F32>(bits, ftz, numbers);
    default:
      return read_numbers<F64>(bits, ftz, numbers);
  }
}

inline void round_to_integers(IntegerRounding rounding, Numbers& numbers) {
  switch (rounding) {
    case IntegerRounding::none:
      return;
    case IntegerRounding::nearest_even:
      for (double& x : numbers) x = __builtin_rint(x);
      return;
    case IntegerRounding::zero:
      for (double& x : numbers) x = __builtin_trunc(x);
      return;
    case IntegerRounding::down:
      for (double& x : numbers) x = __builtin_floor(x);
      return;
    case IntegerRounding::up:
      for (double& x : numbers) x = __builtin_ceil(x);
      return;
  }
}

/// Calls f.operator()<rounding>() with a run-time mode made a constant.
template <class Callback>
[[gnu::always_inline]] inline void with_rounding(Rounding rounding, Callback f) {
  switch (rounding) {
    case Rounding::nearest_even:
      return f.template operator()<Rounding::nearest_even>();
    case Rounding::zero:
      return f.template operator()<Rounding::zero>();
    case Rounding::down:
      return f.template operator()<Rounding::down>();
    case Rounding::up:
      return f.template operator()<Rounding::up>();
    case Rounding::nearest_away:
      return f.template operator()<Rounding::nearest_away>();
  }
}

/// The numbers in the format F, narrower than f64.
template <class F>
void encode_float(const Conversion& c, Numbers& numbers, Patterns& bits) {
  if (c.flags & kSaturate) {
    for (double& x : numbers) x = saturate(x);
  }
  if (c.flags & kRelu) {
    for (double& x : numbers) x = relu(x);
  }
  with_rounding(c.rounding, [&]<Rounding kRounding>() {
    with_flag((c.flags & kSatFinite) != 0, [&]<bool kFinite>() {
      for (int i = 0; i < kWarpSize; ++i) {
        bits[i] = narrow<F, F64, kRounding, kFinite>(bits_of<F64>(numbers[i]));
      }
    });
  });
  if (c.source != Type::f64) return;  // only an f64's NaNs keep something of what they were
  for (int i = 0; i < kWarpSize; ++i) {
    const u64 number = bits_of<F64>(numbers[i]);
    bits[i] = is_nan<F64>(number) ? narrowed_nan<F>(number) : bits[i];
  }
}

inline void encode_f32(const Conversion& c, Numbers& numbers, Patterns& bits) {
  if (c.flags & kFlush) {
    with_rounding(c.rounding, [&]<Rounding kRounding>() {
      for (double& x : numbers) x = is_tiny<F32>(kRounding, x) ? __builtin_copysign(0.0, x) : x;
    });
  }
  encode_float<F32>(c, numbers, bits);
}

inline void encode_f64(const Conversion& c, Numbers& numbers, Patterns& bits) {
  if (c.flags & kSaturate) {
    for (double& x : numbers) x = saturate(x);
  }
  // Only what is neither read as another type nor rounded keeps signalling NaNs.
  const bool moved = c.source == Type::f64 && c.integer_rounding == IntegerRounding::none;
  for (int i = 0; i < kWarpSize; ++i) {
    const u64 number = bits_of<F64>(numbers[i]);
    bits[i] = moved ? number : canonical<F64>(number);
  }
}

/// Integers are cut off at the type's ends. A NaN becomes 0, or where f64 or a 64-bit integer takes
/// part the pattern with only the highest bit set.
/// @source PTX ISA, cvt: "float-to-integer conversion, NaN input"
template <class T>
void encode_integer(const Conversion& c, const Numbers& numbers, Patterns& bits) {
  constexpr bool kSigned = kIsSigned<T>;
  constexpr T kMin = kSigned ? static_cast<T>(Unsigned<T>{1} << (kBits<T> - 1)) : T{0};
  constexpr T kMax = static_cast<T>(~kMin);
  constexpr double kLow = static_cast<double>(kMin);
  constexpr double kEnd =
      -2.0 * static_cast<double>(std::numeric_limits<Signed<T>>::min()) / (kSigned ? 2.0 : 1.0);
  const bool wide = c.source == Type::f64 || sizeof(T) == 8;
  const T nan = wide ? static_cast<T>(Unsigned<T>{1} << (kBits<T> - 1)) : T{0};
  for (int i = 0; i < kWarpSize; ++i) {
    const double x = numbers[i];
    const bool inside = x >= kLow && x < kEnd;
    const T value = static_cast<T>(inside ? x : 0.0);
    const T outside = x < kLow ? kMin : x >= kEnd ? kMax : nan;
    bits[i] = static_cast<u64>(inside ? value : outside);
  }
}

inline void encode(const Conversion& c, Numbers& numbers, Patterns& bits) {
  switch (c.result) {
    case Type::u8:
      return encode_integer<u8>(c, numbers, bits);
    case Type::u16:
      return encode_integer<u16>(c, numbers, bits);
    case Type::u32:
      return encode_integer<u32>(c, numbers, bits);
    case Type::u64:
      return encode_integer<u64>(c, numbers, bits);
    case Type::s8:
      return encode_integer<s8>(c, numbers, bits);
    case Type::s16:
      return encode_integer<s16>(c, numbers, bits);
    case Type::s32:
      return encode_integer<s32>(c, numbers, bits);
    case Type::s64:
      return encode_integer<s64>(c, numbers, bits);
    case Type::f16:
      return encode_float<F16>(c, numbers, bits);
    case Type::bf16:
      return encode_float<BF16>(c, numbers, bits);
    case Type::f32:
      return encode_f32(c, numbers, bits);
    default:
      return encode_f64(c, numbers, bits);
  }
}

}  // namespace warpsim::WARPSIM_SIMD
