#include "stencil.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/stencil/solution.cu"
}
#undef CHECK
namespace simple {
#include "reference/stencil/stages/01_thread_per_cell.cu"
}
#undef CHECK
namespace planes_in_a_ring {
#include "reference/stencil/hopper/planes_in_a_ring.cu"
}

namespace against {
namespace {

// No library has it: the share of the ceiling is the rate over that of a copy, which reads and
// writes each cell once.
Row row_of(int nx, int ny, int nz) {
  Row row;
  row.lab = "stencil";
  row.size = std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) +
             " floats, seven points";
  const std::size_t cells =
      static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
  row.inputs = {uniform_floats(cells)};
  row.output_bytes = sizeof(float) * cells;
  row.error = [=](const void* got, const void* want) { return relative_error(got, want, cells); };
  row.largest_error = 1e-6;
  row.work = 2.0 * sizeof(float) * static_cast<double>(cells);
  row.ceiling = Ceiling::copy;
  row.contenders = {
      {"stage 01_thread_per_cell",
       [=](const Buffers& b) {
         simple::stencil(b.input<float>(0), b.output<float>(), nx, ny, nz);
       }},
      {"solution",
       [=](const Buffers& b) {
         solution::stencil(b.input<float>(0), b.output<float>(), nx, ny, nz);
       }},
      {"hopper/planes_in_a_ring",
       [=](const Buffers& b) {
         planes_in_a_ring::stencil(b.input<float>(0), b.output<float>(), nx, ny, nz);
       }},
  };
  return row;
}

const Registration kStencil("stencil", [] {
  return std::vector<Row>{row_of(512, 512, 1024), row_of(1001, 499, 503)};
});

}  // namespace
}  // namespace against
