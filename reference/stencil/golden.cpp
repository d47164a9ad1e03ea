#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>

/// Cell by cell, in float64. The weights are powers of two, so that only additions round.
WARPGRADE_GOLDEN(call) {
  constexpr double kCentre = 0.25;
  constexpr double kNeighbour = 0.125;
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  const auto nx = static_cast<std::size_t>(call.dim("nx"));
  const auto ny = static_cast<std::size_t>(call.dim("ny"));
  const auto nz = static_cast<std::size_t>(call.dim("nz"));
  const std::size_t plane = nx * ny;
  for (std::size_t z = 0; z < nz; ++z) {
    for (std::size_t y = 0; y < ny; ++y) {
      for (std::size_t x = 0; x < nx; ++x) {
        const std::size_t i = z * plane + y * nx + x;
        if (x == 0 || x + 1 == nx || y == 0 || y + 1 == ny || z == 0 || z + 1 == nz) {
          out.want[i] = in[i];
          out.condition[i] = 0;
          continue;
        }
        double sum = kCentre * in[i];
        double size = std::abs(sum);
        for (const std::size_t neighbour : {i - 1, i + 1, i - nx, i + nx, i - plane, i + plane}) {
          const double term = kNeighbour * in[neighbour];
          sum += term;
          size += std::abs(term);
        }
        out.want[i] = sum;
        out.condition[i] = size;
      }
    }
  }
}
