#pragma once

#include <cstdint>

#include "emulator/device/card.h"
#include "emulator/isa/binder.h"

// What matrix instructions (mma, wmma, ldmatrix, stmatrix, movmatrix) say, once decoded: which
// register of which lane holds which element. Built once for each instruction, in a file that is
// compiled once; the handlers of each SIMD level read it.

namespace warpsim {

/// An element's type in a fragment.
enum class MatrixElement : std::uint8_t {
  b1,
  s4,
  u4,
  s8,
  u8,
  e4m3,
  e5m2,
  f16,
  bf16,
  tf32,
  f32,
  s32,
  f64
};

/// A matrix spread over a warp's registers. Elements are addressed by their position in the matrix
/// stored row by row; for b1, 32 bits of a row of A (or of a column of B) count as one element.
struct MatrixFragment {
  static constexpr unsigned kMaxRegisters = 8;
  static constexpr unsigned kMaxElements = 32;
  MatrixElement element = MatrixElement::f32;
  std::uint8_t element_bits = 32;
  std::uint8_t registers = 0;  // per lane
  /// Registers that hold elements of their own; wmma's f16 operands hold each element twice.
  std::uint8_t distinct = 0;
  std::uint8_t per_register = 1;  // elements; lowest bits first
  std::uint8_t columns_log2 = 0;
  std::int32_t slots[kMaxRegisters] = {};
  /// Element e of register r in lane l is at base[r * per_register + e] + lane_offset[l].
  std::uint16_t base[kMaxElements] = {};
  std::uint16_t lane_offset[kWarpSize] = {};
};

enum class BitOperation : std::uint8_t { exclusive_or, conjunction };

/// D = A * B + C of one warp.
struct MatrixMultiply {
  unsigned m = 0, n = 0, k = 0;  // k in elements of the fragments
  unsigned batch = 1;  // independent products: four for m8n8k4 on f16
  bool saturate = false;  // .satfinite
  std::uint8_t rounding = 0;  // f64: rn, rz, rm, rp
  BitOperation bit_operation = BitOperation::exclusive_or;
  MatrixFragment a, b, c, d;
};

/// A wmma.load or wmma.store.
struct MatrixMemory {
  MatrixFragment fragment;
  bool column_major = false;
  std::int32_t stride_slot = -1;  // elements between rows (or columns), u32; -1: packed
  std::uint32_t packed_stride = 0;
  std::int64_t offset = 0;  // constant part of the address
};

/// An ldmatrix, stmatrix or movmatrix: up to four 8x8 matrices of 16-bit elements.
struct MatrixMove {
  unsigned count = 1;
  bool transposed = false;
  std::int32_t slots[4] = {};
  std::int64_t offset = 0;  // constant part of the address
};

// The bind functions' part that is the same for all SIMD levels. Each takes the instruction's
// modifiers and operands, and makes an operand that lives as long as the process.
// All throw UnsupportedForm.

/// mma.sync.
[[nodiscard]] const MatrixMultiply* bind_matrix_multiply(Binder& binder);
/// wmma.mma.sync; nullptr for another wmma instruction.
[[nodiscard]] const MatrixMultiply* bind_warp_matrix_multiply(Binder& binder);
/// wmma.load or wmma.store, but its address; the address is operand 1 of a load, 0 of a store.
[[nodiscard]] MatrixMemory* bind_matrix_memory(Binder& binder, bool is_load);
/// The registers of ldmatrix (operand 0), stmatrix (operand 1) and their modifiers.
[[nodiscard]] MatrixMove* bind_matrix_move(Binder& binder, std::size_t registers);

/// How a card's tensor cores add floating-point products. The products and the accumulator are
/// aligned to the largest exponent among them, cut off (towards zero) below `fraction_bits` behind
/// the point, and added exactly; then the sum is rounded once. `block` products are added at a
/// time; longer sums are chains of such blocks.
struct MatrixAccumulation {
  int fraction_bits = 0;
  unsigned block = 1;
  int zero_exponent = 0;  // that of an addend that is zero
  int result_bits = 23;  // of an f32 result, after the binary point; towards zero
  /// 8-bit operands are converted to f16 first, which normalises their subnormals.
  bool through_f16 = false;
  /// The products are summed first, those of k % 4 < 2 before the others, and the accumulator is
  /// added last, rounding to nearest.
  bool accumulator_last = false;
  /// Fused multiply-adds in f32 in order of k, and the accumulator last; all round to nearest.
  bool chain = false;
};

/// @source M. Fasi, N. Higham, M. Mikaitis, S. Pranesh, Numerical behavior of NVIDIA tensor cores,
///         PeerJ Computer Science 7 (2021); F. Khattak, M. Mikaitis, Accurate Models of NVIDIA
///         Tensor Cores, arXiv:2512.07004; P. Xie et al., MMA-Sim, arXiv:2511.10909
[[nodiscard]] MatrixAccumulation accumulation_of(const Card& card, const MatrixMultiply& multiply);

}  // namespace warpsim
