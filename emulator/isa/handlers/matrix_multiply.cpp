#include "emulator/isa/handlers/float_ops.h"
#include "emulator/isa/handlers/float_rounding.h"
#include "emulator/isa/handlers/matrix_fragment.h"
#include "emulator/isa/handlers/matrix_sum.h"
#include "emulator/isa/row.h"

// mma and wmma.mma.

namespace warpsim::WARPSIM_SIMD {
namespace {

const MatrixMultiply& operands_of(const Inst& in) {
  return *static_cast<const MatrixMultiply*>(in.extra);
}

void multiply_matrix(const SumFormat& format, const MatrixMultiply& op, const double* a,
                     const s32* a_exponent, const double* b, const s32* b_exponent, double* c,
                     bool finite) {
  switch (op.n) {
    case 8:
      return multiply_add<8>(format, op.m, op.k, a, a_exponent, b, b_exponent, c, finite);
    case 16:
      return multiply_add<16>(format, op.m, op.k, a, a_exponent, b, b_exponent, c, finite);
    default:
      return multiply_add<32>(format, op.m, op.k, a, a_exponent, b, b_exponent, c, finite);
  }
}

/// See MatrixAccumulation::chain. An f16 product is exact in f32.
void multiply_in_chains(const MatrixMultiply& op, const double* a, const double* b, double* c) {
  for (u32 row = 0; row < op.m; ++row) {
    for (u32 j = 0; j < op.n; ++j) {
      float sum = static_cast<float>(a[row * op.k]) * static_cast<float>(b[j]);
      for (u32 i = 1; i < op.k; ++i) {
        sum = __builtin_fmaf(static_cast<float>(a[row * op.k + i]),
                             static_cast<float>(b[i * op.n + j]), sum);
      }
      c[row * op.n + j] = double{sum + static_cast<float>(c[row * op.n + j])};
    }
  }
}

/// Puts the elements of k % 4 < 2 before the others, in rows of `a` and columns of `b`.
void pairs_first(const MatrixMultiply& op, double* a, double* b) {
  alignas(64) double from[kMaxCells];
  const auto place = [&](u32 i) { return i / 4 * 2 + i % 2 + (i % 4 < 2 ? 0 : op.k / 2); };
  for (u32 i = 0; i < op.m * op.k; ++i) from[i] = a[i];
  for (u32 row = 0; row < op.m; ++row) {
    for (u32 i = 0; i < op.k; ++i) a[row * op.k + place(i)] = from[row * op.k + i];
  }
  for (u32 i = 0; i < op.k * op.n; ++i) from[i] = b[i];
  for (u32 i = 0; i < op.k; ++i) {
    for (u32 j = 0; j < op.n; ++j) b[place(i) * op.n + j] = from[i * op.n + j];
  }
}

/// The nearest number of the result's format to a sum of two.
double nearest_sum(const SumFormat& format, double x, double y) {
  if (!format.half_result) return double{static_cast<float>(x) + static_cast<float>(y)};
  return double{widen<F16>(narrow<F16, F64, Rounding::nearest_even>(bits_of<F64>(x + y)))};
}

const Inst* multiply_floats(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMultiply& op = operands_of(in);
  alignas(64) double a[kMaxCells];
  alignas(64) double b[kMaxCells];
  alignas(64) double c[kMaxCells];
  alignas(64) s32 a_exponent[kMaxCells];
  alignas(64) s32 b_exponent[kMaxCells];
  alignas(64) s32 c_exponent[kMaxCells];
  unpack_floats(w, op.a, a);
  unpack_floats(w, op.b, b);
  unpack_floats(w, op.c, c);
  SumFormat format;
  format.model = accumulation_of(*w.context->block->launch->card, op);
  format.smallest_c = smallest_exponent(op.c.element, false);
  format.half_result = op.d.element == MatrixElement::f16;
  const u32 a_cells = op.m * op.k;
  const u32 b_cells = op.k * op.n;
  const u32 c_cells = op.m * op.n;
  alignas(64) double start[kMaxCells];
  if (format.model.accumulator_last) {
    pairs_first(op, a, b);
    for (u32 i = 0; i < c_cells; ++i) start[i] = c[i], c[i] = 0;
  }
  const bool through_f16 = format.model.through_f16;
  bool finite = set_exponents(a, op.batch * a_cells, smallest_exponent(op.a.element, through_f16),
                              a_exponent);
  finite &= set_exponents(b, op.batch * b_cells, smallest_exponent(op.b.element, through_f16),
                          b_exponent);
  finite &= set_exponents(c, op.batch * c_cells, format.smallest_c, c_exponent);
  for (u32 i = 0; i < op.batch; ++i) {
    if (format.model.chain) {
      multiply_in_chains(op, a + i * a_cells, b + i * b_cells, c + i * c_cells);
      continue;
    }
    multiply_matrix(format, op, a + i * a_cells, a_exponent + i * a_cells, b + i * b_cells,
                    b_exponent + i * b_cells, c + i * c_cells, finite);
  }
  if (format.model.accumulator_last) {
    for (u32 i = 0; i < c_cells; ++i) c[i] = nearest_sum(format, c[i], start[i]);
  }
  alignas(64) u32 d[kMaxCells];
  const u32 count = op.batch * c_cells;
  if (format.half_result) {
    for (u32 i = 0; i < count; ++i) {
      d[i] = narrow<F16, F64, Rounding::nearest_even>(bits_of<F64>(c[i]));
    }
    pack_halves(w, op.d, d);
  } else {
    for (u32 i = 0; i < count; ++i) {
      const u32 bits = bits_of<F32>(static_cast<float>(c[i]));
      d[i] = is_nan<F32>(bits) ? F32::kNan : bits;
    }
    pack(w, op.d, d);
  }
  return &in + 1;
}

const Inst* multiply_doubles(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMultiply& op = operands_of(in);
  alignas(64) double a[kMaxCells];
  alignas(64) double b[kMaxCells];
  alignas(64) double c[kMaxCells];
  unpack_doubles(w, op.a, a);
  unpack_doubles(w, op.b, b);
  unpack_doubles(w, op.c, c);
  {
    const RoundingScope scope(static_cast<Rounding>(in.aux));
    for (u32 row = 0; row < op.m; ++row) {
      double* sums = c + row * op.n;
      for (u32 i = 0; i < op.k; ++i) {
        const double factor = a[row * op.k + i];
        for (u32 j = 0; j < op.n; ++j) {
          const double other = b[i * op.n + j];
          const double sum = __builtin_fma(factor, other, sums[j]);
          sums[j] = sum == sum ? sum : nan_of(factor, other, sums[j]);
        }
      }
    }
  }
  alignas(64) u64 d[kMaxCells];
  for (u32 i = 0; i < op.m * op.n; ++i) d[i] = bits_of<F64>(c[i]);
  pack(w, op.d, d);
  return &in + 1;
}

struct Product {
  [[gnu::always_inline]] static s32 apply(s32 a, s32 b) { return a * b; }
};
struct CommonBits {
  static s32 apply(s32 a, s32 b) { return __builtin_popcount(static_cast<u32>(a & b)); }
};
struct DifferentBits {
  static s32 apply(s32 a, s32 b) { return __builtin_popcount(static_cast<u32>(a ^ b)); }
};

template <class Op, class Sum, u32 kN>
void add_integers(const MatrixMultiply& op, const s32* a, const s32* b, s32* c) {
  for (u32 row = 0; row < op.m; ++row, c += kN) {
    alignas(64) Sum sums[kN];
    for (u32 j = 0; j < kN; ++j) sums[j] = static_cast<Sum>(c[j]);
    for (u32 i = 0; i < op.k; ++i) {
      const s32 factor = a[row * op.k + i];
      for (u32 j = 0; j < kN; ++j) {
        sums[j] += static_cast<Sum>(Op::apply(factor, b[i * kN + j]));
      }
    }
    for (u32 j = 0; j < kN; ++j) {
      if constexpr (sizeof(Sum) == 8) {
        constexpr s64 kMax = 0x7fffffff;
        constexpr s64 kMin = -kMax - 1;
        c[j] = static_cast<s32>(sums[j] > kMax ? kMax : sums[j] < kMin ? kMin : sums[j]);
      } else {
        c[j] = static_cast<s32>(sums[j]);
      }
    }
  }
}

/// Sum is u32 to wrap around, s64 to saturate in the end.
template <class Op, class Sum>
const Inst* multiply_integers(Warp& w, const Inst& in) {
  if (const Inst* next = wait_for_warp(w, in)) return next;
  const MatrixMultiply& op = operands_of(in);
  alignas(64) s32 a[kMaxCells];
  alignas(64) s32 b[kMaxCells];
  alignas(64) s32 c[kMaxCells];
  unpack_integers(w, op.a, a);
  unpack_integers(w, op.b, b);
  unpack_integers(w, op.c, c);
  switch (op.n) {
    case 8:
      add_integers<Op, Sum, 8>(op, a, b, c);
      break;
    case 16:
      add_integers<Op, Sum, 16>(op, a, b, c);
      break;
    default:
      add_integers<Op, Sum, 32>(op, a, b, c);
      break;
  }
  alignas(64) u32 d[kMaxCells];
  for (u32 i = 0; i < op.m * op.n; ++i) d[i] = static_cast<u32>(c[i]);
  pack(w, op.d, d);
  return &in + 1;
}

Handler multiply_handler(const MatrixMultiply& op) {
  switch (op.a.element) {
    case MatrixElement::b1:
      return op.bit_operation == BitOperation::exclusive_or ? multiply_integers<DifferentBits, u32>
                                                            : multiply_integers<CommonBits, u32>;
    case MatrixElement::s4:
    case MatrixElement::u4:
    case MatrixElement::s8:
    case MatrixElement::u8:
      return op.saturate ? multiply_integers<Product, s64> : multiply_integers<Product, u32>;
    case MatrixElement::f64:
      return multiply_doubles;
    default:
      return multiply_floats;
  }
}

void set_multiply(Binder& b, const MatrixMultiply* op) {
  b.inst.extra = op;
  b.inst.aux = op->rounding;
  b.inst.run = multiply_handler(*op);
}

void bind_mma(Binder& b) {
  set_multiply(b, bind_matrix_multiply(b));
}

void bind_wmma(Binder& b) {
  const MatrixMultiply* op = bind_warp_matrix_multiply(b);
  if (op == nullptr) b.unsupported("");  // load or store
  set_multiply(b, op);
}

}  // namespace

Family matrix_multiply_family() {
  static constexpr Row rows[] = {
      {.name = "mma",
       .forms =
           "mma.sync.aligned.m8n8k4.{row,col}.{row,col}.f32.f16.f16.f32 d, a, b, c\n"
           "mma.sync.aligned.m8n8k4.row.col.{f16,f32}.f16.f16.f16 d, a, b, c\n"
           "mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.{f16.f16,bf16.bf16}.f32 d, a, b, c\n"
           "mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f16.f16.f16.f16 d, a, b, c\n"
           "mma.sync.aligned.{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32 d, a, b, c\n"
           "mma.sync.aligned.{m16n8k16,m16n8k32}.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32 d, a, b, "
           "c\n"
           "mma.sync.aligned.{m16n8k16,m16n8k32}.row.col.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16 d, a, b, "
           "c\n"
           "mma.sync.aligned.{m8n8k4,m16n8k4,m16n8k8,m16n8k16}.row.col.f64.f64.f64.f64 d, a, b, c\n"
           "mma.sync.aligned.{m8n8k16,m16n8k16,m16n8k32}.row.col{.satfinite}.s32.{s8,u8}.{s8,u8}."
           "s32 d, a, b, c\n"
           "mma.sync.aligned.{m8n8k32,m16n8k32,m16n8k64}.row.col{.satfinite}.s32.{s4,u4}.{s4,u4}."
           "s32 d, a, b, c\n"
           "mma.sync.aligned.{m8n8k128,m16n8k128,m16n8k256}.row.col.s32.b1.b1.s32.{xor,and}.popc "
           "d, a, b, c",
       .bind = bind_mma,
       .does = semantics::kMatrixMultiply},
      {.name = "wmma",
       .forms =
           "wmma.mma.sync.aligned.{row,col}.{row,col}.{m16n16k16,m8n32k16,m32n8k16}.f32.f32 d, a, "
           "b, c\n"
           "wmma.mma.sync.aligned.row.col.{m16n16k16,m8n32k16,m32n8k16}.{f16.f16,f16.f32,f32.f16} "
           "d, a, b, c\n"
           "wmma.mma.sync.aligned.row.col.{m16n16k16,m8n32k16,m32n8k16}.f32.bf16.bf16.f32 d, a, b, "
           "c\n"
           "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 d, a, b, c\n"
           "wmma.mma.sync.aligned.row.col.m8n8k4{.rn,.rz,.rm,.rp}.f64.f64.f64.f64 d, a, b, c\n"
           "wmma.mma.sync.aligned.row.col.{m16n16k16,m8n32k16,m32n8k16}.s32.{s8.s8,u8.u8}.s32"
           "{.satfinite} d, a, b, c\n"
           "wmma.mma.sync.aligned.row.col.m8n8k32.s32.{s4.s4,u4.u4}.s32{.satfinite} d, a, b, c\n"
           "wmma.mma.{xor,and}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d, a, b, c",
       .bind = bind_wmma,
       .does = semantics::kWmma},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
