#include <string>

#include "emulator/tests/support/program.h"

// Collective operations of a warp whose lanes come from different places: both branches of an `if`,
// the copies that a compiler makes of a loop's body, and several calls of one function. All lanes
// of the mask execute the same operation, and so they meet.

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr int kCases = 11;

__device__ __noinline__ int total(int value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kAll, value, distance);
  }
  return value;
}

// The stores keep the branches apart.
__global__ void meet(int* results, int* apart, int first) {
  const int lane = int(threadIdx.x);
  int* const result = results + lane * kCases;
  const bool low = lane < first;
  if (low) {
    result[0] = int(__ballot_sync(kAll, lane % 3 == 0));
  } else {
    apart[lane] = lane;
    result[0] = int(__ballot_sync(kAll, !(lane % 5 != 0)));
  }
  if (low) {
    result[1] = __shfl_xor_sync(kAll, lane * 10, 31);
  } else {
    apart[lane] += 1;
    result[1] = __shfl_xor_sync(kAll, lane * 100, 31);
  }
  if (low) {
    result[2] = int(__match_any_sync(kAll, lane % 4));
  } else {
    apart[lane] += 1;
    result[2] = int(__match_any_sync(kAll, lane % 2));
  }
  if (low) {
    result[3] = __reduce_add_sync(kAll, lane);
  } else {
    apart[lane] += 1;
    result[3] = __reduce_add_sync(kAll, lane * 1000);
  }
  if (low) {
    result[4] = total(lane);
  } else {
    apart[lane] += 1;
    result[4] = total(lane * 100);
    apart[lane] += result[4];
  }
  if (low) {
    result[5] = __any_sync(kAll, lane == 40);
  } else {
    apart[lane] += 1;
    result[5] = __any_sync(kAll, lane == 30);
  }
  // Segments of their own: of the warp, and of 16 lanes.
  if (low) {
    result[6] = __shfl_sync(kAll, lane, 20, 32);
  } else {
    apart[lane] += 1;
    result[6] = __shfl_sync(kAll, lane * 2, 1, 16);
  }
  int same = 0;
  if (low) {
    result[7] = int(__match_all_sync(kAll, 7ull << 40, &same)) + 10 * same;
  } else {
    apart[lane] += 1;
    result[7] = int(__match_all_sync(kAll, 7ull << 40, &same)) + 20 * same;
  }
  // A loop that lanes leave one after the other, with a mask of those that stay. A compiler unrolls
  // it, so that lanes are in different copies.
  int left = lane % 7, sum = 0;
  for (unsigned mask = __ballot_sync(kAll, left > 0); left > 0;) {
    sum += __popc(__ballot_sync(mask, sum % 2 == 0));
    --left;
    mask = __ballot_sync(mask, left > 0);
  }
  result[8] = sum;
  // Groups with masks of their own at one place, which go on together.
  result[9] = __reduce_add_sync(__match_any_sync(kAll, lane % 4), lane);
  result[10] = int(__activemask());
}

int ballot(int first, int of_low, int of_high) {
  unsigned mask = 0;
  for (int lane = 0; lane < 32; ++lane) {
    mask |= unsigned(lane % (lane < first ? of_low : of_high) == 0) << lane;
  }
  return int(mask);
}

int sum_of(int first, int low, int high) {
  int sum = 0;
  for (int lane = 0; lane < 32; ++lane) sum += lane * (lane < first ? low : high);
  return sum;
}

std::vector<int> loop_sums() {
  std::vector<int> left(32), sum(32, 0);
  for (int lane = 0; lane < 32; ++lane) left[lane] = lane % 7;
  for (int round = 0; round < 7; ++round) {
    int even = 0;
    for (int lane = 0; lane < 32; ++lane) even += left[lane] > 0 && sum[lane] % 2 == 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (left[lane]-- > 0) sum[lane] += even;
    }
  }
  return sum;
}

void run() {
  for (const int first : {8, 20}) {
    testing::Buffer<int> results(32 * kCases), apart(32);
    meet<<<1, 32>>>(results.get(), apart.get(), first);
    FINISH_LAUNCH();
    const std::vector<int> got = results.download();
    const std::vector<int> sums = loop_sums();
    for (int lane = 0; lane < 32; ++lane) {
      const bool low = lane < first;
      const int other = lane ^ 31;
      unsigned equal = 0;
      const auto value = [&](int i) { return i % (i < first ? 4 : 2); };
      for (int i = 0; i < 32; ++i) equal |= unsigned(value(i) == value(lane)) << i;
      const int source = lane < 16 ? 1 : 17;
      const std::vector<int> want = {
          ballot(first, 3, 5),
          other * (other < first ? 10 : 100),
          int(equal),
          sum_of(first, 1, 1000),
          sum_of(first, 1, 100),
          1,
          low ? 20 * (20 < first ? 1 : 2) : source * (source < first ? 1 : 2),
          -1 + (low ? 10 : 20),
          sums[lane],
          8 * (lane % 4) + 4 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7),
          -1};
      testing::expect_equal({got.begin() + lane * kCases, got.begin() + (lane + 1) * kCases}, want);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
