#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "emulator/cudart/local/library_call.h"

// Arrays and matrices of a library's call, in words and bytes.

namespace warpsim::libraries {

using cudart::LibraryArgument;
using Arguments = cudart::LibraryCall::Arguments;

/// How a call uses an argument.
enum class Use : std::uint8_t { none, read, write, update };
[[nodiscard]] constexpr Use read_if(bool reads) {
  return reads ? Use::read : Use::none;
}
/// An output that the call reads unless the factor of its old value is 0.
template <class T>
[[nodiscard]] Use output(T factor) {
  return factor == T{} ? Use::write : Use::update;
}
void set_use(LibraryArgument& argument, Use use);

/// @param elements, increment  in elements
[[nodiscard]] LibraryArgument vector_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, std::int64_t elements,
                                        std::int64_t increment, Use use);
template <class T>
[[nodiscard]] LibraryArgument vector_of(std::string name, const T* pointer, std::int64_t elements,
                                        std::int64_t increment, Use use) {
  return vector_of(std::move(name), pointer, sizeof(T), elements, increment, use);
}

/// A column-major matrix unless it says otherwise. Sizes are in elements.
struct MatrixShape {
  /// What of it is used: all, a triangle, or of a band, whose diagonals are its rows, what lies
  /// inside the matrix.
  enum class Part : std::uint8_t { all, upper, lower, band };

  std::int64_t rows = 0, columns = 0, leading = 0;
  Part part = Part::all;
  bool has_diagonal = true;  // of a triangle, or of a band that is one
  std::int64_t above = 0, band_rows = 0;  // of a band: diagonals above the main one, rows
  std::int64_t batch = 1, stride = 0;  // elements from one matrix to the next
  bool by_rows = false;  // row-major; then all of it is used
};
/// @param leading_name  of the leading dimension; null: "lda" of `A`
[[nodiscard]] LibraryArgument matrix_of(std::string name, const void* pointer,
                                        std::size_t element_bytes, const MatrixShape& shape,
                                        Use use, const char* leading_name = nullptr);
template <class T>
[[nodiscard]] LibraryArgument matrix_of(std::string name, const T* pointer,
                                        const MatrixShape& shape, Use use) {
  return matrix_of(std::move(name), pointer, sizeof(T), shape, use);
}

}  // namespace warpsim::libraries
