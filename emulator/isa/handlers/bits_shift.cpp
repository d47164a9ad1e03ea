#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// shl, shr and shf. Shift counts are unsigned 32-bit numbers whatever the type; counts beyond the
// width shift everything out.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Shl {
  template <class T>
  static T apply(T a, u32 n) {
    constexpr u32 kWidth = kBits<T>;
    return n < kWidth ? static_cast<T>(a << (n & (kWidth - 1))) : T{0};
  }
};

/// Signed types fill with the sign.
struct Shr {
  template <class T>
  static T apply(T a, u32 n) {
    constexpr u32 kWidth = kBits<T>;
    if constexpr (kIsSigned<T>) {
      return static_cast<T>(a >> (n < kWidth ? n : kWidth - 1));
    } else {
      return n < kWidth ? static_cast<T>(a >> (n & (kWidth - 1))) : T{0};
    }
  }
};

template <class Op, class T>
const Inst* shift(Warp& w, const Inst& in) {
  return map2<T, T, u32>(w, in, [](T a, u32 n) { return Op::apply(a, n); });
}

/// Count of a funnel shift, 0 to 32.
template <bool kClamp>
inline u32 funnel_count(u32 n) {
  if (kClamp) return n < 32 ? n : 32;
  return n & 31;
}

/// Upper half of [b:a] << n.
template <bool kClamp>
struct FunnelLeft {
  static u32 apply(u32 a, u32 b, u32 n) {
    const u64 both = static_cast<u64>(b) << 32 | a;
    return static_cast<u32>((both << funnel_count<kClamp>(n)) >> 32);
  }
};

/// Lower half of [b:a] >> n.
template <bool kClamp>
struct FunnelRight {
  static u32 apply(u32 a, u32 b, u32 n) {
    const u64 both = static_cast<u64>(b) << 32 | a;
    return static_cast<u32>(both >> funnel_count<kClamp>(n));
  }
};

void bind_shl(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b16, Type::b32, Type::b64>(b, type,
                                             [&]<class T>() { b.inst.run = &shift<Shl, T>; });
  bind_operands(b, type, Type::u32);
}

void bind_shr(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16, Type::s32,
            Type::s64>(b, type, [&]<class T>() { b.inst.run = &shift<Shr, T>; });
  bind_operands(b, type, Type::u32);
}

void bind_shf(Binder& b) {
  const int direction = b.take_one_of({"l", "r"});
  const int mode = b.take_one_of({"clamp", "wrap"});
  if (direction < 0) b.unsupported("neither .l nor .r");
  if (mode < 0) b.unsupported("neither .clamp nor .wrap");
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  if (direction == 0) {
    b.inst.run = mode == 0 ? &ternary<FunnelLeft<true>, u32> : &ternary<FunnelLeft<false>, u32>;
  } else {
    b.inst.run = mode == 0 ? &ternary<FunnelRight<true>, u32> : &ternary<FunnelRight<false>, u32>;
  }
  bind_operands(b, type, type, Type::u32);
}

}  // namespace

Family bits_shift_family() {
  static constexpr Row kRows[] = {
      {"shl", "shl.{b16,b32,b64} d, a, n", &bind_shl, semantics::kShiftLeft},
      {"shr", "shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64} d, a, n", &bind_shr, semantics::kMoveBits},
      {"shf", "shf.{l,r}.{clamp,wrap}.b32 d, a, b, n", &bind_shf, semantics::kMoveBits},
  };
  return kRows;
}

std::span<const NativeForm> bits_shift_native() {
  static constexpr NativeForm kForms[] = {
      {&shift<Shl, u32>, NativeOp::shift_left, NativeType::u32},
      {&shift<Shl, u64>, NativeOp::shift_left, NativeType::u64},
      {&shift<Shr, u32>, NativeOp::shift_right, NativeType::u32},
      {&shift<Shr, s32>, NativeOp::shift_right, NativeType::s32},
      {&shift<Shr, u64>, NativeOp::shift_right, NativeType::u64},
      {&shift<Shr, s64>, NativeOp::shift_right, NativeType::s64},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
