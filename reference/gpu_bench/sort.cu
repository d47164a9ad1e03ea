#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <memory>

#include "reference/gpu_bench/kept_memory.h"
#include "reference/gpu_bench/row.h"
#include "sort.h"

namespace solution {
using against::kept_memory::cudaFree;
using against::kept_memory::cudaMalloc;
#include "reference/sort/solution.cu"
}  // namespace solution
#undef CHECK
namespace shared_masks {
using against::kept_memory::cudaFree;
using against::kept_memory::cudaMalloc;
#include "reference/sort/hopper/shared_masks.cu"
}  // namespace shared_masks

namespace against {
namespace {

Row row_of(int count, const char* size) {
  Row row;
  row.lab = "sort";
  row.size = std::string(size) + " keys of 32 bits, uniform";
  const std::size_t bytes = sizeof(unsigned) * static_cast<std::size_t>(count);
  row.inputs = {uniform_words(static_cast<std::size_t>(count), 0xffffffff)};
  row.output_bytes = bytes;
  row.error = [=](const void* got, const void* want) { return different_bytes(got, want, bytes); };
  // Each key is read and written once in each of four passes, the least for digits of eight bits.
  row.work = 4 * 2.0 * static_cast<double>(bytes);
  row.ceiling = Ceiling::copy;
  const auto scratch = std::make_shared<Scratch>();
  row.contenders = {
      {"cub::DeviceRadixSort",
       [=](const Buffers& b) {
         std::size_t needed = 0;
         const auto run = [&](void* memory) {
           check(cub::DeviceRadixSort::SortKeys(memory, needed, b.input<unsigned>(0),
                                                b.output<unsigned>(), count),
                 "cub::DeviceRadixSort");
         };
         run(nullptr);
         run(scratch->get(needed));
       }},
      {"solution",
       [=](const Buffers& b) {
         solution::sort(b.input<unsigned>(0), b.output<unsigned>(), count);
       }},
      {"hopper/shared_masks",
       [=](const Buffers& b) {
         shared_masks::sort(b.input<unsigned>(0), b.output<unsigned>(), count);
       }},
  };
  return row;
}

const Registration kSort("sort", [] {
  return std::vector<Row>{row_of(1 << 28, "2^28"), row_of(1 << 20, "2^20")};
});

}  // namespace
}  // namespace against
