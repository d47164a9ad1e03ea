#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// selp and slct, for all types: they move bits.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// d = p ? a : b; aux says that p is negated.
template <class T>
const Inst* selp(Warp& w, const Inst& in) {
  T* d = w.reg<T>(in.d);
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  const u32 p = w.pred(in.c) ^ (in.aux ? kFullMask : 0);
  if (w.active == kFullMask) [[likely]] {
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) d[i] = (p >> i) & 1 ? a[i] : b[i];
  } else {
    const u32 active = w.active;
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) {
      const T value = (p >> i) & 1 ? a[i] : b[i];
      d[i] = (active >> i) & 1 ? value : d[i];
    }
  }
  return &in + 1;
}

/// d = c >= 0 ? a : b
template <class T>
const Inst* slct(Warp& w, const Inst& in) {
  return map3<T, T, T, s32>(w, in, [](T a, T b, s32 c) { return c >= 0 ? a : b; });
}

/// The same for a float: -0 counts as 0, NaN as negative. `.ftz` takes subnormal numbers as zero,
/// so negative ones choose a.
template <class T, bool kFlush>
const Inst* slct_f32(Warp& w, const Inst& in) {
  return map3<T, T, T, u32>(w, in, [](T a, T b, u32 c) {
    constexpr u32 kInfinity = 0x7f800000;
    constexpr u32 kLargestSubnormal = 0x007fffff;
    const u32 magnitude = c & 0x7fffffff;
    const bool positive = c <= kInfinity;
    return positive || magnitude <= (kFlush ? kLargestSubnormal : 0) ? a : b;
  });
}

void bind_selp(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16, Type::s32,
            Type::s64, Type::f32, Type::f64>(b, type,
                                             [&]<class T>() { b.inst.run = &selp<Unsigned<T>>; });
  require_operands(b, 4);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  bool negated = false;
  b.inst.c = b.src_pred(3, negated);
  b.inst.aux = negated ? 1 : 0;
}

void bind_slct(Binder& b) {
  const bool flush = b.take("ftz");
  const Type type = b.take_type();
  const Type condition = b.take_type();
  if (condition != Type::s32 && condition != Type::f32) unsupported_type(b, condition);
  if (flush && condition != Type::f32) unsupported_type(b, condition);
  with_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16, Type::s32,
            Type::s64, Type::f32, Type::f64>(b, type, [&]<class T>() {
    using U = Unsigned<T>;
    if (condition == Type::s32) {
      b.inst.run = &slct<U>;
    } else {
      b.inst.run = flush ? &slct_f32<U, true> : &slct_f32<U, false>;
    }
  });
  bind_operands(b, type, type, condition);
}

}  // namespace

Family move_select_family() {
  static constexpr Row kRows[] = {
      {"selp", "selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64} d, a, b, p", &bind_selp,
       semantics::kMoveBits},
      {"slct",
       "slct.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32 d, a, b, c\n"
       "slct{.ftz}.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.f32 d, a, b, c",
       &bind_slct, semantics::kMoveBits},
  };
  return kRows;
}

std::span<const NativeForm> move_select_native() {
  static constexpr NativeForm kForms[] = {
      {&selp<u32>, NativeOp::select, NativeType::u32},
      {&selp<u64>, NativeOp::select, NativeType::u64},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
