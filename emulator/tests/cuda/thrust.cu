#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// Thrust as its users write it: vectors, algorithms and fancy iterators, each against the standard
// library's algorithm of the same name.

namespace {

template <class T>
std::vector<T> on_host(const thrust::device_vector<T>& v) {
  std::vector<T> host(v.size());
  thrust::copy(v.begin(), v.end(), host.begin());
  return host;
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

struct Odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

void vectors() {
  thrust::host_vector<int> host(1000);
  for (int i = 0; i < 1000; ++i) host[i] = i * i % 97;
  thrust::device_vector<int> device = host;
  device[3] = 77;  // one element at a time, through a reference
  device.push_back(5);
  device.resize(1003, 9);
  EXPECT(device[3] == 77 && device[1000] == 5 && device[1002] == 9);
  host = device;
  EXPECT(host.size() == 1003 && host[3] == 77 && host[4] == 16);
  thrust::sequence(device.begin(), device.end(), 10, 3);
  EXPECT(device[0] == 10 && device[1002] == 10 + 3 * 1002);
}

void sorting(int n) {
  std::vector<int> values = testing::random_integers(std::size_t(n), 300, 2);
  std::vector<int> places(values.size());
  std::iota(places.begin(), places.end(), 0);
  thrust::device_vector<int> key = values, place = places;
  thrust::stable_sort_by_key(key.begin(), key.end(), place.begin());
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return values[std::size_t(a)] < values[std::size_t(b)]; });
  testing::expect_equal(on_host(place), places);
  std::sort(values.begin(), values.end());
  testing::expect_equal(on_host(key), values);

  // Raw pointers and the device's policy, after the sort.
  thrust::device_vector<int> distinct(values.size());
  int* const first = thrust::raw_pointer_cast(distinct.data());
  const int* const sorted = thrust::raw_pointer_cast(key.data());
  const auto end = thrust::unique_copy(thrust::device, sorted, sorted + n, first);
  distinct.resize(std::size_t(end - first));
  values.erase(std::unique(values.begin(), values.end()), values.end());
  testing::expect_equal(on_host(distinct), values);
}

void reductions(int n) {
  const std::vector<float> values = testing::random_floats(std::size_t(n));
  const thrust::device_vector<float> v = values;
  double squares = 0;
  for (const float x : values) squares += double(x) * x;
  const float got =
      thrust::transform_reduce(v.begin(), v.end(), Square{}, 0.0f, thrust::plus<float>());
  EXPECT(std::fabs(got - squares) <= 1e-5 * squares);
  const float least = thrust::reduce(v.begin(), v.end(), 2.0f, thrust::minimum<float>());
  EXPECT(least == *std::min_element(values.begin(), values.end()));
  // No memory at all: the sum of 0 + 1 + ... from a counting iterator.
  const thrust::counting_iterator<long long> from(0);
  EXPECT(thrust::reduce(from, from + n) == (long long)n * (n - 1) / 2);
}

void scans_and_copies(int n) {
  const std::vector<int> values = testing::random_integers(std::size_t(n), 50, 3);
  const thrust::device_vector<int> v = values;
  thrust::device_vector<int> out(values.size());
  thrust::inclusive_scan(v.begin(), v.end(), out.begin());
  std::vector<int> want(values.size());
  std::inclusive_scan(values.begin(), values.end(), want.begin());
  testing::expect_equal(on_host(out), want);
  out.resize(std::size_t(thrust::copy_if(v.begin(), v.end(), out.begin(), Odd{}) - out.begin()));
  want.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), Odd{});
  testing::expect_equal(on_host(out), want);
}

struct Dot {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& both) const {
    return thrust::get<0>(both) * thrust::get<1>(both);
  }
};

void iterators() {
  const std::vector<int> a = testing::random_integers(700, 50, 4),
                         b = testing::random_integers(700, 50, 5);
  const thrust::device_vector<int> da = a, db = b;
  const auto both = thrust::make_zip_iterator(da.begin(), db.begin());
  EXPECT(thrust::transform_reduce(both, both + 700, Dot{}, 0, thrust::plus<int>()) ==
         std::inner_product(a.begin(), a.end(), b.begin(), 0));
  // Gather through an index: every third element backwards.
  std::vector<int> index;
  for (int i = 699; i >= 0; i -= 3) index.push_back(i);
  const thrust::device_vector<int> at = index;
  const auto gathered = thrust::make_permutation_iterator(da.begin(), at.begin());
  int want = 0;
  for (const int i : index) want += a[std::size_t(i)];
  EXPECT(thrust::reduce(gathered, gathered + std::ptrdiff_t(index.size())) == want);
}

void keyed_and_sets() {
  const thrust::device_vector<int> keys = std::vector<int>{1, 1, 1, 5, 2, 2, 1, 9, 9};
  const thrust::device_vector<int> values = std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9};
  thrust::device_vector<int> unique(9), sums(9);
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), unique.begin(), sums.begin());
  unique.resize(std::size_t(ends.first - unique.begin()));
  sums.resize(std::size_t(ends.second - sums.begin()));
  testing::expect_equal(on_host(unique), {1, 5, 2, 1, 9});
  testing::expect_equal(on_host(sums), {6, 4, 11, 7, 17});

  std::vector<int> a = testing::random_integers(900, 500, 6),
                   b = testing::random_integers(800, 500, 7);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int> want;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
  const thrust::device_vector<int> da = a, db = b;
  thrust::device_vector<int> out(1700);
  out.resize(std::size_t(
      thrust::set_intersection(da.begin(), da.end(), db.begin(), db.end(), out.begin()) -
      out.begin()));
  testing::expect_equal(on_host(out), want);
}

void run() {
  vectors();
  for (const int n : {1, 1000, 9001}) {
    sorting(n);
    reductions(n);
    scans_and_copies(n);
  }
  iterators();
  keyed_and_sets();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
