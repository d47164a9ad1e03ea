#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// setp and set on integers and untyped bits; compare_float has the floating-point ones.

namespace warpsim::WARPSIM_SIMD {
namespace {

enum class Order { eq, ne, lt, le, gt, ge };

#if defined(__AVX512F__) && defined(__AVX512BW__)
/// Mask of `a order b` of the lanes that 64 bytes hold, straight to mask registers: compilers build
/// a byte vector first.
template <class T, Order kOrder>
[[gnu::always_inline]] inline u32 compare_lanes(const T* a, const T* b) {
  constexpr int kPredicates[] = {_MM_CMPINT_EQ, _MM_CMPINT_NE,  _MM_CMPINT_LT,
                                 _MM_CMPINT_LE, _MM_CMPINT_NLE, _MM_CMPINT_NLT};
  constexpr int kPredicate = kPredicates[static_cast<int>(kOrder)];
  const __m512i x = _mm512_load_si512(a);
  const __m512i y = _mm512_load_si512(b);
  if constexpr (sizeof(T) == 2) {
    return kIsSigned<T> ? _mm512_cmp_epi16_mask(x, y, kPredicate)
                        : _mm512_cmp_epu16_mask(x, y, kPredicate);
  } else if constexpr (sizeof(T) == 4) {
    return kIsSigned<T> ? _mm512_cmp_epi32_mask(x, y, kPredicate)
                        : _mm512_cmp_epu32_mask(x, y, kPredicate);
  } else {
    return kIsSigned<T> ? _mm512_cmp_epi64_mask(x, y, kPredicate)
                        : _mm512_cmp_epu64_mask(x, y, kPredicate);
  }
}
#endif

/// Lane mask of `a order b`, all 32 lanes.
template <class T, Order kOrder>
[[gnu::always_inline]] inline u32 compare_all(const T* a, const T* b) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  u32 mask = 0;
  constexpr int kLanes = 64 / sizeof(T) < kWarpSize ? 64 / sizeof(T) : kWarpSize;
#pragma GCC unroll 4
  for (int i = 0; i < kWarpSize; i += kLanes) {
    mask |= compare_lanes<T, kOrder>(a + i, b + i) << i;
  }
  return mask;
#else
  return compare(a, b, [](T x, T y) {
    switch (kOrder) {
      case Order::eq:
        return x == y;
      case Order::ne:
        return x != y;
      case Order::lt:
        return x < y;
      case Order::le:
        return x <= y;
      case Order::gt:
        return x > y;
      default:
        return x >= y;
    }
  });
#endif
}

#if defined(__AVX512F__) && defined(__AVX512BW__)
/// As compare_all with one value for all lanes.
template <class T, Order kOrder>
[[gnu::always_inline]] inline u32 compare_with(const T* a, T value) {
  alignas(64) T splat[64 / sizeof(T)];  // stays in a register
  for (T& lane : splat) lane = value;
  u32 mask = 0;
  constexpr int kLanes = 64 / sizeof(T) < kWarpSize ? 64 / sizeof(T) : kWarpSize;
#pragma GCC unroll 4
  for (int i = 0; i < kWarpSize; i += kLanes) {
    mask |= compare_lanes<T, kOrder>(a + i, splat) << i;
  }
  return mask;
}
#endif

/// How the comparison's result is combined with the predicate c.
enum class Combine : u8 { none, logical_and, logical_or, logical_xor };
constexpr u8 kNegateC = 4;  // added to Combine in aux

[[gnu::always_inline]] inline u32 combine(const Warp& w, const Inst& in, u32 result) {
  const u32 c = w.pred(in.c) ^ (in.aux & kNegateC ? kFullMask : 0);
  switch (static_cast<Combine>(in.aux & 3)) {
    case Combine::logical_and:
      return result & c;
    case Combine::logical_or:
      return result | c;
    case Combine::logical_xor:
      return result ^ c;
    default:
      return result;
  }
}

/// setp with one destination and nothing to combine: nearly all of them.
template <class T, Order kOrder>
const Inst* setp(Warp& w, const Inst& in) {
  set_pred(w, in.d, compare_all<T, kOrder>(w.reg<T>(in.a), w.reg<T>(in.b)));
  return &in + 1;
}

#if defined(__AVX512F__) && defined(__AVX512BW__)
/// setp with an immediate: two cache lines fewer a warp.
template <class T, Order kOrder>
const Inst* setp_immediate(Warp& w, const Inst& in) {
  set_pred(w, in.d, compare_with<T, kOrder>(w.reg<T>(in.a), static_cast<T>(in.imm)));
  return &in + 1;
}
#endif

/// q, the second destination, is the complement of the comparison combined with c.
template <class T, Order kOrder>
const Inst* setp_combined(Warp& w, const Inst& in) {
  const u32 result = compare_all<T, kOrder>(w.reg<T>(in.a), w.reg<T>(in.b));
  const u32 p = in.aux == 0 ? result : combine(w, in, result);
  const u32 q = in.aux == 0 ? ~result : combine(w, in, ~result);
  set_pred(w, in.d, p);
  if (in.d2 >= 0) set_pred(w, in.d2, q);
  return &in + 1;
}

/// imm is what true is in the destination: all ones, or 1.0f.
template <class T, Order kOrder>
const Inst* set(Warp& w, const Inst& in) {
  const u32 result = compare_all<T, kOrder>(w.reg<T>(in.a), w.reg<T>(in.b));
  const u32 truth = in.aux == 0 ? result : combine(w, in, result);
  const u32 value = static_cast<u32>(in.imm);
  const u32 active = w.active;
  u32* d = w.reg<u32>(in.d);
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    d[i] = (active >> i) & 1 ? ((truth >> i) & 1 ? value : 0) : d[i];
  }
  return &in + 1;
}

