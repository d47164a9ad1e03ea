#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_select.cuh>
#include <memory>

#include "compaction.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/compaction/solution.cu"
}

namespace against {
namespace {

struct Positive {
  __device__ bool operator()(int value) const { return value > 0; }
};

// The output is the values that are kept, zeros after them, and their number at its end.
Row row_of(int count, const char* size) {
  Row row;
  row.lab = "compaction";
  row.size = std::string(size) + " ints, half are kept";
  const std::size_t elements = static_cast<std::size_t>(count);
  row.inputs = {uniform_words(elements, 0xffffffff)};
  row.output_bytes = sizeof(int) * (elements + 1);
  row.error = [bytes = row.output_bytes](const void* got, const void* want) {
    return different_bytes(got, want, bytes);
  };
  row.work = 2.0 * sizeof(int) * count;
  row.ceiling = Ceiling::copy;
  const auto scratch = std::make_shared<Scratch>();
  row.contenders = {
      {"cub::DeviceSelect after a memset",
       [=](const Buffers& b) {
         int* const kept = b.output<int>();
         check(cudaMemsetAsync(kept, 0, sizeof(int) * elements), "clearing the output");
         std::size_t needed = 0;
         const auto run = [&](void* memory) {
           check(cub::DeviceSelect::If(memory, needed, b.input<int>(0), kept, kept + count, count,
                                       Positive{}),
                 "cub::DeviceSelect");
         };
         run(nullptr);
         run(scratch->get(needed));
       }},
      {"solution",
       [=](const Buffers& b) {
         solution::compaction(b.input<int>(0), b.output<int>(), b.output<int>() + count, count);
       }},
  };
  return row;
}

const Registration kCompaction("compaction", [] {
  return std::vector<Row>{row_of(1 << 28, "2^28"), row_of(1 << 20, "2^20")};
});

}  // namespace
}  // namespace against
