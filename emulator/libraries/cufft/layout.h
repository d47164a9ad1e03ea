#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/cudart/local/library_call.h"
#include "emulator/libraries/cufft/types.h"

namespace warpsim::cufft {

/// Whether the elements of a transform's input or output are complex.
[[nodiscard]] bool has_complex_input(Type type);
[[nodiscard]] bool has_complex_output(Type type);
[[nodiscard]] bool is_double(Type type);

/// Where the elements of one side of a transform are, in elements of that side.
struct Layout {
  std::vector<std::int64_t> counts;  // of each dimension, the last one is the innermost
  std::vector<std::int64_t> strides;
  std::int64_t batch = 1;
  std::int64_t distance = 0;  // between transforms

  bool operator==(const Layout&) const = default;

  /// From the first element to after the last one.
  [[nodiscard]] std::int64_t extent() const;
  /// The bytes that are used, piece by piece.
  [[nodiscard]] cudart::LibraryArgument::Pieces pieces(std::uint64_t bytes_of_element) const;
};

/// One side of cufftPlanMany's advanced layout.
struct Embedding {
  std::vector<std::int64_t> sizes;  // inembed or onembed; empty: the basic layout
  std::int64_t stride = 1;
  std::int64_t distance = 0;
};

/// What a plan transforms.
struct Shape {
  Type type = Type::c2c;
  std::vector<std::int64_t> sizes;  // of each dimension of the transform, in logical elements
  std::int64_t batch = 1;
  Embedding input, output;

  /// Both sides have the advanced layout, or none.
  [[nodiscard]] bool is_embedded() const { return !input.sizes.empty(); }
  [[nodiscard]] bool has_real_side() const {
    return has_complex_input(type) != has_complex_output(type);
  }
  /// Elements of one transform.
  [[nodiscard]] std::int64_t elements() const;
  /// Bytes of all complex results: what this library calls the size of a work area, though it
  /// needs none.
  [[nodiscard]] std::uint64_t work_bytes() const;
  /// @param in_place  rows of real numbers are then padded to those of the complex ones
  [[nodiscard]] Layout input_layout(bool in_place) const;
  [[nodiscard]] Layout output_layout(bool in_place) const;
};

/// "64 x 33 complex numbers, batch of 10"
[[nodiscard]] std::string in_words(const Layout& layout, bool is_complex);

}  // namespace warpsim::cufft
