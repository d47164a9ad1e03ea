#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// Sorting and searching written by hand: radix sort by digits with ranks inside a block, merge sort
// along merge paths, odd-even and rank sort of a student's first day, quickselect, binary searches,
// and stable compaction.

namespace {

constexpr int kBlock = 128, kDigits = 16;

// -- least significant digit first, four bits at a time
// ---------------------------------------------

/// Counts digits by block; the table is digit-major so that its prefix sums are the places.
__global__ void count_digits(const unsigned* keys, int* table, int n, int shift) {
  __shared__ int counts[kDigits];
  if (threadIdx.x < kDigits) counts[threadIdx.x] = 0;
  __syncthreads();
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&counts[keys[i] >> shift & (kDigits - 1)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) table[threadIdx.x * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}

/// Exclusive prefix sums of any length by one block that walks over it.
__global__ void scan(int* cells, int n) {
  __shared__ int sums[256];
  int before = 0;
  for (int first = 0; first < n; first += 256) {
    const int i = first + int(threadIdx.x), own = i < n ? cells[i] : 0;
    sums[threadIdx.x] = own;
    for (unsigned by = 1; by < 256; by *= 2) {
      __syncthreads();
      const int add = threadIdx.x >= by ? sums[threadIdx.x - by] : 0;
      __syncthreads();
      sums[threadIdx.x] += add;
    }
    __syncthreads();
    if (i < n) cells[i] = before + sums[threadIdx.x] - own;
    before += sums[255];
    __syncthreads();
  }
}

/// Ranks equal digits by the lanes' order within a warp and the warps' within the block.
__global__ void scatter(const unsigned* keys, unsigned* sorted, const int* table, int n,
                        int shift) {
  __shared__ int by_warp[kBlock / 32][kDigits];
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane < kDigits) by_warp[warp][lane] = 0;
  __syncwarp();
  const unsigned key = i < n ? keys[i] : 0;
  const int digit = i < n ? int(key >> shift & (kDigits - 1)) : -1;
  const unsigned same = __match_any_sync(~0u, digit);
  const int rank = __popc(same & ((1u << lane) - 1));
  if (digit >= 0 && rank == 0) by_warp[warp][digit] = __popc(same);
  __syncthreads();
  if (digit < 0) return;
  int place = table[digit * int(gridDim.x) + int(blockIdx.x)] + rank;
  for (unsigned w = 0; w < warp; ++w) place += by_warp[w][digit];
  sorted[place] = key;
}

void radix(int n) {
  std::vector<unsigned> keys;
  for (const int x : testing::random_integers(std::size_t(n), 1 << 20))
    keys.push_back(unsigned(x) * 4099u);
  testing::Buffer<unsigned> a(keys), b(keys.size());
  const unsigned blocks = testing::blocks_for(keys.size(), kBlock);
  testing::Buffer<int> table(blocks * kDigits);
  testing::Buffer<unsigned>*from = &a, *to = &b;
  for (int shift = 0; shift < 32; shift += 4) {
    count_digits<<<blocks, kBlock>>>(from->get(), table.get(), n, shift);
    scan<<<1, 256>>>(table.get(), int(blocks) * kDigits);
    scatter<<<blocks, kBlock>>>(from->get(), to->get(), table.get(), n, shift);
    std::swap(from, to);
  }
  FINISH_LAUNCH();
  std::sort(keys.begin(), keys.end());
  EXPECT(from->download() == keys);
}

// -- merge path -----------------------------------------------------------------------------------

/// How many of the first `diagonal` elements of the merged sequence come from `a`.
template <class T>
__device__ int merge_path(const T* a, int a_count, const T* b, int b_count, int diagonal) {
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// One pass of a merge sort: pairs of runs of `width`; every thread merges kEach outputs.
template <class T, int kEach>
__global__ void merge_pass(const T* in, T* out, int n, int width) {
  const int start = int(blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  if (start >= n) return;
  const int pair = start / (2 * width) * 2 * width;
  const int middle = min(pair + width, n), end = min(pair + 2 * width, n);
  const T *a = in + pair, *b = in + middle;
  const int a_count = middle - pair, b_count = end - middle, diagonal = start - pair;
  int i = merge_path(a, a_count, b, b_count, diagonal), j = diagonal - i;
  for (int k = start; k < min(start + kEach, end); ++k) {
    out[k] = j >= b_count || (i < a_count && a[i] <= b[j]) ? a[i++] : b[j++];
  }
}

void merges(int n) {
  const std::vector<int> values = testing::random_integers(std::size_t(n), 5000, 4);
  std::vector<double> want(values.begin(), values.end());
  testing::Buffer<double> a(want), b(want.size());
  testing::Buffer<double>*from = &a, *to = &b;
  // A thread's outputs stay in one pair of runs: its start is a multiple of two, and so are pairs.
  for (int width = 1; width < n; width *= 2) {
    merge_pass<double, 2><<<testing::blocks_for(want.size(), 2 * kBlock), kBlock>>>(
        from->get(), to->get(), n, width);
    std::swap(from, to);
  }
  FINISH_LAUNCH();
  std::sort(want.begin(), want.end());
  testing::expect_equal(from->download(), want);
}

// -- simple sorts
// -----------------------------------------------------------------------------------

/// Rounds of neighbours' exchanges until nobody in the block has exchanged anything.
__global__ void odd_even(int* cells, int n, int* rounds) {
  int exchanged = 1;
  for (int round = 0; exchanged != 0; ++round) {
    exchanged = 0;
    for (int phase = 0; phase < 2; ++phase) {
      const int i = 2 * int(threadIdx.x) + phase;
      if (i + 1 < n && cells[i] > cells[i + 1]) {
        const int x = cells[i];
        cells[i] = cells[i + 1], cells[i + 1] = x;
        exchanged = 1;
      }
      __syncthreads();
    }
    exchanged = __syncthreads_or(exchanged);
    if (threadIdx.x == 0) *rounds = round + 1;
  }
}

/// Everyone counts who comes before it.
__global__ void rank_sort(const short* in, short* out, int n) {
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) {
    int place = 0;
#pragma unroll 8
    for (int k = 0; k < n; ++k) place += in[k] < in[i] || (in[k] == in[i] && k < i);
    out[place] = in[i];
  }
}

/// The k-th smallest by halving the range of values: __syncthreads_count does the counting.
__global__ void select(const int* in, int n, int* out) {
  const int k = int(blockIdx.x) * 7;
  int low = 0, high = 1 << 20;  // low <= answer < high
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    int below = 0;
    for (int first = 0; first < n; first += int(blockDim.x)) {
      const int i = first + int(threadIdx.x);
      below += __syncthreads_count(i < n && in[i] < middle);
    }
    (below <= k ? low : high) = middle;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = low;
}

/// Where each value would stand; the sorted array is read through the read-only path.
__global__ void search(const int* __restrict__ sorted, int n, const int* __restrict__ values,
                       int2* out) {
  const int x = values[threadIdx.x];
  int place[2];
  for (int upper = 0; upper < 2; ++upper) {
    int low = 0, count = n;
    while (count > 0) {
      const int step = count / 2, y = __ldg(sorted + low + step);
      if (upper ? !(x < y) : y < x) {
        low += step + 1, count -= step + 1;
      } else {
        count = step;
      }
    }
    place[upper] = low;
  }
  out[threadIdx.x] = make_int2(place[0], place[1]);
}

/// Keeps the order: ballots in a warp, sums over the warps, one block over the whole array.
__global__ void compact(const int* in, int* out, int n, int* count) {
  __shared__ int by_warp[kBlock / 32];
  int base = 0;
  for (int first = 0; first < n; first += kBlock) {
    const int i = first + int(threadIdx.x), lane = int(threadIdx.x % 32),
              warp = int(threadIdx.x / 32);
    const bool keep = i < n && (in[i] & 5) == 4;
    const unsigned kept = __ballot_sync(~0u, keep);
    if (lane == 0) by_warp[warp] = __popc(kept);
    __syncthreads();
    int before = base;
    for (int w = 0; w < kBlock / 32; ++w) {
      before += w < warp ? by_warp[w] : 0;
      base += by_warp[w];
    }
    if (keep) out[before + __popc(kept & ((1u << lane) - 1))] = in[i];
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = base;
}

void simple_sorts() {
  std::vector<int> values = testing::random_integers(150, 90, 5);
  testing::Buffer<int> cells(values);
  testing::Buffer<int> rounds(1);
  odd_even<<<1, 75>>>(cells.get(), 150, rounds.get());
  FINISH_LAUNCH();
  std::vector<short> shorts(values.begin(), values.end());
  const testing::Buffer<short> in(shorts);
  testing::Buffer<short> out(150);
  rank_sort<<<1, 64>>>(in.get(), out.get(), 150);
  FINISH_LAUNCH();
  std::sort(values.begin(), values.end());
  std::sort(shorts.begin(), shorts.end());
  testing::expect_equal(cells.download(), values);
  EXPECT(rounds.download()[0] > 1 && rounds.download()[0] <= 76);
  testing::expect_equal(out.download(), shorts);
}

void searches() {
  std::vector<int> values = testing::random_integers(1003, 1 << 20, 6), want;
  const testing::Buffer<int> in(values);
  testing::Buffer<int> kept(values.size()), count(1), kth(100);
  kept.fill_bytes(0);
  compact<<<1, kBlock>>>(in.get(), kept.get(), 1003, count.get());
  select<<<100, 96>>>(in.get(), 1003, kth.get());
  FINISH_LAUNCH();
  std::copy_if(values.begin(), values.end(), std::back_inserter(want),
               [](int x) { return (x & 5) == 4; });
  std::vector<int> got = kept.download();
  EXPECT(count.download()[0] == int(want.size()));
  got.resize(want.size());
  testing::expect_equal(got, want);
  std::sort(values.begin(), values.end());
  want.clear();
  for (std::size_t k = 0; k < 700; k += 7) want.push_back(values[k]);
  testing::expect_equal(kth.download(), want);

  for (int& value : values) value /= 4096;  // with many equal ones
  std::vector<int> wanted = testing::random_integers(64, 260, 7);
  const testing::Buffer<int> ordered(values), keys(wanted);
  testing::Buffer<int2> places(64);
  search<<<1, 64>>>(ordered.get(), 1003, keys.get(), places.get());
  FINISH_LAUNCH();
  const auto got_places = places.download();
  for (std::size_t i = 0; i < 64; ++i) {
    const auto range = std::equal_range(values.begin(), values.end(), wanted[i]);
    EXPECT(got_places[i].x == range.first - values.begin());
    EXPECT(got_places[i].y == range.second - values.begin());
  }
}

void run() {
  for (const int n : {1, 127, 129, 5000}) radix(n);
  for (const int n : {2, 100, 3001}) merges(n);
  simple_sorts();
  searches();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
