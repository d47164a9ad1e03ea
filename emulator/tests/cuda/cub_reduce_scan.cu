#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// CUB over a whole array: reductions, scans with the single-pass look-back, runs and segments. Each
// answer is compared with a loop on the host; lengths stand around a tile's and are not a multiple
// of it.

namespace {

/// Both calls of a CUB function: how much temporary memory, then the work.
template <class Call>
void with_storage(Call call) {
  std::size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  testing::Buffer<char> storage(bytes);
  CUDA_CHECK(call(storage.get(), bytes));
  CUDA_CHECK(cudaDeviceSynchronize());
}

#define CUB_CALL(function, ...) \
  with_storage(                 \
      [&](void* storage, std::size_t& bytes) { return function(storage, bytes, __VA_ARGS__); })

struct Longer {
  __host__ __device__ int operator()(int a, int b) const { return abs(a) < abs(b) ? b : a; }
};

struct Square {
  __host__ __device__ long long operator()(int a) const { return (long long)a * a; }
};

/// Composition of x -> a x + b: associative, but its arguments may not change places.
struct Affine {
  unsigned a, b;
  bool operator==(const Affine&) const = default;
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine& f, const Affine& g) const {
    return {g.a * f.a, g.a * f.b + g.b};
  }
};

std::vector<int> signed_values(int n) {
  std::vector<int> values = testing::random_integers(std::size_t(n), 2001, 7);
  for (int& value : values) value -= 1000;
  return values;
}

void reduce(int n) {
  const std::vector<int> values = signed_values(n);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(1);
  testing::Buffer<long long> squares(1);
  testing::Buffer<int> least(1);
  testing::Buffer<cuda::std::int64_t> place(1);

  CUB_CALL(cub::DeviceReduce::Sum, in.get(), out.get(), n);
  EXPECT(out.download()[0] == std::accumulate(values.begin(), values.end(), 0));
  CUB_CALL(cub::DeviceReduce::Reduce, in.get(), out.get(), n, Longer{}, 0);
  const int longest = std::accumulate(values.begin(), values.end(), 0, Longer{});
  EXPECT(abs(out.download()[0]) == abs(longest));
  CUB_CALL(cub::DeviceReduce::TransformReduce, in.get(), squares.get(), n, cuda::std::plus<>{},
           Square{}, 5ll);
  long long want = 5;
  for (const int x : values) want += (long long)x * x;
  EXPECT(squares.download()[0] == want);
  if (n == 0) return;
  CUB_CALL(cub::DeviceReduce::ArgMin, in.get(), least.get(), place.get(), cuda::std::int64_t(n));
  const auto first = std::min_element(values.begin(), values.end());
  EXPECT(least.download()[0] == *first);
  EXPECT(place.download()[0] == first - values.begin());
}

void scan(int n) {
  const std::vector<int> values = signed_values(n);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size());
  std::vector<int> want(values.size());

  CUB_CALL(cub::DeviceScan::InclusiveSum, in.get(), out.get(), n);
  std::inclusive_scan(values.begin(), values.end(), want.begin());
  testing::expect_equal(out.download(), want);

  const auto larger = [](int a, int b) { return std::max(a, b); };
  CUB_CALL(cub::DeviceScan::ExclusiveScan, in.get(), out.get(), cuda::maximum<>{}, -500, n);
  std::exclusive_scan(values.begin(), values.end(), want.begin(), -500, larger);
  testing::expect_equal(out.download(), want);

  std::vector<Affine> maps(values.size()), composed(values.size());
  for (std::size_t i = 0; i < maps.size(); ++i) maps[i] = {unsigned(values[i]) | 1, unsigned(i)};
  const testing::Buffer<Affine> in_maps(maps);
  testing::Buffer<Affine> out_maps(maps.size());
  CUB_CALL(cub::DeviceScan::InclusiveScan, in_maps.get(), out_maps.get(), Compose{}, n);
  std::inclusive_scan(maps.begin(), maps.end(), composed.begin(), Compose{});
  EXPECT(out_maps.download() == composed);
}

void by_key(int n) {
  std::vector<int> keys = testing::random_integers(std::size_t(n), 40, 3);
  std::sort(keys.begin(), keys.end());  // long runs, one of them over several tiles
  for (int i = 0; i < n / 3; ++i) keys[std::size_t(i)] = -1;
  const std::vector<int> values = signed_values(n);
  const testing::Buffer<int> in_keys(keys), in(values);
  testing::Buffer<int> unique(keys.size()), out(keys.size()), count(1), starts(keys.size());

  std::vector<int> want_keys, sums, lengths, running(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool first = i == 0 || keys[i] != keys[i - 1];
    if (first) want_keys.push_back(keys[i]), sums.push_back(0), lengths.push_back(0);
    running[i] = sums.back();
    sums.back() += values[i];
    ++lengths.back();
  }
  const auto expect_runs = [&](const std::vector<int>& want) {
    EXPECT(count.download()[0] == int(want_keys.size()));
    std::vector<int> got_keys = unique.download(), got = out.download();
    got_keys.resize(want_keys.size());
    got.resize(want.size());
    testing::expect_equal(got_keys, want_keys);
    testing::expect_equal(got, want);
  };
  // Only as many elements as there are runs are written; the rest is read back, too.
  const auto clear = [&] { unique.fill_bytes(0), out.fill_bytes(0); };
  clear();
  CUB_CALL(cub::DeviceReduce::ReduceByKey, in_keys.get(), unique.get(), in.get(), out.get(),
           count.get(), cuda::std::plus<>{}, n);
  expect_runs(sums);
  clear();
  CUB_CALL(cub::DeviceRunLengthEncode::Encode, in_keys.get(), unique.get(), out.get(), count.get(),
           n);
  expect_runs(lengths);
  CUB_CALL(cub::DeviceScan::ExclusiveSumByKey, in_keys.get(), in.get(), out.get(), n);
  testing::expect_equal(out.download(), running);
}

void segments() {
  // Empty ones, single elements, and one that is longer than a tile.
  const std::vector<int> offsets = {0, 0, 1, 7, 7, 40, 9000, 9000, 9001, 12345};
  const int count = int(offsets.size()) - 1;
  const std::vector<int> values = signed_values(offsets.back());
  const testing::Buffer<int> in(values), at(offsets);
  testing::Buffer<int> out{std::size_t(count)};
  CUB_CALL(cub::DeviceSegmentedReduce::Sum, in.get(), out.get(), count, at.get(), at.get() + 1);
  std::vector<int> want;
  for (int i = 0; i < count; ++i) {
    want.push_back(std::accumulate(values.begin() + offsets[std::size_t(i)],
                                   values.begin() + offsets[std::size_t(i) + 1], 0));
  }
  testing::expect_equal(out.download(), want);
}

void differences() {
  const std::vector<int> values = signed_values(5001);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size());
  CUB_CALL(cub::DeviceAdjacentDifference::SubtractLeftCopy, in.get(), out.get(), 5001);
  std::vector<int> want(values.size());
  std::adjacent_difference(values.begin(), values.end(), want.begin());
  testing::expect_equal(out.download(), want);
}

void run() {
  for (const int n : {0, 1, 33, 4000, 30011}) reduce(n);
  for (const int n : {1, 33, 2000, 20011}) scan(n);
  for (const int n : {1, 100, 15013}) by_key(n);
  segments();
  differences();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
