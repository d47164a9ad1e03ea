#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <memory>

#include "reduction.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/reduction/solution.cu"
}

namespace against {
namespace {

Row row_of(int count, const char* size) {
  Row row;
  row.lab = "reduction";
  row.size = std::string(size) + " floats, sum";
  row.inputs = {positive_floats(static_cast<std::size_t>(count))};
  row.output_bytes = sizeof(float);
  row.error = [](const void* got, const void* want) { return relative_error(got, want, 1); };
  row.largest_error = 1e-5;
  row.work = static_cast<double>(sizeof(float)) * count;
  row.ceiling = Ceiling::read;
  const auto scratch = std::make_shared<Scratch>();
  row.contenders = {
      {"cub::DeviceReduce",
       [=](const Buffers& b) {
         std::size_t bytes = 0;
         check(cub::DeviceReduce::Sum(nullptr, bytes, b.input<float>(0), b.output<float>(), count),
               "cub::DeviceReduce");
         check(cub::DeviceReduce::Sum(scratch->get(bytes), bytes, b.input<float>(0),
                                      b.output<float>(), count),
               "cub::DeviceReduce");
       }},
      {"solution",
       [=](const Buffers& b) {
         solution::reduction(b.input<float>(0), b.output<float>(), count, kSum);
       }},
  };
  return row;
}

const Registration kReduction("reduction", [] {
  return std::vector<Row>{row_of(1 << 28, "2^28"), row_of(1 << 20, "2^20")};
});

}  // namespace
}  // namespace against
