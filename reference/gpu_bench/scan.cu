#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_scan.cuh>
#include <memory>

#include "reference/gpu_bench/row.h"
#include "scan.h"

namespace solution {
#include "reference/scan/solution.cu"
}
#undef CHECK
namespace waves {
#include "reference/scan/stages/12_waves.cu"
}

namespace against {
namespace {

Row row_of(int count, const char* size) {
  Row row;
  row.lab = "scan";
  row.size = std::string(size) + " floats, inclusive";
  row.inputs = {positive_floats(static_cast<std::size_t>(count))};
  row.output_bytes = sizeof(float) * static_cast<std::size_t>(count);
  row.error = [=](const void* got, const void* want) {
    return relative_error(got, want, static_cast<std::size_t>(count));
  };
  row.largest_error = 1e-5;
  row.work = 2.0 * sizeof(float) * count;
  row.ceiling = Ceiling::copy;
  const auto scratch = std::make_shared<Scratch>();
  row.contenders = {
      {"cub::DeviceScan",
       [=](const Buffers& b) {
         std::size_t bytes = 0;
         check(cub::DeviceScan::InclusiveSum(nullptr, bytes, b.input<float>(0), b.output<float>(),
                                             count),
               "cub::DeviceScan");
         check(cub::DeviceScan::InclusiveSum(scratch->get(bytes), bytes, b.input<float>(0),
                                             b.output<float>(), count),
               "cub::DeviceScan");
       }},
      {"solution",
       [=](const Buffers& b) { solution::scan(b.input<float>(0), b.output<float>(), count, 0); }},
      {"stage 12_waves",
       [=](const Buffers& b) { waves::scan(b.input<float>(0), b.output<float>(), count, 0); }},
  };
  return row;
}

const Registration kScan("scan", [] {
  return std::vector<Row>{row_of(1 << 28, "2^28"), row_of(1 << 20, "2^20")};
});

}  // namespace
}  // namespace against
