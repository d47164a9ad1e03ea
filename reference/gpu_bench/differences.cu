#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_adjacent_difference.cuh>
#include <memory>

#include "differences.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/differences/solution.cu"
}
#undef CHECK
namespace by_four {
#include "reference/differences/hopper/by_four.cu"
}

namespace against {
namespace {

const Registration kDifferences("differences", [] {
  constexpr int kCount = 1 << 28;
  Row row;
  row.lab = "differences";
  row.size = "2^28 floats";
  row.inputs = {uniform_floats(kCount)};
  row.output_bytes = sizeof(float) * kCount;
  row.error = [](const void* got, const void* want) {
    return different_bytes(got, want, sizeof(float) * kCount);
  };
  row.work = 2.0 * sizeof(float) * kCount;
  row.ceiling = Ceiling::copy;
  const auto scratch = std::make_shared<Scratch>();
  row.contenders = {
      {"cub::DeviceAdjacentDifference",
       [=](const Buffers& b) {
         std::size_t needed = 0;
         const auto run = [&](void* memory) {
           check(cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, needed, b.input<float>(0),
                                                                 b.output<float>(), kCount),
                 "cub::DeviceAdjacentDifference");
         };
         run(nullptr);
         run(scratch->get(needed));
       }},
      {"solution",
       [=](const Buffers& b) {
         solution::differences(b.input<float>(0), b.output<float>(), kCount);
       }},
      {"hopper/by_four",
       [=](const Buffers& b) {
         by_four::differences(b.input<float>(0), b.output<float>(), kCount);
       }},
  };
  return std::vector<Row>{row};
});

}  // namespace
}  // namespace against
