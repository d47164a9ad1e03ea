// The lab's header and all includes of its programs come first, so that a program can be included
// within a namespace.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "reference/gpu_bench/row.h"
#include "vecadd.h"

namespace solution {
#include "reference/vecadd/solution.cu"
}

namespace against {
namespace {

constexpr int kCount = 1 << 28;

// A hand-optimized kernel: 16-byte accesses, one per thread and array.
__global__ void add_quads(const float4* a, const float4* b, float4* c, int quads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  const float4 x = a[i];
  const float4 y = b[i];
  c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

// The lab's function takes host memory, and what it does is mostly copying. Its kernel is what can
// be compared.
const Registration kVecadd("vecadd", [] {
  Row row;
  row.lab = "vecadd";
  row.size = "2^28 floats";
  row.inputs = {uniform_floats(kCount), uniform_floats(kCount)};
  row.output_bytes = sizeof(float) * kCount;
  row.error = [](const void* got, const void* want) { return relative_error(got, want, kCount); };
  row.work = 3.0 * sizeof(float) * kCount;
  row.ceiling = Ceiling::copy;
  row.contenders = {
      {"16-byte accesses by hand",
       [](const Buffers& b) {
         add_quads<<<kCount / 4 / 256, 256>>>(b.input<float4>(0), b.input<float4>(1),
                                              b.output<float4>(), kCount / 4);
       }},
      {"solution's kernel",
       [](const Buffers& b) {
         solution::add<<<solution::blocks_for(kCount), solution::kBlock>>>(
             b.input<float>(0), b.input<float>(1), b.output<float>(), kCount);
       }},
  };
  return std::vector<Row>{row};
});

}  // namespace
}  // namespace against
