#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "emulator/tests/support/program.h"

// Cooperative groups made at run time: partitions by value, tiles of every size, groups of
// diverged threads, and what they compute together.

namespace cg = cooperative_groups;

namespace {

/// Each thread: rank in its group, size, the group's sum and the scans up to itself.
struct Seen {
  int rank, size, sum, inclusive, exclusive;
};

template <class Group>
__device__ Seen look(const Group& group, int x) {
  Seen seen;
  seen.rank = int(group.thread_rank());
  seen.size = int(group.num_threads());
  seen.sum = cg::reduce(group, x, cg::plus<int>());
  seen.inclusive = cg::inclusive_scan(group, x, cg::plus<int>());
  seen.exclusive = cg::exclusive_scan(group, x);
  return seen;
}

__global__ void by_label(const int* values, Seen* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int x = values[threadIdx.x];
  out[threadIdx.x] = look(cg::labeled_partition(warp, x % 5), x);
}

__global__ void by_predicate(const int* values, Seen* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int x = values[threadIdx.x];
  out[threadIdx.x] = look(cg::binary_partition(warp, x % 3 == 0), x);
}

__global__ void by_branch(const int* values, Seen* out) {
  const int x = values[threadIdx.x];
  if (x % 2 == 0) {
    if (x % 4 == 0) {
      out[threadIdx.x] = look(cg::coalesced_threads(), x);
    } else {
      out[threadIdx.x] = look(cg::coalesced_threads(), x);
    }
  } else {
    out[threadIdx.x] = look(cg::coalesced_threads(), x);
  }
}

template <unsigned Size>
__global__ void by_tile(const int* values, Seen* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  out[threadIdx.x] = look(tile, values[threadIdx.x]);
}

/// Tiles whose size is known at run time only, and tiles of a diverged group.
__global__ void by_size(const int* values, Seen* out, unsigned size) {
  const int x = values[threadIdx.x];
  const auto tile = cg::tiled_partition(cg::this_thread_block(), size);
  Seen seen = {int(tile.thread_rank()), int(tile.size()), 0, 0, 0};
  for (unsigned i = 0; i < tile.size(); ++i) {
    const int other = __shfl_sync(0xffffffffu, x, int(threadIdx.x % 32 / size * size + i));
    seen.sum += other;
    if (i <= tile.thread_rank()) seen.inclusive += other;
    if (i < tile.thread_rank()) seen.exclusive += other;
  }
  tile.sync();
  out[threadIdx.x] = seen;
}

/// Other operators, and an update of global memory by a scan.
__global__ void operators(const int* values, int* out, int* next) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int x = values[threadIdx.x];
  const int least = cg::reduce(warp, x, cg::less<int>());
  const int bits = cg::reduce(warp, x, cg::bit_or<int>()) ^
                   cg::reduce(warp, x, cg::bit_and<int>()) ^
                   cg::reduce(warp, x, cg::bit_xor<int>());
  const int product =
      cg::inclusive_scan(warp, x % 3 + 1, [](int a, int b) { return a * b % 1009; });
  const int before = cg::exclusive_scan(warp, x, cg::greater<int>());
  // Room for x elements each, in one place.
  const int start = cg::inclusive_scan(warp, x) - x +
                    warp.shfl(warp.thread_rank() == 0 ? atomicAdd(next, 0) : 0, 0);
  const int chosen = cg::invoke_one_broadcast(warp, [&] { return 7; });
  if (warp.meta_group_rank() == 0) cg::invoke_one(warp, [&] { atomicAdd(next, 1); });
  const int on_four = cg::reduce(cg::tiled_partition<4>(warp), double(x), cg::plus<double>()) > 100;
  out[threadIdx.x] = least + 3 * bits + 5 * product + (warp.thread_rank() > 0 ? before : 0) +
                     11 * start + 13 * chosen + 17 * on_four;
}

/// What look() must see for a group given by the position of its members in the block.
void expect_group(const std::vector<std::size_t>& members, const std::vector<int>& values,
                  const std::vector<Seen>& got) {
  int sum = 0, before = 0;
  for (const std::size_t i : members) sum += values[i];
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const Seen& seen = got[members[rank]];
    EXPECT(seen.rank == int(rank));
    EXPECT(seen.size == int(members.size()));
    EXPECT(seen.sum == sum);
    EXPECT(seen.exclusive == before);
    before += values[members[rank]];
    EXPECT(seen.inclusive == before);
  }
}

/// Holds the result against groups of threads of a warp with equal labels.
template <class Label>
void expect_groups(const std::vector<int>& values, const std::vector<Seen>& got, Label label) {
  for (std::size_t warp = 0; warp < values.size(); warp += 32) {
    for (int l = 0; l < 64; ++l) {
      std::vector<std::size_t> members;
      for (std::size_t i = warp; i < warp + 32; ++i) {
        if (label(i) == l) members.push_back(i);
      }
      expect_group(members, values, got);
    }
  }
}

void partitions(const std::vector<int>& values) {
  const unsigned threads = unsigned(values.size());
  const testing::Buffer<int> in(values);
  testing::Buffer<Seen> out(values.size());
  by_label<<<1, threads>>>(in.get(), out.get());
  FINISH_LAUNCH();
  expect_groups(values, out.download(), [&](std::size_t i) { return values[i] % 5; });
  by_predicate<<<1, threads>>>(in.get(), out.get());
  FINISH_LAUNCH();
  expect_groups(values, out.download(), [&](std::size_t i) { return int(values[i] % 3 == 0); });
  by_branch<<<1, threads>>>(in.get(), out.get());
  FINISH_LAUNCH();
  expect_groups(values, out.download(),
                [&](std::size_t i) { return values[i] % 2 != 0 ? 1 : values[i] % 4; });
}

template <unsigned... Sizes>
void tiles(const std::vector<int>& values) {
  const unsigned threads = unsigned(values.size());
  const testing::Buffer<int> in(values);
  testing::Buffer<Seen> out(values.size());
  const auto check = [&](unsigned size) {
    FINISH_LAUNCH();
    expect_groups(values, out.download(), [&](std::size_t i) { return int(i % 32 / size); });
  };
  ((by_tile<Sizes><<<1, threads>>>(in.get(), out.get()), check(Sizes)), ...);
  ((by_size<<<1, threads>>>(in.get(), out.get(), Sizes), check(Sizes)), ...);
}

void computed(const std::vector<int>& values) {
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size()), next(std::vector<int>{0});
  operators<<<1, 32>>>(in.get(), out.get(), next.get());
  FINISH_LAUNCH();
  EXPECT(next.download()[0] == 1);
  std::vector<int> want;
  int least = values[0], any = 0, all = ~0, odd = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    least = values[i] < least ? values[i] : least;
    any |= values[i], all &= values[i], odd ^= values[i];
  }
  int product = 1, before = values[0], start = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    product = product * (values[i] % 3 + 1) % 1009;
    if (i > 0 && values[i - 1] > before) before = values[i - 1];
    int four = 0;
    for (std::size_t j = i / 4 * 4; j < i / 4 * 4 + 4; ++j) four += values[j];
    want.push_back(least + 3 * (any ^ all ^ odd) + 5 * product + (i > 0 ? before : 0) + 11 * start +
                   13 * 7 + 17 * int(four > 100));
    start += values[i];
  }
  std::vector<int> got = out.download();
  got.resize(32);
  testing::expect_equal(got, want);
}

void run() {
  const std::vector<int> values = testing::random_integers(64, 100);
  partitions(values);
  tiles<1, 2, 4, 8, 16, 32>(values);
  computed(values);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
