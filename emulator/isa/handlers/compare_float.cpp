#include "emulator/isa/handlers/compare_float.h"
#include "emulator/isa/handlers/families.h"

// setp and set on f32 and f64.

namespace warpsim::WARPSIM_SIMD {
namespace {

template <Relation kRelation, class T, bool kFtz>
[[gnu::always_inline]] inline u32 compare_registers(const Warp& w, const Inst& in) {
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  if constexpr (!kFtz) {
    return relation_mask<kRelation>(a, b);
  } else {
    alignas(64) T left[kWarpSize];
    alignas(64) T right[kWarpSize];
    for (int i = 0; i < kWarpSize; ++i) left[i] = flush_value(a[i]);
    for (int i = 0; i < kWarpSize; ++i) right[i] = flush_value(b[i]);
    return relation_mask<kRelation>(left, right);
  }
}

template <Relation kRelation, class T, bool kFtz>
const Inst* setp(Warp& w, const Inst& in) {
  const u32 mask = compare_registers<kRelation, T, kFtz>(w, in);
  return write_predicates(w, in, mask, ~mask);
}

template <Relation kRelation, class T, bool kFtz>
const Inst* set(Warp& w, const Inst& in) {
  return write_values<u32>(w, in, combined(w, in, compare_registers<kRelation, T, kFtz>(w, in)));
}

/// Calls f.operator()<T, kFtz>() for f32 and f64 sources.
template <class Callback>
void with_source(Binder& b, Type type, Callback f) {
  switch (type) {
    case Type::f32:
      return with_flag(b.take("ftz"), [&]<bool kFtz>() { f.template operator()<float, kFtz>(); });
    case Type::f64:
      return f.template operator()<double, false>();
    default:
      unsupported_type(b, type);
  }
}

void bind_setp(Binder& b) {
  const Type type = b.take_type();
  with_source(b, type, [&]<class T, bool kFtz>() {
    with_relation(b, [&]<Relation kRelation>() { b.inst.run = setp<kRelation, T, kFtz>; });
  });
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  bind_combine(b, 3);
  b.inst.d = b.dst_pred(0);
  b.inst.d2 = b.dst_pair(0);
}

void bind_set(Binder& b) {
  const Type result = b.take_type();
  const Type type = b.take_type();
  with_source(b, type, [&]<class T, bool kFtz>() {
    with_relation(b, [&]<Relation kRelation>() { b.inst.run = set<kRelation, T, kFtz>; });
  });
  switch (result) {
    case Type::f32:
      b.inst.imm = F32::kOne;
      break;
    case Type::u32:
    case Type::s32:
      b.inst.imm = 0xffffffffu;
      break;
    default:
      unsupported_type(b, result);
  }
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  bind_combine(b, 3);
  b.inst.d = b.dst(0);
}

}  // namespace

Family compare_float_family() {
  static constexpr Row rows[] = {
      {.name = "setp",
       .forms = "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}.f32 "
                "p[|q], a, b{, c}\n"
                "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}.f64 "
                "p[|q], a, b{, c}",
       .bind = bind_setp,
       .does = semantics::kDecide},
      {.name = "set",
       .forms = "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                "{u32,s32,f32}.f32 d, a, b{, c}\n"
                "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}."
                "{u32,s32,f32}.f64 d, a, b{, c}",
       .bind = bind_set,
       .does = semantics::kCompare},
  };
  return rows;
}

std::span<const NativeForm> compare_float_native() {
#if defined(__AVX2__)
  static constexpr NativeForm kForms[] = {
      {&setp<Relation::eq, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::eq)},
      {&setp<Relation::ne, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::ne)},
      {&setp<Relation::lt, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::lt)},
      {&setp<Relation::le, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::le)},
      {&setp<Relation::gt, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::gt)},
      {&setp<Relation::ge, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::ge)},
      {&setp<Relation::equ, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::equ)},
      {&setp<Relation::neu, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::neu)},
      {&setp<Relation::ltu, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::ltu)},
      {&setp<Relation::leu, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::leu)},
      {&setp<Relation::gtu, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::gtu)},
      {&setp<Relation::geu, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::geu)},
      {&setp<Relation::num, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::num)},
      {&setp<Relation::nan, float, false>, NativeOp::compare, NativeType::f32,
       predicate_code(Relation::nan)},
  };
  return kForms;
#else
  return {};  // there are no emitters for this level
#endif
}

}  // namespace warpsim::WARPSIM_SIMD
