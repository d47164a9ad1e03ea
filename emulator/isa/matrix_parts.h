#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/isa/binder.h"
#include "emulator/isa/matrix_operand.h"

// What the bind functions of all matrix instructions share: shapes, element types and fragments.

namespace warpsim {

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// Takes all element types, in the order in which they are written.
std::vector<MatrixElement> take_elements(Binder& binder);
/// Takes a shape such as "m16n8k16". Throws UnsupportedForm when there is none.
MatrixShape take_shape(Binder& binder);

[[nodiscard]] inline bool is_f8(MatrixElement element) {
  return element == MatrixElement::e4m3 || element == MatrixElement::e5m2;
}
[[nodiscard]] inline bool is_int8(MatrixElement element) {
  return element == MatrixElement::s8 || element == MatrixElement::u8;
}
[[nodiscard]] unsigned bits_of(MatrixElement element);
/// Elements of a register that have a place of their own in the matrix.
[[nodiscard]] unsigned cells(MatrixElement element);
[[nodiscard]] std::uint8_t log2_of(unsigned value);

[[nodiscard]] MatrixFragment empty_fragment(MatrixElement element);
/// A of m x k elements, in registers.
[[nodiscard]] MatrixFragment fragment_a(MatrixElement element, unsigned m, unsigned k);
/// Sets the register slots of a fragment from an operand: a vector, or one register.
void take_registers(Binder& binder, std::size_t i, MatrixFragment& fragment, bool is_destination);

}  // namespace warpsim