/// A comparison as it is spelled. lo, ls, hi and hs are lt, le, gt and ge of unsigned types only.
struct Comparison {
  Order order;
  bool unsigned_only;
};

Comparison take_comparison(Binder& b) {
  const int i = b.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"});
  if (i < 0) b.unsupported();  // those of floating point: compare_float
  const bool unsigned_only = i >= 6;
  return {static_cast<Order>(unsigned_only ? i - 4 : i), unsigned_only};
}

/// Calls f with the C++ type and the order of the comparison.
template <class F>
void with_comparison(Binder& b, Comparison comparison, Type type, F f) {
  if (comparison.order == Order::eq || comparison.order == Order::ne) {
    with_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16,
              Type::s32, Type::s64>(b, type, [&]<class T>() {
      using U = Unsigned<T>;  // equality needs no signed version
      if (comparison.order == Order::eq) return f.template operator()<U, Order::eq>();
      return f.template operator()<U, Order::ne>();
    });
    return;
  }
  if (comparison.unsigned_only && ptx::is_signed(type)) unsupported_type(b, type);
  with_type<Type::u16, Type::u32, Type::u64, Type::s16, Type::s32, Type::s64>(
      b, type, [&]<class T>() {
        switch (comparison.order) {
          case Order::lt:
            return f.template operator()<T, Order::lt>();
          case Order::le:
            return f.template operator()<T, Order::le>();
          case Order::gt:
            return f.template operator()<T, Order::gt>();
          default:
            return f.template operator()<T, Order::ge>();
        }
      });
}

/// Binds `a, b` and, when the instruction combines, c.
void bind_comparison_operands(Binder& b, int combination, Type type) {
  require_operands(b, combination < 0 ? 3 : 4);
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  if (combination < 0) return;
  bool negated = false;
  b.inst.c = b.src_pred(3, negated);
  b.inst.aux = static_cast<u8>((combination + 1) | (negated ? kNegateC : 0));
}

void bind_setp(Binder& b) {
  const Comparison comparison = take_comparison(b);
  const int combination = b.take_one_of({"and", "or", "xor"});
  const Type type = b.take_type();
  const bool plain = combination < 0 && b.operand(0).kind != ptx::Operand::Kind::pair;
  with_comparison(b, comparison, type, [&]<class T, Order kOrder>() {
    b.inst.run = plain ? &setp<T, kOrder> : &setp_combined<T, kOrder>;
#if defined(__AVX512F__) && defined(__AVX512BW__)
    const auto& second = b.operand(2);
    if (plain && second.kind == ptx::Operand::Kind::immediate) {
      b.inst.imm = second.bits;
      b.inst.run = &setp_immediate<T, kOrder>;
    }
#endif
  });
  bind_comparison_operands(b, combination, type);
  b.inst.d = b.dst_pred(0);
  if (!plain) b.inst.d2 = b.dst_pair(0);
}

void bind_set(Binder& b) {
  const Comparison comparison = take_comparison(b);
  const int combination = b.take_one_of({"and", "or", "xor"});
  const Type result = b.take_type();
  if (result != Type::u32 && result != Type::s32 && result != Type::f32) {
    unsupported_type(b, result);
  }
  const Type type = b.take_type();
  with_comparison(b, comparison, type,
                  [&]<class T, Order kOrder>() { b.inst.run = &set<T, kOrder>; });
  bind_comparison_operands(b, combination, type);
  b.inst.d = b.dst(0);
  constexpr u32 kOneF32 = 0x3f800000;
  b.inst.imm = result == Type::f32 ? kOneF32 : 0xffffffffu;
}

}  // namespace

