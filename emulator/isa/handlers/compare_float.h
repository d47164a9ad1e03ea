#pragma once

// Comparison of floats: the fourteen operators of set and setp, as lane masks.

#include "emulator/isa/handlers/float_ops.h"

namespace warpsim::WARPSIM_SIMD {

/// eq..ge are false when an operand is a NaN, equ..geu are true.
enum class Relation : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

#if defined(__AVX2__)
/// The processor's code of a relation: quiet, so that NaNs raise nothing.
constexpr int predicate_code(Relation relation) {
  switch (relation) {
    case Relation::eq:
      return _CMP_EQ_OQ;
    case Relation::ne:
      return _CMP_NEQ_OQ;
    case Relation::lt:
      return _CMP_LT_OQ;
    case Relation::le:
      return _CMP_LE_OQ;
    case Relation::gt:
      return _CMP_GT_OQ;
    case Relation::ge:
      return _CMP_GE_OQ;
    case Relation::equ:
      return _CMP_EQ_UQ;
    case Relation::neu:
      return _CMP_NEQ_UQ;
    case Relation::ltu:
      return _CMP_NGE_UQ;
    case Relation::leu:
      return _CMP_NGT_UQ;
    case Relation::gtu:
      return _CMP_NLE_UQ;
    case Relation::geu:
      return _CMP_NLT_UQ;
    case Relation::num:
      return _CMP_ORD_Q;
    case Relation::nan:
      return _CMP_UNORD_Q;
  }
  return 0;
}
#endif

template <Relation kRelation, class T>
[[gnu::always_inline]] inline bool holds(T a, T b) {
  switch (kRelation) {
    case Relation::eq:
      return a == b;
    case Relation::ne:
      return a < b || a > b;
    case Relation::lt:
      return a < b;
    case Relation::le:
      return a <= b;
    case Relation::gt:
      return a > b;
    case Relation::ge:
      return a >= b;
    case Relation::equ:
      return !(a < b || a > b);
    case Relation::neu:
      return !(a == b);
    case Relation::ltu:
      return !(a >= b);
    case Relation::leu:
      return !(a > b);
    case Relation::gtu:
      return !(a <= b);
    case Relation::geu:
      return !(a < b);
    case Relation::num:
      return !__builtin_isunordered(a, b);
    case Relation::nan:
      return __builtin_isunordered(a, b);
  }
  return false;
}

/// Lane mask of `a kRelation b`; the arrays are 64-byte aligned.
template <Relation kRelation, class T>
[[gnu::always_inline]] inline u32 relation_mask(const T* a, const T* b) {
#if defined(__AVX512F__)
  constexpr int kCode = predicate_code(kRelation);
  u32 mask = 0;
  if constexpr (sizeof(T) == 4) {
    for (int i = 0; i < kWarpSize; i += 16) {
      const u32 part = _mm512_cmp_ps_mask(_mm512_load_ps(a + i), _mm512_load_ps(b + i), kCode);
      mask |= part << i;
    }
  } else {
    for (int i = 0; i < kWarpSize; i += 8) {
      const u32 part = _mm512_cmp_pd_mask(_mm512_load_pd(a + i), _mm512_load_pd(b + i), kCode);
      mask |= part << i;
    }
  }
  return mask;
#elif defined(__AVX2__)
  constexpr int kCode = predicate_code(kRelation);
  u32 mask = 0;
  if constexpr (sizeof(T) == 4) {
    for (int i = 0; i < kWarpSize; i += 8) {
      const __m256 part = _mm256_cmp_ps(_mm256_load_ps(a + i), _mm256_load_ps(b + i), kCode);
      mask |= static_cast<u32>(_mm256_movemask_ps(part)) << i;
    }
  } else {
    for (int i = 0; i < kWarpSize; i += 4) {
      const __m256d part = _mm256_cmp_pd(_mm256_load_pd(a + i), _mm256_load_pd(b + i), kCode);
      mask |= static_cast<u32>(_mm256_movemask_pd(part)) << i;
    }
  }
  return mask;
#else
  return compare(a, b, [](T x, T y) { return holds<kRelation>(x, y); });
#endif
}

/// Calls f.operator()<relation>() with the relation that the modifiers name.
template <class Callback>
void with_relation(Binder& b, Callback f) {
  switch (b.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu",
                         "geu", "num", "nan"})) {
    case 0:
      return f.template operator()<Relation::eq>();
    case 1:
      return f.template operator()<Relation::ne>();
    case 2:
      return f.template operator()<Relation::lt>();
    case 3:
      return f.template operator()<Relation::le>();
    case 4:
      return f.template operator()<Relation::gt>();
    case 5:
      return f.template operator()<Relation::ge>();
    case 6:
      return f.template operator()<Relation::equ>();
    case 7:
      return f.template operator()<Relation::neu>();
    case 8:
      return f.template operator()<Relation::ltu>();
    case 9:
      return f.template operator()<Relation::leu>();
    case 10:
      return f.template operator()<Relation::gtu>();
    case 11:
      return f.template operator()<Relation::geu>();
    case 12:
      return f.template operator()<Relation::num>();
    case 13:
      return f.template operator()<Relation::nan>();
    default:
      b.unsupported("no comparison operator for floats");
  }
}

/// How the comparison is combined with a predicate, in Inst::aux; bit 0 of aux2: that is negated.
enum class Combine : u8 { none, with_and, with_or, with_xor };

/// Takes `.and`, `.or` or `.xor` and the predicate operand `i` that comes with it.
inline void bind_combine(Binder& b, std::size_t i) {
  const int combine = b.take_one_of({"and", "or", "xor"});
  b.inst.aux = static_cast<u8>(combine + 1);
  require_operands(b, combine < 0 ? i : i + 1);
  if (combine < 0) return;
  bool negated = false;
  b.inst.c = b.src_pred(i, negated);
  b.inst.aux2 |= negated ? 1 : 0;
}

[[gnu::always_inline]] inline u32 combined(const Warp& w, const Inst& in, u32 value) {
  const auto combine = static_cast<Combine>(in.aux);
  if (combine == Combine::none) return value;
  const u32 other = in.aux2 & 1 ? ~w.pred(in.c) : w.pred(in.c);
  if (combine == Combine::with_and) return value & other;
  return combine == Combine::with_or ? value | other : value ^ other;
}

/// setp's p and q from the comparison's two results.
[[gnu::always_inline]] inline const Inst* write_predicates(Warp& w, const Inst& in, u32 first,
                                                           u32 second) {
  const u32 p = combined(w, in, first);
  const u32 q = combined(w, in, second);  // before p is written: c may be p
  set_pred(w, in.d, p);
  if (in.d2 >= 0) set_pred(w, in.d2, q);
  return &in + 1;
}

/// set's result: the value `in.imm` where `mask` has a one, else zero.
template <class T>
[[gnu::always_inline]] inline const Inst* write_values(Warp& w, const Inst& in, u32 mask) {
  T* d = w.reg<T>(in.d);
  const T one = static_cast<T>(in.imm);
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    const T value = (mask >> i) & 1 ? one : T{0};
    d[i] = (active >> i) & 1 ? value : d[i];
  }
  return &in + 1;
}

}  // namespace warpsim::WARPSIM_SIMD
