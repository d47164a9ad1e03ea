#pragma once

// What bind functions share: from PTX types to C++ types, and the usual operand shapes.

#include <cstdint>

#include "emulator/isa/binder.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/unsupported.h"

namespace warpsim::WARPSIM_SIMD {

using ptx::Type;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

template <class T>
struct Integer;  // properties of a register's C++ type
template <>
struct Integer<u8> {
  using Unsigned = u8;
  using Signed = s8;
  using Wide = u16;
};
template <>
struct Integer<s8> {
  using Unsigned = u8;
  using Signed = s8;
  using Wide = s16;
};
template <>
struct Integer<u16> {
  using Unsigned = u16;
  using Signed = s16;
  using Wide = u32;
};
template <>
struct Integer<s16> {
  using Unsigned = u16;
  using Signed = s16;
  using Wide = s32;
};
template <>
struct Integer<u32> {
  using Unsigned = u32;
  using Signed = s32;
  using Wide = u64;
};
template <>
struct Integer<s32> {
  using Unsigned = u32;
  using Signed = s32;
  using Wide = s64;
};
template <>
struct Integer<u64> {
  using Unsigned = u64;
  using Signed = s64;
  using Wide = u128;
};
template <>
struct Integer<s64> {
  using Unsigned = u64;
  using Signed = s64;
  using Wide = s128;
};
template <class T>
using Unsigned = typename Integer<T>::Unsigned;
template <class T>
using Signed = typename Integer<T>::Signed;
/// Twice as wide, same signedness.
template <class T>
using Wide = typename Integer<T>::Wide;
template <class T>
inline constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T) * 8);

/// The C++ type that holds the bits of a PTX type; signed only for signed integers.
template <Type kType>
struct NativeOf {
  static constexpr std::size_t kBytes = ptx::size_bytes(kType);
  using type = decltype([] {
    if constexpr (ptx::is_signed(kType)) {
      if constexpr (kBytes == 1) {
        return s8{};
      } else if constexpr (kBytes == 2) {
        return s16{};
      } else if constexpr (kBytes == 4) {
        return s32{};
      } else {
        return s64{};
      }
    } else {
      if constexpr (kBytes == 1) {
        return u8{};
      } else if constexpr (kBytes == 2) {
        return u16{};
      } else if constexpr (kBytes == 4) {
        return u32{};
      } else {
        return u64{};
      }
    }
  }());
};
template <Type kType>
using Native = typename NativeOf<kType>::type;

/// Calls `f.operator()<T>()` with the C++ type of `type`, which must be one of kTypes.
template <Type... kTypes, class F>
[[gnu::always_inline]] inline void with_type(Binder& b, Type type, F f) {
  const bool known = ((type == kTypes && (f.template operator()<Native<kTypes>>(), true)) || ...);
  if (!known) unsupported_type(b, type);
}

// -- operand shapes: destination first, then sources of the given types --------------------------

inline void bind_operands(Binder& b, Type a) {
  require_operands(b, 2);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, a);
}

inline void bind_operands(Binder& b, Type a, Type second) {
  require_operands(b, 3);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, a);
  b.inst.b = b.src(2, second);
}

inline void bind_operands(Binder& b, Type a, Type second, Type third) {
  require_operands(b, 4);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, a);
  b.inst.b = b.src(2, second);
  b.inst.c = b.src(3, third);
}

// -- handlers of operations given as a type with a static `apply` --------------------------------

template <class Op, class T>
const Inst* unary(Warp& w, const Inst& in) {
  return map1<T, T>(w, in, [](T a) { return Op::apply(a); });
}

template <class Op, class T>
const Inst* binary(Warp& w, const Inst& in) {
  return map2<T, T, T>(w, in, [](T a, T b) { return Op::apply(a, b); });
}

template <class Op, class T>
const Inst* ternary(Warp& w, const Inst& in) {
  return map3<T, T, T, T>(w, in, [](T a, T b, T c) { return Op::apply(a, b, c); });
}

}  // namespace warpsim::WARPSIM_SIMD