Family compare_int_family() {
  static constexpr Row kRows[] = {
      {"setp",
       "setp.{eq,ne}{.and,.or,.xor}.{b16,b32,b64,u16,u32,u64,s16,s32,s64} p|q, a, b, c\n"
       "setp.{lt,le,gt,ge}{.and,.or,.xor}.{u16,u32,u64,s16,s32,s64} p|q, a, b, c\n"
       "setp.{lo,ls,hi,hs}{.and,.or,.xor}.{u16,u32,u64} p|q, a, b, c",
       &bind_setp, semantics::kDecide},
      {"set",
       "set.{eq,ne}{.and,.or,.xor}.{u32,s32,f32}.{b16,b32,b64,u16,u32,u64,s16,s32,s64} d, a, b, c\n"
       "set.{lt,le,gt,ge}{.and,.or,.xor}.{u32,s32,f32}.{u16,u32,u64,s16,s32,s64} d, a, b, c\n"
       "set.{lo,ls,hi,hs}{.and,.or,.xor}.{u32,s32,f32}.{u16,u32,u64} d, a, b, c",
       &bind_set, semantics::kCompare},
  };
  return kRows;
}

std::span<const NativeForm> compare_int_native() {
  static constexpr NativeForm kForms[] = {
    {&setp<u32, Order::eq>, NativeOp::compare, NativeType::u32, 0},
    {&setp<u32, Order::ne>, NativeOp::compare, NativeType::u32, 1},
    {&setp<u32, Order::lt>, NativeOp::compare, NativeType::u32, 2},
    {&setp<u32, Order::le>, NativeOp::compare, NativeType::u32, 3},
    {&setp<u32, Order::gt>, NativeOp::compare, NativeType::u32, 4},
    {&setp<u32, Order::ge>, NativeOp::compare, NativeType::u32, 5},
    {&setp<s32, Order::lt>, NativeOp::compare, NativeType::s32, 2},
    {&setp<s32, Order::le>, NativeOp::compare, NativeType::s32, 3},
    {&setp<s32, Order::gt>, NativeOp::compare, NativeType::s32, 4},
    {&setp<s32, Order::ge>, NativeOp::compare, NativeType::s32, 5},
    {&setp<u64, Order::eq>, NativeOp::compare, NativeType::u64, 0},
    {&setp<u64, Order::ne>, NativeOp::compare, NativeType::u64, 1},
    {&setp<u64, Order::lt>, NativeOp::compare, NativeType::u64, 2},
    {&setp<u64, Order::le>, NativeOp::compare, NativeType::u64, 3},
    {&setp<u64, Order::gt>, NativeOp::compare, NativeType::u64, 4},
    {&setp<u64, Order::ge>, NativeOp::compare, NativeType::u64, 5},
    {&setp<s64, Order::lt>, NativeOp::compare, NativeType::s64, 2},
    {&setp<s64, Order::le>, NativeOp::compare, NativeType::s64, 3},
    {&setp<s64, Order::gt>, NativeOp::compare, NativeType::s64, 4},
    {&setp<s64, Order::ge>, NativeOp::compare, NativeType::s64, 5},
#if defined(__AVX512F__) && defined(__AVX512BW__)
    {&setp_immediate<u32, Order::eq>, NativeOp::compare_constant, NativeType::u32, 0},
    {&setp_immediate<u32, Order::ne>, NativeOp::compare_constant, NativeType::u32, 1},
    {&setp_immediate<u32, Order::lt>, NativeOp::compare_constant, NativeType::u32, 2},
    {&setp_immediate<u32, Order::le>, NativeOp::compare_constant, NativeType::u32, 3},
    {&setp_immediate<u32, Order::gt>, NativeOp::compare_constant, NativeType::u32, 4},
    {&setp_immediate<u32, Order::ge>, NativeOp::compare_constant, NativeType::u32, 5},
    {&setp_immediate<s32, Order::lt>, NativeOp::compare_constant, NativeType::s32, 2},
    {&setp_immediate<s32, Order::le>, NativeOp::compare_constant, NativeType::s32, 3},
    {&setp_immediate<s32, Order::gt>, NativeOp::compare_constant, NativeType::s32, 4},
    {&setp_immediate<s32, Order::ge>, NativeOp::compare_constant, NativeType::s32, 5},
    {&setp_immediate<u64, Order::eq>, NativeOp::compare_constant, NativeType::u64, 0},
    {&setp_immediate<u64, Order::ne>, NativeOp::compare_constant, NativeType::u64, 1},
    {&setp_immediate<u64, Order::lt>, NativeOp::compare_constant, NativeType::u64, 2},
    {&setp_immediate<u64, Order::le>, NativeOp::compare_constant, NativeType::u64, 3},
    {&setp_immediate<u64, Order::gt>, NativeOp::compare_constant, NativeType::u64, 4},
    {&setp_immediate<u64, Order::ge>, NativeOp::compare_constant, NativeType::u64, 5},
    {&setp_immediate<s64, Order::lt>, NativeOp::compare_constant, NativeType::s64, 2},
    {&setp_immediate<s64, Order::le>, NativeOp::compare_constant, NativeType::s64, 3},
    {&setp_immediate<s64, Order::gt>, NativeOp::compare_constant, NativeType::s64, 4},
    {&setp_immediate<s64, Order::ge>, NativeOp::compare_constant, NativeType::s64, 5},
#endif
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
