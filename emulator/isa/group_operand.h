#pragma once

#include <cstdint>
#include <vector>

#include "emulator/isa/binder.h"
#include "emulator/isa/matrix_operand.h"

// What wgmma says, once decoded: four warps multiply 64 rows of A by a matrix B in shared memory,
// and each of them does 16 rows on its own. Built once for each instruction, in a file that is
// compiled once; the handlers of each SIMD level read it.

namespace warpsim {

/// An operand in shared memory, which a 64-bit descriptor says where to find.
struct GroupMemory {
  std::int32_t descriptor = -1;  // slot; -1: the operand is in registers
  /// The rows of shared memory run along m or n, not along k. For elements of 16 bits only.
  bool across_k = false;
  bool negated = false;
};

/// D = A * B + D of a warp group: 64 x n elements, of which a warp has 16 x n.
struct GroupMultiply {
  /// The operands' elements lie in rows of 32 bytes along k, whatever their type.
  static constexpr unsigned kRowBytes = 32;
  static constexpr unsigned kRows = 16;  // of a warp
  static constexpr unsigned kMostColumns = 256;

  unsigned n = 0;
  /// Types and sizes for accumulation_of; fragments of B, C and D have no registers.
  MatrixMultiply shape;
  GroupMemory a, b;
  std::vector<std::int32_t> d;  // slots, in the order in which they are written
  std::int32_t scale = -1;  // slot of the predicate that D is added; -1: `adds` says it
  bool scale_negated = false;
  bool adds = true;
};

/// What is named in a matrix descriptor.
struct GroupDescriptor {
  std::uint32_t start = 0;  // offset in shared memory
  std::uint32_t leading = 0, stride = 0;  // bytes
  std::uint32_t base = 0;  // of the pattern of the swizzle, in rows of 128 bytes
  std::uint32_t swizzle = 0;  // bytes: 0, 32, 64, 128
  std::uint64_t unknown = 0;  // bits that mean nothing and must be zero

  [[nodiscard]] static GroupDescriptor decode(std::uint64_t bits);
  /// Where the 16 bytes are that hold, along k, the elements `chunk` (0 or 1) of `row`.
  [[nodiscard]] std::uint32_t along_k(std::uint32_t row, std::uint32_t chunk) const;
  /// Where the 16 bytes are that hold the rows 8 * `chunk` and after, of element `k`.
  [[nodiscard]] std::uint32_t across_k(std::uint32_t chunk, std::uint32_t k) const;

 private:
  [[nodiscard]] std::uint32_t swizzled(std::uint32_t offset) const;
};

/// How wgmma adds: measured on an H200 (docs/emulator.md).
[[nodiscard]] MatrixAccumulation accumulation_of(const GroupMultiply& multiply);

/// Binds wgmma.mma_async. Throws UnsupportedForm.
[[nodiscard]] const GroupMultiply* bind_group_multiply(Binder& binder);

}  // namespace warpsim
