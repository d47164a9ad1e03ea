#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// and, or, xor, not, cnot and lop3. Predicates are lane masks, so their logic is one operation on
// a 32-bit word.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct Not {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};

/// C's logical negation.
struct Cnot {
  template <class T>
  static T apply(T a) {
    return a == 0 ? T{1} : T{0};
  }
};

/// aux: bits 0 and 1 say that a and b are negated.
template <class Op>
const Inst* binary_pred(Warp& w, const Inst& in) {
  const u32 a = w.pred(in.a) ^ (in.aux & 1 ? kFullMask : 0);
  const u32 b = w.pred(in.b) ^ (in.aux & 2 ? kFullMask : 0);
  set_pred(w, in.d, Op::apply(a, b));
  return &in + 1;
}

const Inst* not_pred(Warp& w, const Inst& in) {
  set_pred(w, in.d, w.pred(in.a) ^ (in.aux & 1 ? 0 : kFullMask));
  return &in + 1;
}

/// Every bit of the result is looked up in imm's low byte, by the bits of a, b and c: a is the most
/// significant. Written as the OR of the table's minterms, whose selection is the same for all
/// lanes.
[[gnu::always_inline]] inline u32 lookup3(u32 a, u32 b, u32 c, const u32* minterms) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i) {
    result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c) & minterms[i];
  }
  return result;
}

const Inst* lop3(Warp& w, const Inst& in) {
  u32 minterms[8];
  for (u32 i = 0; i < 8; ++i) minterms[i] = (in.imm >> i) & 1 ? kFullMask : 0;
  return map3<u32, u32, u32, u32>(
      w, in, [&minterms](u32 a, u32 b, u32 c) { return lookup3(a, b, c, minterms); });
}

/// lop3.and and lop3.or also write the predicate d2 = (d != 0) op q. The upper half of imm is q's
/// slot; aux: bit 0 for .or, bit 1 for a negated q.
const Inst* lop3_pred(Warp& w, const Inst& in) {
  const u32 q = w.pred(static_cast<s32>(in.imm >> 32)) ^ (in.aux & 2 ? kFullMask : 0);
  lop3(w, in);
  const u32* d = w.reg<u32>(in.d);
  const u32 nonzero = compare(d, d, [](u32 value, u32) { return value != 0; });
  set_pred(w, in.d2, in.aux & 1 ? nonzero | q : nonzero & q);
  return &in + 1;
}

template <class Op>
void bind_logic(Binder& b) {
  const Type type = b.take_type();
  if (type == Type::pred) {
    require_operands(b, 3);
    bool negated[2] = {false, false};
    b.inst.d = b.dst_pred(0);
    b.inst.a = b.src_pred(1, negated[0]);
    b.inst.b = b.src_pred(2, negated[1]);
    b.inst.aux = static_cast<u8>((negated[0] ? 1 : 0) | (negated[1] ? 2 : 0));
    b.inst.run = &binary_pred<Op>;
    return;
  }
  with_type<Type::b16, Type::b32, Type::b64>(b, type,
                                             [&]<class T>() { b.inst.run = &binary<Op, T>; });
  bind_operands(b, type, type);
}

void bind_not(Binder& b) {
  const Type type = b.take_type();
  if (type == Type::pred) {
    require_operands(b, 2);
    bool negated = false;
    b.inst.d = b.dst_pred(0);
    b.inst.a = b.src_pred(1, negated);
    b.inst.aux = negated ? 1 : 0;
    b.inst.run = &not_pred;
    return;
  }
  with_type<Type::b16, Type::b32, Type::b64>(b, type,
                                             [&]<class T>() { b.inst.run = &unary<Not, T>; });
  bind_operands(b, type);
}

void bind_cnot(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b16, Type::b32, Type::b64>(b, type,
                                             [&]<class T>() { b.inst.run = &unary<Cnot, T>; });
  bind_operands(b, type);
}

void bind_lop3(Binder& b) {
  const int op = b.take_one_of({"and", "or"});
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  require_operands(b, op < 0 ? 5 : 6);
  u64 table = 0;
  if (!b.immediate(4, table)) b.unsupported("a look-up table that is not a constant");
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  b.inst.c = b.src(3, type);
  b.inst.imm = table & 0xff;
  b.inst.run = &lop3;
  if (op < 0) return;
  bool negated = false;
  const auto q = static_cast<u64>(b.src_pred(5, negated));
  b.inst.d2 = b.dst_pair(0);
  if (b.inst.d2 < 0) b.unsupported("no predicate destination");
  b.inst.imm |= q << 32;
  b.inst.aux = static_cast<u8>((op == 1 ? 1 : 0) | (negated ? 2 : 0));
  b.inst.run = &lop3_pred;
}

}  // namespace

Family bits_logic_family() {
  static constexpr Row kRows[] = {
      {"and", "and.{pred,b16,b32,b64} d, a, b", &bind_logic<And>, semantics::kCombineBits},
      {"or", "or.{pred,b16,b32,b64} d, a, b", &bind_logic<Or>, semantics::kCombineBits},
      {"xor", "xor.{pred,b16,b32,b64} d, a, b", &bind_logic<Xor>, semantics::kCombineBits},
      {"not", "not.{pred,b16,b32,b64} d, a", &bind_not, semantics::kMoveBits},
      {"cnot", "cnot.{b16,b32,b64} d, a", &bind_cnot, semantics::kCompute},
      {"lop3",
       "lop3.b32 d, a, b, c, table\n"
       "lop3.{and,or}.b32 d|p, a, b, c, table, q",
       &bind_lop3, semantics::kCombineBits},
  };
  return kRows;
}

std::span<const NativeForm> bits_logic_native() {
  static constexpr NativeForm kForms[] = {
      {&binary<And, u32>, NativeOp::bit_and, NativeType::u32},
      {&binary<And, u64>, NativeOp::bit_and, NativeType::u64},
      {&binary<Or, u32>, NativeOp::bit_or, NativeType::u32},
      {&binary<Or, u64>, NativeOp::bit_or, NativeType::u64},
      {&binary<Xor, u32>, NativeOp::bit_xor, NativeType::u32},
      {&binary<Xor, u64>, NativeOp::bit_xor, NativeType::u64},
      {&unary<Not, u32>, NativeOp::bit_not, NativeType::u32},
      {&unary<Not, u64>, NativeOp::bit_not, NativeType::u64},
      {&lop3, NativeOp::lookup, NativeType::u32},
      {&binary_pred<And>, NativeOp::predicate_and},
      {&binary_pred<Or>, NativeOp::predicate_or},
      {&binary_pred<Xor>, NativeOp::predicate_xor},
      {&not_pred, NativeOp::predicate_not},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
