#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// CUB inside a block and inside a warp: every algorithm of reduction, scan, load and store,
// sorting, and blocks that are not whole warps or have two dimensions.

namespace {

/// @param valid  only the first threads take part in the last sum
template <int X, int Y, cub::BlockReduceAlgorithm Algorithm>
__global__ void block_reduce(const int* in, int* out, int valid) {
  using Reduce = cub::BlockReduce<int, X, Algorithm, Y>;
  __shared__ typename Reduce::TempStorage storage;
  const int t = int(threadIdx.y * blockDim.x + threadIdx.x);
  int two[2] = {in[2 * t], in[2 * t + 1]};
  const int sum = Reduce(storage).Sum(two);
  __syncthreads();
  const int largest = Reduce(storage).Reduce(in[t], [](int a, int b) { return max(a, b); });
  __syncthreads();
  const int part = Reduce(storage).Sum(in[t], valid);
  if (t == 0) out[0] = sum, out[1] = largest, out[2] = part;
}

template <int X, int Y, cub::BlockReduceAlgorithm Algorithm>
void expect_block_reduce() {
  constexpr int kThreads = X * Y;
  const std::vector<int> values = testing::random_integers(2 * kThreads, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(3);
  for (const int valid : {1, kThreads / 2, kThreads}) {
    block_reduce<X, Y, Algorithm><<<1, dim3(X, Y)>>>(in.get(), out.get(), valid);
    FINISH_LAUNCH();
    const auto at = values.begin();
    testing::expect_equal(
        out.download(), {std::accumulate(at, values.end(), 0), *std::max_element(at, at + kThreads),
                         std::accumulate(at, at + valid, 0)});
  }
}

/// A running total over the tiles, kept by the first warp's prefix callback.
struct Running {
  int total;
  __device__ int operator()(int tile) {
    const int before = total;
    total += tile;
    return before;
  }
};

template <int Threads, cub::BlockScanAlgorithm Algorithm, cub::BlockLoadAlgorithm Load,
          cub::BlockStoreAlgorithm Store>
__global__ void block_scan(const int* in, int* out, int n) {
  constexpr int kItems = 4;
  using Scan = cub::BlockScan<int, Threads, Algorithm>;
  using Loader = cub::BlockLoad<int, Threads, kItems, Load>;
  using Storer = cub::BlockStore<int, Threads, kItems, Store>;
  __shared__ union {
    typename Scan::TempStorage scan;
    typename Loader::TempStorage load;
    typename Storer::TempStorage store;
  } storage;
  Running running{0};
  for (int tile = 0; tile < n; tile += Threads * kItems) {
    int items[kItems];
    Loader(storage.load).Load(in + tile, items, n - tile, 0);
    __syncthreads();
    Scan(storage.scan).InclusiveSum(items, items, running);
    __syncthreads();
    Storer(storage.store).Store(out + tile, items, n - tile);
    __syncthreads();
  }
}

template <int Threads, cub::BlockScanAlgorithm Algorithm, cub::BlockLoadAlgorithm Load,
          cub::BlockStoreAlgorithm Store>
void expect_block_scan() {
  for (const int n : {1, Threads * 4, 3 * Threads * 4 - 17}) {
    const std::vector<int> values = testing::random_integers(std::size_t(n), 100);
    const testing::Buffer<int> in(values);
    testing::Buffer<int> out(values.size());
    block_scan<Threads, Algorithm, Load, Store><<<1, Threads>>>(in.get(), out.get(), n);
    FINISH_LAUNCH();
    std::vector<int> want(values.size());
    std::inclusive_scan(values.begin(), values.end(), want.begin());
    testing::expect_equal(out.download(), want);
  }
}

constexpr int kSorters = 96, kEach = 3, kSorted = kSorters * kEach;

__global__ void block_sort(const int* in, int* keys_out, short* places_out, int* heads) {
  using Sort = cub::BlockRadixSort<int, kSorters, kEach, short>;
  using Exchange = cub::BlockExchange<int, kSorters, kEach>;
  using Heads = cub::BlockDiscontinuity<int, kSorters>;
  __shared__ typename Sort::TempStorage sort_storage;
  __shared__ typename Exchange::TempStorage exchange_storage;
  __shared__ typename Heads::TempStorage head_storage;
  const int t = int(threadIdx.x);
  int keys[kEach], flags[kEach];
  short places[kEach];
  for (int i = 0; i < kEach; ++i) {
    keys[i] = in[t * kEach + i];
    places[i] = short(t * kEach + i);
  }
  Sort(sort_storage).Sort(keys, places);
  Heads(head_storage).FlagHeads(flags, keys, cuda::std::not_equal_to<int>());
  for (int i = 0; i < kEach; ++i) {
    places_out[t * kEach + i] = places[i];
    heads[t * kEach + i] = flags[i];
  }
  Exchange(exchange_storage).BlockedToStriped(keys);
  for (int i = 0; i < kEach; ++i) keys_out[i * kSorters + t] = keys[i];
}

template <cub::BlockHistogramAlgorithm Algorithm>
__global__ void block_histogram(const unsigned char* in, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 32, Algorithm>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[32];
  unsigned char mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = in[threadIdx.x * 4 + unsigned(i)];
  Histogram(storage).Histogram(mine, bins);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}

/// Groups of eight lanes beside each other, and the whole warp.
__global__ void warps(const int* in, int* eights, int* scanned, int* segmented, int* sorted) {
  using Eight = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int>;
  using Whole = cub::WarpReduce<int>;
  using Sort = cub::WarpMergeSort<int, 2, 16>;
  __shared__ typename Eight::TempStorage eight[16];
  __shared__ typename Scan::TempStorage scan[4];
  __shared__ typename Whole::TempStorage whole[4];
  __shared__ typename Sort::TempStorage sort[8];
  const int t = int(threadIdx.x), x = in[t];
  const int sum = Eight(eight[t / 8]).Sum(x);
  if (t % 8 == 0) eights[t / 8] = sum;
  Scan(scan[t / 32]).ExclusiveSum(x, scanned[t]);
  const int run = Whole(whole[t / 32]).HeadSegmentedSum(x, x % 5 == 0);
  segmented[t] = t % 32 == 0 || x % 5 == 0 ? run : -1;
  int pair[2] = {in[2 * t], in[2 * t + 1]};
  Sort(sort[t / 16]).Sort(pair, [](int a, int b) { return a > b; });
  sorted[2 * t] = pair[0], sorted[2 * t + 1] = pair[1];
}

void sorting() {
  std::vector<int> keys = testing::random_integers(kSorted, 50, 3);
  for (int& key : keys) key -= 25;
  const testing::Buffer<int> in(keys);
  testing::Buffer<int> out(kSorted), heads(kSorted);
  testing::Buffer<short> places(kSorted);
  block_sort<<<1, kSorters>>>(in.get(), out.get(), places.get(), heads.get());
  FINISH_LAUNCH();
  std::vector<short> order(kSorted);
  std::iota(order.begin(), order.end(), short(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](short a, short b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  EXPECT(places.download() == order);
  std::sort(keys.begin(), keys.end());
  testing::expect_equal(out.download(), keys);
  std::vector<int> want;
  for (std::size_t i = 0; i < keys.size(); ++i) want.push_back(i == 0 || keys[i] != keys[i - 1]);
  testing::expect_equal(heads.download(), want);
}

void histograms() {
  std::vector<unsigned char> values;
  for (const int x : testing::random_integers(256, 32))
    values.push_back(static_cast<unsigned char>(x));
  std::vector<unsigned> want(32);
  for (const unsigned char x : values) ++want[x];
  const testing::Buffer<unsigned char> in(values);
  testing::Buffer<unsigned> out(32);
  block_histogram<cub::BLOCK_HISTO_ATOMIC><<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
  block_histogram<cub::BLOCK_HISTO_SORT><<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
}

void warp_level() {
  const std::vector<int> values = testing::random_integers(256, 100, 5);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> eights(16), scanned(128), segmented(128), sorted(256);
  warps<<<1, 128>>>(in.get(), eights.get(), scanned.get(), segmented.get(), sorted.get());
  FINISH_LAUNCH();
  std::vector<int> want_eights(16), want_scanned(128), want_segmented(128, -1),
      want_sorted = values;
  for (std::size_t i = 0, head = 0; i < 128; ++i) {
    want_eights[i / 8] += values[i];
    want_scanned[i] = i % 32 == 0 ? 0 : want_scanned[i - 1] + values[i - 1];
    if (i % 32 == 0 || values[i] % 5 == 0) want_segmented[head = i] = 0;
    want_segmented[head] += values[i];
  }
  for (std::size_t i = 0; i < 256; i += 32) {
    const auto at = want_sorted.begin() + std::ptrdiff_t(i);
    std::sort(at, at + 32, std::greater<>());
  }
  testing::expect_equal(eights.download(), want_eights);
  testing::expect_equal(scanned.download(), want_scanned);
  testing::expect_equal(segmented.download(), want_segmented);
  testing::expect_equal(sorted.download(), want_sorted);
}

void run() {
  expect_block_reduce<128, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
  expect_block_reduce<100, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
  expect_block_reduce<100, 1, cub::BLOCK_REDUCE_RAKING>();
  expect_block_reduce<16, 6, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>();
  expect_block_scan<128, cub::BLOCK_SCAN_RAKING, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>();
  expect_block_scan<96, cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_LOAD_VECTORIZE,
                    cub::BLOCK_STORE_VECTORIZE>();
  expect_block_scan<64, cub::BLOCK_SCAN_RAKING_MEMOIZE, cub::BLOCK_LOAD_TRANSPOSE,
                    cub::BLOCK_STORE_TRANSPOSE>();
  expect_block_scan<64, cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_LOAD_WARP_TRANSPOSE,
                    cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>();
  sorting();
  histograms();
  warp_level();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
