#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// CUB over a whole array: radix and merge sort, selection, partition and histograms.

namespace {

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

/// All of 32 bits: the sort goes over every digit.
std::vector<unsigned> wide_keys(int n) {
  const auto high = testing::random_integers(std::size_t(n), 1 << 16, 5);
  const auto low = testing::random_integers(std::size_t(n), 1 << 16, 6);
  std::vector<unsigned> keys;
  for (std::size_t i = 0; i < high.size(); ++i) {
    keys.push_back(unsigned(high[i]) << 16 | unsigned(low[i]));
  }
  return keys;
}

void radix_sort(int n) {
  const std::vector<unsigned> keys = wide_keys(n);
  const testing::Buffer<unsigned> in(keys);
  testing::Buffer<unsigned> out(keys.size());
  CUB_CALL(cub::DeviceRadixSort::SortKeys, in.get(), out.get(), n);
  std::vector<unsigned> want = keys;
  std::sort(want.begin(), want.end());
  EXPECT(out.download() == want);

  // Negative floats, both zeros and infinities; few distinct keys, so that stability shows.
  std::vector<float> prices;
  for (const int x : testing::random_integers(std::size_t(n), 40, 9)) {
    prices.push_back(x == 0 ? -INFINITY : x == 39 ? INFINITY : float(x - 20) / 4);
  }
  std::vector<int> places(prices.size());
  std::iota(places.begin(), places.end(), 0);
  testing::Buffer<float> price(prices), price_other(prices.size());
  testing::Buffer<int> place(places), place_other(places.size());
  cub::DoubleBuffer<float> price_buffer(price.get(), price_other.get());
  cub::DoubleBuffer<int> place_buffer(place.get(), place_other.get());
  CUB_CALL(cub::DeviceRadixSort::SortPairsDescending, price_buffer, place_buffer, n);
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return prices[std::size_t(a)] > prices[std::size_t(b)]; });
  std::vector<int> got(places.size());
  CUDA_CHECK(cudaMemcpy(got.data(), place_buffer.Current(), got.size() * sizeof(int),
                        cudaMemcpyDeviceToHost));
  testing::expect_equal(got, places);
}

struct Record {
  short group, number;
};
struct ByGroup {
  __host__ __device__ bool operator()(const Record& a, const Record& b) const {
    return a.group < b.group;
  }
};

void merge_sort(int n) {
  std::vector<Record> records;
  const auto groups = testing::random_integers(std::size_t(n), 25, 4);
  for (int i = 0; i < n; ++i) records.push_back({short(groups[std::size_t(i)]), short(i)});
  testing::Buffer<Record> data(records);
  CUB_CALL(cub::DeviceMergeSort::StableSortKeys, data.get(), n, ByGroup{});
  std::stable_sort(records.begin(), records.end(), ByGroup{});
  const std::vector<Record> got = data.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT(got[i].group == records[i].group && got[i].number == records[i].number);
  }
}

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

void select(int n) {
  const std::vector<int> values = testing::random_integers(std::size_t(n), 10, 8);
  std::vector<char> flags(values.size());
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = values[i] % 3 == 1;
  const testing::Buffer<int> in(values);
  const testing::Buffer<char> flag(flags);
  testing::Buffer<int> out(values.size()), count(1);
  const auto expect_first = [&](const std::vector<int>& want) {
    EXPECT(count.download()[0] == int(want.size()));
    std::vector<int> got = out.download();
    got.resize(want.size());
    testing::expect_equal(got, want);
  };
  std::vector<int> even, flagged, unique, odd;
  for (std::size_t i = 0; i < values.size(); ++i) {
    (Even{}(values[i]) ? even : odd).push_back(values[i]);
    if (flags[i]) flagged.push_back(values[i]);
    if (i == 0 || values[i] != values[i - 1]) unique.push_back(values[i]);
  }
  out.fill_bytes(0);
  CUB_CALL(cub::DeviceSelect::If, in.get(), out.get(), count.get(), n, Even{});
  expect_first(even);
  CUB_CALL(cub::DeviceSelect::Flagged, in.get(), flag.get(), out.get(), count.get(), n);
  expect_first(flagged);
  CUB_CALL(cub::DeviceSelect::Unique, in.get(), out.get(), count.get(), n);
  expect_first(unique);

  CUB_CALL(cub::DevicePartition::If, in.get(), out.get(), count.get(), n, Even{});
  expect_first(even);
  // The others come from the end, in reverse.
  std::vector<int> rest = out.download();
  rest.erase(rest.begin(), rest.begin() + std::ptrdiff_t(even.size()));
  std::reverse(rest.begin(), rest.end());
  testing::expect_equal(rest, odd);
}

void histograms() {
  const std::vector<float> samples = testing::random_floats(10007, 2);  // [-1, 1)
  const testing::Buffer<float> in(samples);
  testing::Buffer<int> even(16), range(4);
  CUB_CALL(cub::DeviceHistogram::HistogramEven, in.get(), even.get(), 17, -0.5f, 0.5f, 10007);
  const std::vector<float> levels = {-0.75f, -0.5f, 0.125f, 0.25f, 0.9375f};
  const testing::Buffer<float> level(levels);
  CUB_CALL(cub::DeviceHistogram::HistogramRange, in.get(), range.get(), 5, level.get(), 10007);
  std::vector<int> want_even(16), want_range(4);
  for (const float x : samples) {
    if (x >= -0.5f && x < 0.5f) ++want_even[std::size_t((x + 0.5f) * 16)];
    for (std::size_t i = 0; i < 4; ++i) want_range[i] += x >= levels[i] && x < levels[i + 1];
  }
  testing::expect_equal(even.download(), want_even);
  testing::expect_equal(range.download(), want_range);
}

void run() {
  for (const int n : {1, 500, 20011}) radix_sort(n);
  for (const int n : {1, 100, 7001}) merge_sort(n);
  for (const int n : {1, 33, 12007}) select(n);
  histograms();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
