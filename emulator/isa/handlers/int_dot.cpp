#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// dp4a and dp2a: dot products of bytes.

namespace warpsim::WARPSIM_SIMD {
namespace {

template <class Part>
inline s32 part(u32 packed, int i) {
  return static_cast<Part>(packed >> (kBits<Part> * i));
}

template <class A, class B>
struct Dp4a {
  static u32 apply(u32 a, u32 b, u32 c) {
    s32 sum = 0;
    for (int i = 0; i < 4; ++i) sum += part<A>(a, i) * part<B>(b, i);
    return c + static_cast<u32>(sum);
  }
};

/// A has two 16-bit parts; kHigh picks the bytes 2 and 3 of b.
template <class A, class B, bool kHigh>
struct Dp2a {
  static u32 apply(u32 a, u32 b, u32 c) {
    s32 sum = 0;
    for (int i = 0; i < 2; ++i) sum += part<A>(a, i) * part<B>(b, kHigh ? i + 2 : i);
    return c + static_cast<u32>(sum);
  }
};

/// Calls f with the C++ types of parts for `.atype.btype`, and binds the operands.
template <class Unsigned, class Signed, class F>
void bind_dot(Binder& b, F f) {
  const Type a = b.take_type();
  const Type second = b.take_type();
  with_type<Type::u32, Type::s32>(b, a, [&]<class A>() {
    with_type<Type::u32, Type::s32>(b, second, [&]<class B>() {
      using Left = decltype([] {
        if constexpr (kIsSigned<A>) {
          return Signed{};
        } else {
          return Unsigned{};
        }
      }());
      using Right = decltype([] {
        if constexpr (kIsSigned<B>) {
          return s8{};
        } else {
          return u8{};
        }
      }());
      f.template operator()<Left, Right>();
    });
  });
  const bool both_unsigned = a == Type::u32 && second == Type::u32;
  bind_operands(b, a, second, both_unsigned ? Type::u32 : Type::s32);
}

void bind_dp4a(Binder& b) {
  bind_dot<u8, s8>(b, [&]<class A, class B>() { b.inst.run = &ternary<Dp4a<A, B>, u32>; });
}

void bind_dp2a(Binder& b) {
  const int half = b.take_one_of({"lo", "hi"});
  if (half < 0) b.unsupported("neither .lo nor .hi");
  bind_dot<u16, s16>(b, [&]<class A, class B>() {
    b.inst.run = half == 0 ? &ternary<Dp2a<A, B, false>, u32> : &ternary<Dp2a<A, B, true>, u32>;
  });
}

}  // namespace

Family int_dot_family() {
  static constexpr Row kRows[] = {
      {"dp4a", "dp4a.{u32,s32}.{u32,s32} d, a, b, c", &bind_dp4a, semantics::kCompute},
      {"dp2a", "dp2a.{lo,hi}.{u32,s32}.{u32,s32} d, a, b, c", &bind_dp2a, semantics::kCompute},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
