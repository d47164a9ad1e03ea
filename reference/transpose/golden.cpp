#include "harness/golden/golden.h"

#include <cstddef>

/// One element after the other. Nothing is rounded: the condition is 0.
WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  const auto rows = static_cast<std::size_t>(call.dim("rows"));
  const auto columns = static_cast<std::size_t>(call.dim("columns"));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      out.want[j * rows + i] = in[i * columns + j];
      out.condition[j * rows + i] = 0;
    }
  }
}
