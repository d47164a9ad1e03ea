#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <memory>

#include "histogram.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/histogram/solution.cu"
}

namespace against {
namespace {

constexpr int kCount = 1 << 28;

template <class T>
Contender library(int bins) {
  const auto scratch = std::make_shared<Scratch>();
  return {
      "cub::DeviceHistogram", [=](const Buffers& b) {
        std::size_t bytes = 0;
        const auto run = [&](void* memory) {
          check(cub::DeviceHistogram::HistogramEven(
                    memory, bytes, b.input<T>(0), b.output<unsigned>(), bins + 1, 0, bins, kCount),
                "cub::DeviceHistogram");
        };
        run(nullptr);
        run(scratch->get(bytes));
      }};
}

Row row_of(const std::string& size, const Input& values, int bins) {
  Row row;
  row.lab = "histogram";
  row.size = size;
  row.inputs = {values};
  row.output_bytes = sizeof(unsigned) * static_cast<std::size_t>(bins);
  row.error = [=](const void* got, const void* want) {
    return different_bytes(got, want, sizeof(unsigned) * static_cast<std::size_t>(bins));
  };
  row.work = static_cast<double>(values.bytes);
  row.ceiling = Ceiling::read;
  return row;
}

// ---- Bytes --------------------------------------------------------------------------------------

constexpr int kByteBins = 256;
constexpr int kByteBlock = 1024;
constexpr int kLanes = 32;

// The lab has 32-bit values, for which the memory is the limit. This is the solution's idea where
// they are a quarter of that, and the atomics are: a copy of the histogram for each lane of a warp,
// so that no two lanes meet in a bank, whatever the values; 16 values per load. Equal neighbours
// are counted in one go: what constant values cost is reading them.
//
// The first block clears the bins while all of them count, and says so with the number of the
// launch: a memset before the kernel takes a microsecond or two. Nobody has to wait: the other
// blocks look when they have counted.
__device__ volatile unsigned cleared_for_launch;

__global__ void __launch_bounds__(kByteBlock)
    count_bytes(const uint4* values, unsigned* bins, int quads, unsigned launch) {
  __shared__ unsigned counts[kByteBins * kLanes];
  for (int i = threadIdx.x; i < kByteBins * kLanes; i += kByteBlock) counts[i] = 0;
  if (blockIdx.x == 0) {
    if (threadIdx.x < kByteBins) bins[threadIdx.x] = 0;
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) cleared_for_launch = launch;

  // A bin's copies are 128 bytes, so a byte times 128 is where its bin begins: one shift and one
  // mask for each byte of a word.
  char* const mine = reinterpret_cast<char*>(counts + threadIdx.x % kLanes);
  constexpr unsigned kBinBytes = kLanes * sizeof(unsigned);
  constexpr unsigned kMask = (kByteBins - 1) * kBinBytes;
  const auto add = [=](unsigned bin_begins, unsigned by) {
    atomicAdd(reinterpret_cast<unsigned*>(mine + bin_begins), by);
  };
  const auto count_word = [=](unsigned word) {
    if (word == __byte_perm(word, 0, 0)) {  // the lowest byte four times
      add(word * kBinBytes & kMask, 4);
      return;
    }
    add(word * kBinBytes & kMask, 1);
    add(word >> 1 & kMask, 1);
    add(word >> 9 & kMask, 1);
    add(word >> 17 & kMask, 1);
  };
  const auto count = [=](uint4 quad) {
    const bool equal = quad.x == quad.y && quad.x == quad.z && quad.x == quad.w;
    if (equal && quad.x == __byte_perm(quad.x, 0, 0)) {
      add(quad.x * kBinBytes & kMask, 16);
      return;
    }
    count_word(quad.x);
    count_word(quad.y);
    count_word(quad.z);
    count_word(quad.w);
  };
  const int step = gridDim.x * kByteBlock;
  int i = blockIdx.x * kByteBlock + threadIdx.x;
  for (; i + step < quads; i += 2 * step) {
    const uint4 one = values[i];  // both loads are under way before the first value is counted
    const uint4 two = values[i + step];
    count(one);
    count(two);
  }
  if (i < quads) count(values[i]);
  if (threadIdx.x == 0) {
    while (cleared_for_launch != launch) {
    }
    __threadfence();
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < kByteBins; bin += kByteBlock) {
    unsigned sum = 0;
    for (int k = 0; k < kLanes; ++k) sum += counts[bin * kLanes + (bin + k) % kLanes];
    if (sum > 0) atomicAdd(&bins[bin], sum);
  }
}

Row bytes(const std::string& size, const Input& values) {
  Row row = row_of(size, values, kByteBins);
  row.contenders = {
      library<unsigned char>(kByteBins),
      {"the solution's idea, on bytes", [](const Buffers& b) {
         int multiprocessors = 0;
         check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
               "counting multiprocessors");
         static unsigned launches = 0;
         count_bytes<<<2 * multiprocessors, kByteBlock>>>(b.input<uint4>(0), b.output<unsigned>(),
                                                          kCount / 16, ++launches);
       }}};
  return row;
}

// ---- What the lab asks for ----------------------------------------------------------------------

Row words(const std::string& size, const Input& values, int bins) {
  Row row = row_of(size, values, bins);
  row.contenders = {library<unsigned>(bins), {"solution", [=](const Buffers& b) {
                                                solution::histogram(b.input<unsigned>(0),
                                                                    b.output<unsigned>(), kCount,
                                                                    bins);
                                              }}};
  return row;
}

const Registration kHistogram("histogram", [] {
  return std::vector<Row>{
      bytes("2^28 bytes, 256 bins, uniform", uniform_bytes(kCount)),
      bytes("2^28 bytes, 256 bins, constant", constant_bytes(kCount)),
      words("2^28 words, 256 bins, uniform", uniform_words(kCount, 256), 256),
      words("2^28 words, 256 bins, constant", constant_words(kCount, 256), 256),
      words("2^28 words, 4096 bins, uniform", uniform_words(kCount, 4096), 4096),
      words("2^28 words, 4096 bins, constant", constant_words(kCount, 4096), 4096),
  };
});

}  // namespace
}  // namespace against
