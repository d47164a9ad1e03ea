#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include "emulator/tests/support/program.h"

// One lane has a value, which is undefined in the others, and the warp gets it by a shuffle: an
// argument that is not defined must not be taken as a proof that every lane is that one, and does
// its work.

namespace {

namespace cg = cooperative_groups;

constexpr unsigned kAll = 0xffffffffu;
constexpr int kLane = 5;

/// The work of one lane: 100 the first time.
template <class T>
__device__ T take(int* taken) {
  return T(float(100 + atomicAdd(taken, 1)));
}
template <class T>
__device__ bool is_first(T value) {
  return float(value) == 100.0f;
}

// As programs wrap the function.
__device__ int broadcast(int value, int lane) {
  return __shfl_sync(kAll, value, lane);
}
template <class T>
__device__ T broadcast_any(T value, int lane) {
  return __shfl_sync(kAll, value, lane);
}
__device__ __noinline__ int broadcast_called(int value, int lane) {
  return __shfl_sync(kAll, value, lane);
}
__device__ int taken_by_one(int* taken, int lane) {
  int value;
  if (int(threadIdx.x) == lane) value = take<int>(taken);
  return value;
}

// Each is alone in its kernel: whether a compiler draws the conclusion depends on what stands
// beside it.
#define ONE_LANE(name, declaration, from, set, check) \
  template <class T>                                  \
  __global__ void name(int* taken, int* right) {      \
    const int lane = int(threadIdx.x);                \
    declaration;                                      \
    if (lane == (from)) set = take<T>(taken);         \
    if (check) atomicAdd(right, 1);                   \
  }
ONE_LANE(by_shfl, T value, kLane, value, is_first(__shfl_sync(kAll, value, kLane)))
ONE_LANE(by_shfl_up, T value, 0, value, is_first(__shfl_up_sync(kAll, value, 3)) && lane == 3)
ONE_LANE(by_shfl_down, T value, 7, value, is_first(__shfl_down_sync(kAll, value, 2)) && lane == 5)
ONE_LANE(by_shfl_xor, T value, 8, value, is_first(__shfl_xor_sync(kAll, value, 1)) && lane == 9)
ONE_LANE(of_array, T value[2], kLane, value[1], is_first(__shfl_sync(kAll, value[1], kLane)))
ONE_LANE(by_wrapper, T value, kLane, value, is_first(broadcast(value, kLane)))
ONE_LANE(by_template, T value, kLane, value, is_first(broadcast_any(value, kLane)))
ONE_LANE(by_call, T value, kLane, value, is_first(broadcast_called(value, kLane)))
ONE_LANE(by_tile, T value, 0, value,
         is_first(cg::tiled_partition<32>(cg::this_thread_block()).shfl(value, 0)))
ONE_LANE(by_coalesced, T value, 0, value, is_first(cg::coalesced_threads().shfl(value, 0)))
#undef ONE_LANE

__global__ void by_result(int* taken, int* right) {
  if (__shfl_sync(kAll, taken_by_one(taken, kLane), kLane) == 100) atomicAdd(right, 1);
}

struct Pair {
  int key;
  double weight;
};
__global__ void of_structure(int* taken, int* right) {
  Pair pair;
  if (threadIdx.x == 0) pair = Pair{take<int>(taken), 2.5};
  pair = cg::coalesced_threads().shfl(pair, 0);
  if (pair.key == 100 && pair.weight == 2.5) atomicAdd(right, 1);
}
__global__ void of_member(int* taken, int* right) {
  Pair pair;
  if (threadIdx.x == 0) pair.key = take<int>(taken);
  if (__shfl_sync(kAll, pair.key, 0) == 100) atomicAdd(right, 1);
}

/// A place for each of the threads that run together, by one increment.
__device__ int place_of_each(int* count) {
  const auto group = cg::coalesced_threads();
  int first;
  if (group.thread_rank() == 0) first = atomicAdd(count, int(group.size()));
  return group.shfl(first, 0) + int(group.thread_rank());
}
__global__ void aggregated(int* taken, int* right) {
  if (threadIdx.x % 3 == 0) atomicAdd(right, 1 << place_of_each(taken));
}

/// The votes of lanes 0 to 15, which alone have one.
__global__ void by_ballot(int* taken, int* right) {
  int odd;
  if (threadIdx.x < 16) odd = atomicAdd(taken, 1) < 100 && threadIdx.x % 2 != 0;
  if ((__ballot_sync(kAll, odd) & 0xffff) == 0xaaaa) atomicAdd(right, 1);
}
__global__ void by_match(int* taken, int* right) {
  unsigned key;
  if (threadIdx.x < 16) key = unsigned(atomicAdd(taken, 1)) / 100;
  if ((__match_any_sync(kAll, key) & 0xffff) == 0xffff && threadIdx.x < 16) atomicAdd(right, 1);
}

template <class Kernel>
void expect(Kernel kernel, int want_taken, int want_right) {
  testing::Buffer<int> taken(1), right(1);
  taken.fill_bytes(0);
  right.fill_bytes(0);
  kernel<<<1, 32>>>(taken.get(), right.get());
  FINISH_LAUNCH();
  testing::expect_equal(taken.download(), {want_taken});
  testing::expect_equal(right.download(), {want_right});
}

template <class T>
void expect_of_type() {
  expect(by_shfl<T>, 1, 32);
  expect(by_shfl_up<T>, 1, 1);
  expect(by_shfl_down<T>, 1, 1);
  expect(by_shfl_xor<T>, 1, 1);
  expect(of_array<T>, 1, 32);
  expect(by_template<T>, 1, 32);
  expect(by_tile<T>, 1, 32);
  expect(by_coalesced<T>, 1, 32);
}

void run() {
  expect_of_type<int>();
  expect_of_type<unsigned>();
  expect_of_type<long long>();
  expect_of_type<unsigned long long>();
  expect_of_type<float>();
  expect_of_type<double>();
  expect_of_type<__half>();
  expect(by_wrapper<int>, 1, 32);
  expect(by_call<int>, 1, 32);
  expect(by_result, 1, 32);
  expect(of_structure, 1, 32);
  expect(of_member, 1, 32);
  expect(aggregated, 11, (1 << 11) - 1);
  expect(by_ballot, 16, 32);
  expect(by_match, 16, 16);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
