#include "harness/golden/golden.h"

#include <cstddef>

/// Column by column, in float and in the order of the rows: each sum is rounded as it has to be, so
/// the condition is 0.
WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  const auto rows = static_cast<std::size_t>(call.dim("rows"));
  const auto columns = static_cast<std::size_t>(call.dim("columns"));
  for (std::size_t c = 0; c < columns; ++c) {
    float sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += in[r * columns + c];
    out.want[c] = sum;
    out.condition[c] = 0;
  }
}
