// The reference. Each value is read once, 16 bytes per thread and load; what remains is to count as
// fast as the values arrive, whatever they are.
//
// Few bins: a block keeps its histogram in shared memory in up to 32 interleaved copies, one for
// each lane of a warp, so that lanes meet neither on a counter nor in a bank. Constant and skewed
// data cost the same as random ones.
//
// More bins: one copy, in as much shared memory as a block can get. Beyond that the bins are dealt
// out in a few ranges. The blocks of all ranges read the same values at the same time, so that all
// but one of them find them in the second-level cache.
//
// Very many bins, or few values for each: clearing and merging private copies would cost more than
// counting. Counts go to global memory, but for some thousand bins that a block claims as it meets
// them. A hot bin is met early, so skewed data do not pile up on one address.
#include "histogram.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr unsigned int kBlock = 1024;
constexpr unsigned int kLanes = 32;
constexpr unsigned int kCopyWords = 16384;  // 64 KiB: data-centre cards hold two such blocks
constexpr unsigned int kMostRanges = 4;  // with more of them, global atomics are faster
constexpr unsigned int kValuesABin = 16;  // with fewer, private counts are not worth their merging
constexpr unsigned int kSlots = 2048;
constexpr unsigned int kNobody = 0xffffffffu;  // no bin has this number

// Calls `count` once for each of the n values, in the threads of `parts` blocks; the calling block
// is number `part` of them.
template <class Count>
__device__ void for_each_value(const unsigned int* __restrict__ values, unsigned int n,
                               unsigned int part, unsigned int parts, Count count) {
  // A uint4 must lie at a multiple of 16 bytes; `values` lies at a multiple of 4.
  const unsigned int misaligned = reinterpret_cast<size_t>(values) / sizeof(*values) % 4;
  const unsigned int head = min((4 - misaligned) % 4, n);
  const unsigned int quads = (n - head) / 4;
  const uint4* wide = reinterpret_cast<const uint4*>(values + head);
  const auto count_four = [&](uint4 four) {
    count(four.x);
    count(four.y);
    count(four.z);
    count(four.w);
  };

  const unsigned int thread = part * kBlock + threadIdx.x;
  const unsigned int step = parts * kBlock;
  unsigned int i = thread;
  for (; i + step < quads; i += 2 * step) {
    const uint4 one = wide[i];  // both loads are under way before the first value is counted
    const uint4 two = wide[i + step];
    count_four(one);
    count_four(two);
  }
  if (i < quads) count_four(wide[i]);

  if (thread < head) count(values[thread]);
  const unsigned int rest = head + 4 * quads + thread;
  if (rest < n) count(values[rest]);
}

// Block b counts the bins of range b % ranges. There are 1 << copy_bits copies of each count.
__global__ void __launch_bounds__(kBlock)
    count_private(const unsigned int* __restrict__ values, unsigned int* bins, unsigned int n,
                  unsigned int num_bins, unsigned int range, unsigned int ranges, int copy_bits) {
  extern __shared__ uint4 shared[];  // of 16-byte elements, to clear them four counts at a time
  unsigned int* counts = reinterpret_cast<unsigned int*>(shared);
  const unsigned int copies = 1u << copy_bits;
  const unsigned int first = blockIdx.x % ranges * range;
  const unsigned int size = min(range, num_bins - first);
  for (unsigned int i = threadIdx.x; 4 * i < size * copies; i += kBlock) {
    shared[i] = make_uint4(0, 0, 0, 0);
  }
  __syncthreads();

  unsigned int* mine = counts + threadIdx.x % copies;
  for_each_value(values, n, blockIdx.x / ranges, gridDim.x / ranges, [=](unsigned int value) {
    const unsigned int bin = value - first;  // values below the range wrap to far above it
    if (bin < size) atomicAdd(&mine[bin << copy_bits], 1u);
  });
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < size; bin += kBlock) {
    unsigned int sum = 0;
    // Each thread begins with another copy, so that the threads of a warp read different banks.
    for (unsigned int k = 0; k < copies; ++k) {
      sum += counts[(bin << copy_bits) + (bin + k) % copies];
    }
    if (sum > 0) atomicAdd(&bins[first + bin], sum);
  }
}

// A bin is counted in slot bin % kSlots of its block, unless another bin was there first.
__global__ void __launch_bounds__(kBlock)
    count_global(const unsigned int* __restrict__ values, unsigned int* bins, unsigned int n,
                 unsigned int num_bins) {
  __shared__ unsigned int owner[kSlots];
  __shared__ unsigned int counts[kSlots];
  for (unsigned int slot = threadIdx.x; slot < kSlots; slot += kBlock) {
    owner[slot] = kNobody;
    counts[slot] = 0;
  }
  __syncthreads();

  for_each_value(values, n, blockIdx.x, gridDim.x, [&](unsigned int bin) {
    if (bin >= num_bins) return;
    const unsigned int slot = bin % kSlots;
    unsigned int found = *const_cast<volatile unsigned int*>(&owner[slot]);  // may change any time
    if (found == kNobody) found = atomicCAS(&owner[slot], kNobody, bin);
    if (found == kNobody || found == bin) {
      atomicAdd(&counts[slot], 1u);
    } else {
      atomicAdd(&bins[bin], 1u);
    }
  });
  __syncthreads();

  for (unsigned int slot = threadIdx.x; slot < kSlots; slot += kBlock) {
    if (owner[slot] != kNobody) atomicAdd(&bins[owner[slot]], counts[slot]);
  }
}

unsigned int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return static_cast<unsigned int>(value);
}

unsigned int divided_up(unsigned int a, unsigned int b) {
  return (a + b - 1) / b;
}

}  // namespace

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  const auto count = static_cast<unsigned int>(n);
  const auto all_bins = static_cast<unsigned int>(num_bins);
  const unsigned int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  const unsigned int most_words = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / 16 * 4;
  const unsigned int range = std::min(all_bins, most_words);
  const unsigned int ranges = divided_up(all_bins, range);
  if (ranges > kMostRanges || count / kValuesABin < all_bins) {
    const unsigned int blocks = std::min(divided_up(count, 4 * kBlock), 4 * multiprocessors);
    count_global<<<blocks, kBlock>>>(values, bins, count, all_bins);
    CHECK(cudaGetLastError());
    return;
  }

  // As many copies as fit, but no block should clear more words than it counts values.
  const unsigned int most_copies = std::min(kCopyWords, count / multiprocessors) / range;
  int copy_bits = 0;
  while ((2u << copy_bits) <= std::min(kLanes, most_copies)) ++copy_bits;
  const unsigned int words = range << copy_bits;
  const unsigned int bytes = divided_up(words, 4) * sizeof(uint4);
  CHECK(cudaFuncSetAttribute(count_private, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  int resident = 0;  // blocks that a multiprocessor holds at the same time
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, count_private, kBlock, bytes));

  // If there are values enough, as many blocks as the device holds, and the same number for each of
  // its multiprocessors.
  const unsigned int wanted = divided_up(count, std::max(words, 4 * kBlock));
  const unsigned int rounds =
      std::clamp(wanted * ranges / multiprocessors, 1u, static_cast<unsigned int>(resident));
  const unsigned int parts = std::min(wanted, std::max(rounds * multiprocessors / ranges, 1u));
  count_private<<<parts * ranges, kBlock, bytes>>>(values, bins, count, all_bins, range, ranges,
                                                   copy_bits);
  CHECK(cudaGetLastError());
}
