#include "emulator/machine/group_multiply.h"
#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/float_ops.h"
#include "emulator/isa/handlers/matrix_fragment.h"
#include "emulator/isa/handlers/matrix_sum.h"

// wgmma: each warp of a warp group multiplies its 16 rows of A by B.

namespace warpsim::WARPSIM_SIMD {
namespace {

const GroupMultiply& operands_of(const Inst& in) {
  return *static_cast<const GroupMultiply*>(in.extra);
}

/// Columns that are multiplied at a time.
constexpr u32 kWide = 32;

/// What element e of a row of 32 bytes is, as a double.
double element_of(MatrixElement type, const std::byte* row, u32 e) {
  const auto word = [&]<class T>(T) {
    T raw;
    __builtin_memcpy(&raw, row + e * sizeof(T), sizeof raw);
    return raw;
  };
  switch (type) {
    case MatrixElement::e4m3:
      return double{widen<E4M3>(word(u8{}))};
    case MatrixElement::e5m2:
      return double{widen<E5M2>(word(u8{}))};
    case MatrixElement::f16:
      return double{widen<F16>(word(u16{}))};
    case MatrixElement::bf16:
      return double{value_of<F32>(u32{word(u16{})} << 16)};
    default:  // cards ignore the lower bits of tf32
      return double{value_of<F32>(word(u32{}) >> TF32::kRegisterShift << TF32::kRegisterShift)};
  }
}

s32 integer_of(MatrixElement type, const std::byte* row, u32 e) {
  if (type == MatrixElement::b1) {
    s32 bits;
    __builtin_memcpy(&bits, row + e * sizeof bits, sizeof bits);
    return bits;
  }
  const u8 raw = static_cast<u8>(row[e]);
  return type == MatrixElement::u8 ? s32{raw} : s32{static_cast<s8>(raw)};
}

/// Whether D is added to the products: the predicate is the same in all lanes.
bool adds(const Warp& w, const GroupMultiply& op) {
  if (op.scale < 0) return op.adds;
  return (w.pred(op.scale) != 0) != op.scale_negated;
}

/// D's elements in the columns [first, first + count), of 32 bits: `cells` has them row by row.
template <class F>
void for_words(const GroupMultiply& op, u32 first, u32 count, F use) {
  for (u32 column = 0; column < count; column += 8) {
    for (u32 part = 0; part < 4; ++part) {
      const s32 slot = op.d[(first + column) / 2 + part];
      for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 row = lane / 4 + part / 2 * 8;
        use(slot, lane, row * count + column + lane % 4 * 2 + part % 2);
      }
    }
  }
}

/// The same of 16 bits, two of a register at a time: of cells that follow each other.
template <class F>
void for_pairs(const GroupMultiply& op, u32 first, u32 count, F use) {
  for (u32 column = 0; column < count; column += 8) {
    for (u32 part = 0; part < 2; ++part) {
      const s32 slot = op.d[(first + column) / 4 + part];
      for (u32 lane = 0; lane < kWarpSize; ++lane) {
        use(slot, lane, (lane / 4 + part * 8) * count + column + lane % 4 * 2);
      }
    }
  }
}

void load_sums(const Warp& w, const GroupMultiply& op, u32 first, u32 count, double* c) {
  if (op.shape.d.element == MatrixElement::f16) {
    for_pairs(op, first, count, [&](s32 slot, u32 lane, u32 cell) {
      const u32 pair = w.reg<u32>(slot)[lane];
      c[cell] = double{widen<F16>(static_cast<u16>(pair))};
      c[cell + 1] = double{widen<F16>(static_cast<u16>(pair >> 16))};
    });
  } else {
    for_words(op, first, count, [&](s32 slot, u32 lane, u32 cell) {
      c[cell] = double{value_of<F32>(w.reg<u32>(slot)[lane])};
    });
  }
}

void store_sums(const Warp& w, const GroupMultiply& op, u32 first, u32 count, const double* c) {
  if (op.shape.d.element == MatrixElement::f16) {
    const auto half = [](double value) {
      const u32 bits = narrow<F16, F64, Rounding::nearest_even>(bits_of<F64>(value));
      return bits == F16::kSign ? 0 : bits;  // an H200 has no negative zeros here
    };
    for_pairs(op, first, count, [&](s32 slot, u32 lane, u32 cell) {
      w.reg<u32>(slot)[lane] = half(c[cell]) | half(c[cell + 1]) << 16;
    });
  } else {
    for_words(op, first, count, [&](s32 slot, u32 lane, u32 cell) {
      const u32 bits = bits_of<F32>(static_cast<float>(c[cell]));
      w.reg<u32>(slot)[lane] = is_nan<F32>(bits) ? F32::kNan : bits;
    });
  }
}

const Inst* multiply_floats(Warp& w, const Inst& in) {
  GroupOperands operands;
  if (const Inst* next = begin_group_multiply(w, in, operands)) return next;
  const GroupMultiply& op = operands_of(in);
  const u32 k = op.shape.k;
  const MatrixElement a_type = op.shape.a.element;
  const MatrixElement b_type = op.shape.b.element;
  alignas(64) double a[kMaxCells];
  alignas(64) double b[kMaxCells];
  alignas(64) double c[kMaxCells];
  alignas(64) s32 a_exponent[kMaxCells];
  alignas(64) s32 b_exponent[kMaxCells];
  alignas(64) s32 c_exponent[kMaxCells];
  if (op.a.descriptor < 0) {
    unpack_floats(w, op.shape.a, a);
  } else {
    for (u32 row = 0; row < op.shape.m; ++row) {
      for (u32 i = 0; i < k; ++i) a[row * k + i] = element_of(a_type, operands.a[row], i);
    }
  }
  const bool opposite = op.a.negated != op.b.negated;
  if (opposite) {
    for (u32 i = 0; i < op.shape.m * k; ++i) a[i] = -a[i];
  }
  SumFormat format;
  format.model = accumulation_of(op);
  format.half_result = op.shape.d.element == MatrixElement::f16;
  format.smallest_c = smallest_exponent(op.shape.d.element, false);
  const bool a_finite =
      set_exponents(a, op.shape.m * k, smallest_exponent(a_type, false), a_exponent);
  const bool add = adds(w, op);
  for (u32 first = 0; first < op.n;) {
    const u32 count = op.n - first >= kWide ? kWide : 8;
    for (u32 column = 0; column < count; ++column) {
      const std::byte* const elements = operands.b[first + column];
      for (u32 i = 0; i < k; ++i) b[i * count + column] = element_of(b_type, elements, i);
    }
    if (add) {
      load_sums(w, op, first, count, c);
    } else {
      for (u32 i = 0; i < op.shape.m * count; ++i) c[i] = 0;
    }
    bool finite = a_finite;
    finite &= set_exponents(b, k * count, smallest_exponent(b_type, false), b_exponent);
    finite &= set_exponents(c, op.shape.m * count, format.smallest_c, c_exponent);
    if (count == kWide) {
      multiply_add<kWide>(format, op.shape.m, k, a, a_exponent, b, b_exponent, c, finite);
    } else {
      multiply_add<8>(format, op.shape.m, k, a, a_exponent, b, b_exponent, c, finite);
    }
    store_sums(w, op, first, count, c);
    first += count;
  }
  return &in + 1;
}

const Inst* multiply_integers(Warp& w, const Inst& in) {
  GroupOperands operands;
  if (const Inst* next = begin_group_multiply(w, in, operands)) return next;
  const GroupMultiply& op = operands_of(in);
  const u32 k = op.shape.k;
  alignas(64) s32 a[kMaxCells];
  if (op.a.descriptor < 0) {
    unpack_integers(w, op.shape.a, a);
  } else {
    for (u32 row = 0; row < op.shape.m; ++row) {
      for (u32 i = 0; i < k; ++i) {
        a[row * k + i] = integer_of(op.shape.a.element, operands.a[row], i);
      }
    }
  }
  const bool add = adds(w, op);
  const bool bits = op.shape.a.element == MatrixElement::b1;
  for (u32 first = 0; first < op.n; first += 8) {
    for_words(op, first, 8, [&](s32 slot, u32 lane, u32 cell) {
      u32& d = w.reg<u32>(slot)[lane];
      s64 sum = add ? static_cast<s32>(d) : 0;
      const s32* const row = a + cell / 8 * k;
      const std::byte* const column = operands.b[first + cell % 8];
      for (u32 i = 0; i < k; ++i) {
        const s32 other = integer_of(op.shape.b.element, column, i);
        sum += bits ? __builtin_popcount(static_cast<u32>(row[i] & other)) : row[i] * other;
      }
      constexpr s64 kMax = 0x7fffffff;
      if (op.shape.saturate) sum = sum > kMax ? kMax : sum < -kMax - 1 ? -kMax - 1 : sum;
      d = static_cast<u32>(sum);
    });
  }
  return &in + 1;
}

void bind_wgmma(Binder& b) {
  if (b.take("mma_async")) {
    const GroupMultiply* op = bind_group_multiply(b);
    b.inst.extra = op;
    b.inst.run = op->shape.d.element == MatrixElement::s32 ? multiply_integers : multiply_floats;
    return;
  }
  const int kind = b.take_one_of({"fence", "commit_group", "wait_group"});
  if (kind < 0) b.unsupported("operation");
  if (!b.take("sync") || !b.take("aligned")) b.unsupported("no .sync.aligned");
  b.inst.run = kind == 0 ? fence_group : kind == 1 ? commit_group : wait_group;
  if (kind == 2) {
    u64 groups = 0;
    require_operands(b, 1);
    if (!b.immediate(0, groups)) b.unsupported("the number of groups is not a constant");
    b.inst.imm = groups;
  }
}

}  // namespace

Family group_multiply_family() {
  static constexpr Row rows[] = {
      {.name = "wgmma",
       .forms = "wgmma.mma_async.sync.aligned.m64n8k16.{f16,f32}.f16.f16 d, a, b, p, 1, 1, 0, 0\n"
                "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 d, a, b, p, 1, 1, 0, 0\n"
                "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 d, a, b, p, 1, 1\n"
                "wgmma.mma_async.sync.aligned.m64n8k32.{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2} d, a, b, "
                "p, 1, 1\n"
                "wgmma.mma_async.sync.aligned.m64n8k32{.satfinite}.s32.{s8,u8}.{s8,u8} d, a, b, p\n"
                "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc d, a, b, p\n"
                "wgmma.{fence,commit_group}.sync.aligned\nwgmma.wait_group.sync.aligned n",
       .bind = bind_wgmma,
       .does = semantics::kGroupMultiply,
       .proven_by = "emulator/tests/differential/wgmma_sm90a.cu"},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
