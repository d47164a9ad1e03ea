#include "emulator/isa/handlers/compare_float.h"
#include "emulator/isa/handlers/families.h"

// setp and set on f16, bf16 and their pairs, compared as the floats of the same value. With pairs,
// setp's p is the low halves' result and q the high halves'.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// The floats of a register's 32 values, of which the lowest 16 bits after `shift` count.
template <class F, bool kFtz, class Lane>
[[gnu::always_inline]] inline void widen_register(const Lane* bits, int shift, float* values) {
  for (int i = 0; i < kWarpSize; ++i) {
    const u16 half = static_cast<u16>(bits[i] >> shift);
    values[i] = widen<F>(kFtz ? flush<F>(half) : half);
  }
}

using MaskFunction = u32 (*)(const float* a, const float* b);

template <Relation kRelation>
u32 mask_function(const float* a, const float* b) {
  return relation_mask<kRelation>(a, b);
}

/// The comparison of an instruction, found at run time by the relation in the upper bits of aux2:
/// with one handler a relation this file alone would be as large as all others.
MaskFunction mask_function_of(const Inst& in) {
  static constexpr MaskFunction functions[] = {
      mask_function<Relation::eq>,  mask_function<Relation::ne>,  mask_function<Relation::lt>,
      mask_function<Relation::le>,  mask_function<Relation::gt>,  mask_function<Relation::ge>,
      mask_function<Relation::equ>, mask_function<Relation::neu>, mask_function<Relation::ltu>,
      mask_function<Relation::leu>, mask_function<Relation::gtu>, mask_function<Relation::geu>,
      mask_function<Relation::num>, mask_function<Relation::nan>,
  };
  return functions[in.aux2 >> 1];
}

template <class F, bool kFtz, class Lane>
[[gnu::always_inline]] inline u32 compare_halves(const Warp& w, const Inst& in, int shift) {
  alignas(64) float left[kWarpSize];
  alignas(64) float right[kWarpSize];
  widen_register<F, kFtz>(w.reg<Lane>(in.a), shift, left);
  widen_register<F, kFtz>(w.reg<Lane>(in.b), shift, right);
  return mask_function_of(in)(left, right);
}

template <class F, bool kFtz>
const Inst* setp(Warp& w, const Inst& in) {
  const u32 mask = compare_halves<F, kFtz, u16>(w, in, 0);
  return write_predicates(w, in, mask, ~mask);
}

template <class F, bool kFtz>
const Inst* setp_pair(Warp& w, const Inst& in) {
  const u32 low = compare_halves<F, kFtz, u32>(w, in, 0);
  const u32 high = compare_halves<F, kFtz, u32>(w, in, 16);
  return write_predicates(w, in, low, high);
}

template <class F, bool kFtz, class Result>
const Inst* set(Warp& w, const Inst& in) {
  const u32 mask = compare_halves<F, kFtz, u16>(w, in, 0);
  return write_values<Result>(w, in, combined(w, in, mask));
}

template <class F, bool kFtz>
const Inst* set_pair(Warp& w, const Inst& in) {
  const u32 low = combined(w, in, compare_halves<F, kFtz, u32>(w, in, 0));
  const u32 high = combined(w, in, compare_halves<F, kFtz, u32>(w, in, 16));
  u32* d = w.reg<u32>(in.d);
  const u32 one = static_cast<u16>(in.imm);
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    const u32 value = ((low >> i) & 1 ? one : 0) | ((high >> i) & 1 ? one << 16 : 0);
    d[i] = (active >> i) & 1 ? value : d[i];
  }
  return &in + 1;
}

/// Calls f.operator()<F, kFtz, kPacked>() for the source type.
template <class Callback>
void with_source(Binder& b, Type type, Callback f) {
  switch (type) {
    case Type::f16:
      return with_flag(b.take("ftz"),
                       [&]<bool kFtz>() { f.template operator()<F16, kFtz, false>(); });
    case Type::f16x2:
      return with_flag(b.take("ftz"),
                       [&]<bool kFtz>() { f.template operator()<F16, kFtz, true>(); });
    case Type::bf16:
      return f.template operator()<BF16, false, false>();
    case Type::bf16x2:
      return f.template operator()<BF16, false, true>();
    default:
      unsupported_type(b, type);
  }
}

/// The relation, the two sources and the predicate to combine with.
void bind_sources(Binder& b, Type type) {
  with_relation(b, [&]<Relation kRelation>() {
    b.inst.aux2 = static_cast<u8>(static_cast<u8>(kRelation) << 1);
  });
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  bind_combine(b, 3);
}

void bind_setp(Binder& b) {
  const Type type = b.take_type();
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  with_source(b, type, [&]<class F, bool kFtz, bool kPacked>() {
    b.inst.run = kPacked ? setp_pair<F, kFtz> : setp<F, kFtz>;
  });
  bind_sources(b, type);
  b.inst.d = b.dst_pred(0);
  b.inst.d2 = b.dst_pair(0);
  if (!packed && b.inst.d2 >= 0) b.unsupported("two predicates for one comparison");
}

/// What "true" is in a result of `result`, from a source of `type`.
u64 true_value(Binder& b, Type result, Type type) {
  if (result == type) {
    return type == Type::f16 || type == Type::f16x2 ? u64{F16::kOne} : u64{BF16::kOne};
  }
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  const bool wide = result == Type::u32 || result == Type::s32;
  const bool narrow = result == Type::u16 || result == Type::s16;
  if (!wide && (packed || !narrow)) unsupported_type(b, result);
  return 0xffffffffu;
}

void bind_set(Binder& b) {
  const Type result = b.take_type();
  const Type type = b.take_type();
  with_source(b, type, [&]<class F, bool kFtz, bool kPacked>() {
    if (kPacked) {
      b.inst.run = set_pair<F, kFtz>;
    } else if (ptx::size_bytes(result) == 4) {
      b.inst.run = set<F, kFtz, u32>;
    } else {
      b.inst.run = set<F, kFtz, u16>;
    }
  });
  b.inst.imm = true_value(b, result, type);
  bind_sources(b, type);
  b.inst.d = b.dst(0);
}

}  // namespace

Family compare_half_family() {
  static constexpr Row rows[] = {
      {.name = "setp",
       .forms = "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                "f16 p, a, b{, c}\n"
                "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}."
                "bf16 p, a, b{, c}\n"
                "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                "f16x2 p|q, a, b{, c}\n"
                "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}."
                "bf16x2 p|q, a, b{, c}",
       .bind = bind_setp,
       .does = semantics::kDecide},
      {.name = "set",
       .forms = "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                "{f16,u16,s16,u32,s32}.f16 d, a, b{, c}\n"
                "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}."
                "{bf16,u16,s16,u32,s32}.bf16 d, a, b{, c}\n"
                "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                "{f16x2,u32,s32}.f16x2 d, a, b{, c}\n"
                "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}."
                "{bf16x2,u32,s32}.bf16x2 d, a, b{, c}",
       .bind = bind_set,
       .does = semantics::kCompare},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
