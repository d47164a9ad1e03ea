#include <bit>

#include "emulator/tests/differential/kernel.h"

// Exchange between the lanes of a warp. Each kernel is a device expression of a lane's value and a
// host model that sees all 32.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

constexpr U kAll = 0xffffffffu;

template <class F, class R, class A>
__global__ void warp_kernel(R* out, const A* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = F::device(in[i], threadIdx.x % 32);
}

/// F::device(value, lane) on the device, F::host(values of the warp, lane) on the host.
template <class F, class A>
void add_warp(Suite& suite, const std::string& name) {
  using R = decltype(F::host(static_cast<const A*>(nullptr), 0));
  constexpr std::size_t kLanes = 64 * 5;
  std::vector<A> in = random_values<A>(kLanes, 7);
  // Every second warp sees small values, among which there are equal ones.
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (i / 32 % 2 == 1) in[i] = A(i * i % 7);
  }
  add_kernel(suite, name, warp_kernel<F, R, A>, {.grid = 5, .block = 64}, in, kLanes,
             [](const std::vector<A>& values, std::vector<R>& out) {
               for (std::size_t i = 0; i < kLanes; ++i) {
                 out[i] = F::host(&values[i / 32 * 32], int(i % 32));
               }
             });
}

/// What a shuffle returns to `lane` that asks for `source` in its segment of `width` lanes.
template <class T>
T shuffled(const T* warp, int lane, int source, bool in_range) {
  return warp[in_range ? source : lane];
}

template <class T, int Width, int By>
struct ShuffleUp {
  static __device__ T device(T x, unsigned) { return __shfl_up_sync(kAll, x, By, Width); }
  static T host(const T* x, int lane) {
    return shuffled(x, lane, lane - By, lane - By >= lane / Width * Width);
  }
};

template <class T, int Width, int By>
struct ShuffleDown {
  static __device__ T device(T x, unsigned) { return __shfl_down_sync(kAll, x, By, Width); }
  static T host(const T* x, int lane) {
    return shuffled(x, lane, lane + By, lane + By < (lane / Width + 1) * Width);
  }
};

template <class T, int Width, int Mask>
struct ShuffleXor {
  static __device__ T device(T x, unsigned) { return __shfl_xor_sync(kAll, x, Mask, Width); }
  // Lanes of an earlier segment may be read, of a later one not.
  static T host(const T* x, int lane) {
    return shuffled(x, lane, lane ^ Mask, (lane ^ Mask) < (lane / Width + 1) * Width);
  }
};

template <class T, int Width>
struct ShuffleIndexed {
  static __device__ T device(T x, unsigned lane) {
    return __shfl_sync(kAll, x, int(lane * 7 + 3), Width);
  }
  static T host(const T* x, int lane) { return x[lane / Width * Width + (lane * 7 + 3) % Width]; }
};

template <class T>
struct Broadcast {
  static __device__ T device(T x, unsigned) { return __shfl_sync(kAll, x, 19); }
  static T host(const T* x, int) { return x[19]; }
};

/// Only half of the lanes take part, in a divergent branch.
struct PartialShuffle {
  static __device__ U device(U x, unsigned lane) {
    if (lane % 2 == 1) return __shfl_down_sync(0xaaaaaaaau, x, 2) + 1;
    return x * 5;
  }
  static U host(const U* x, int lane) {
    if (lane % 2 == 0) return x[lane] * 5;
    return x[lane + 2 < 32 ? lane + 2 : lane] + 1;
  }
};

struct Ballot {
  static __device__ U device(U x, unsigned) { return __ballot_sync(kAll, x % 3 == 0); }
  static U host(const U* x, int) {
    U bits = 0;
    for (int i = 0; i < 32; ++i) bits |= U(x[i] % 3 == 0) << i;
    return bits;
  }
};

struct PartialBallot {
  static __device__ U device(U x, unsigned lane) {
    if (lane < 11) return __ballot_sync(0x7ffu, x & 1);
    return __ballot_sync(~0x7ffu, x & 2);
  }
  static U host(const U* x, int lane) {
    U bits = 0;
    for (int i = 0; i < 32; ++i) {
      if ((i < 11) == (lane < 11)) bits |= U((x[i] & (lane < 11 ? 1 : 2)) != 0) << i;
    }
    return bits;
  }
};

struct Any {
  static __device__ int device(U x, unsigned) { return __any_sync(kAll, x == 6) != 0; }
  static int host(const U* x, int) {
    bool any = false;
    for (int i = 0; i < 32; ++i) any = any || x[i] == 6;
    return any;
  }
};

struct All {
  static __device__ int device(U x, unsigned) { return __all_sync(kAll, x < 7) != 0; }
  static int host(const U* x, int) {
    bool all = true;
    for (int i = 0; i < 32; ++i) all = all && x[i] < 7;
    return all;
  }
};

struct Unanimous {
  static __device__ U device(U x, unsigned lane) {
    // The predicate is the same in the whole warp for lanes above 100 only.
    return __uni_sync(kAll, x > 100) + 0 * lane;
  }
  static U host(const U* x, int) {
    bool same = true;
    for (int i = 1; i < 32; ++i) same = same && (x[i] > 100) == (x[0] > 100);
    return same;
  }
};

template <class T>
struct MatchAny {
  static __device__ U device(T x, unsigned) { return __match_any_sync(kAll, x); }
  static U host(const T* x, int lane) {
    U bits = 0;
    for (int i = 0; i < 32; ++i) bits |= U(x[i] == x[lane]) << i;
    return bits;
  }
};

template <class T>
struct MatchAll {
  static __device__ U device(T x, unsigned) {
    int same = 0;
    const U bits = __match_all_sync(kAll, T(x / 100), &same);
    return bits + U(same != 0);
  }
  static U host(const T* x, int) {
    for (int i = 1; i < 32; ++i) {
      if (x[i] / 100 != x[0] / 100) return 0;
    }
    return kAll + 1u;
  }
};

struct ActiveMask {
  static __device__ U device(U, unsigned lane) {
    // All lanes of each side are active: nothing has made them diverge further.
    if (lane < 20) return __activemask() & 0xfffffu;
    return __activemask() & ~0xfffffu;
  }
  static U host(const U*, int lane) { return lane < 20 ? 0xfffffu : ~0xfffffu; }
};

struct LaneMasks {
  static __device__ U device(U x, unsigned lane) {
    U below, upto, above, from, own;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(upto));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(above));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
    asm("mov.u32 %0, %%laneid;" : "=r"(own));
    return below + 3 * upto + 5 * above + 7 * from + 11 * own + 0 * x * lane;
  }
  static U host(const U*, int lane) {
    const U bit = 1u << lane, below = bit - 1, upto = below | bit;
    return below + 3 * upto + 5 * ~upto + 7 * ~below + 11 * U(lane);
  }
};

template <class T>
struct SumByButterfly {
  static __device__ T device(T x, unsigned) {
    for (int by = 16; by > 0; by /= 2) x = T(x + __shfl_xor_sync(kAll, x, by));
    return x;
  }
  static T host(const T* x, int) {
    T sum = 0;
    for (int i = 0; i < 32; ++i) sum = T(std::uint64_t(sum) + std::uint64_t(x[i]));
    return sum;
  }
};

struct InclusiveScan {
  static __device__ U device(U x, unsigned lane) {
    for (unsigned by = 1; by < 32; by *= 2) {
      const U before = __shfl_up_sync(kAll, x, by);
      if (lane >= by) x += before;
    }
    return x;
  }
  static U host(const U* x, int lane) {
    U sum = 0;
    for (int i = 0; i <= lane; ++i) sum += x[i];
    return sum;
  }
};

/// Ranks among equal keys: match and popc, as aggregated atomics use them.
struct RankAmongEqual {
  static __device__ U device(U x, unsigned lane) {
    const U peers = __match_any_sync(kAll, x % 4);
    return __popc(peers & ((1u << lane) - 1)) * 100 + (__ffs(int(peers)) - 1);
  }
  static U host(const U* x, int lane) {
    U rank = 0, first = 32;
    for (int i = 0; i < 32; ++i) {
      if (x[i] % 4 != x[lane] % 4) continue;
      if (first == 32) first = U(i);
      rank += i < lane;
    }
    return rank * 100 + first;
  }
};

/// Votes and shuffles between divergent stretches of code.
struct DivergeAndMeet {
  static __device__ U device(U x, unsigned lane) {
    U y = x;
    if (lane % 3 == 0) {
      for (U i = 0; i < lane; ++i) y = y * 3 + i;
    }
    __syncwarp();
    const U other = __shfl_xor_sync(kAll, y, 1);
    if (other % 2 == 1) y ^= other;
    __syncwarp();
    return y + __popc(__ballot_sync(kAll, y & 1));
  }
  static U host(const U* x, int lane) {
    U y[32], z[32], odd = 0;
    for (U i = 0; i < 32; ++i) {
      y[i] = x[i];
      for (U j = 0; i % 3 == 0 && j < i; ++j) y[i] = y[i] * 3 + j;
    }
    for (U i = 0; i < 32; ++i) {
      z[i] = y[i ^ 1] % 2 == 1 ? y[i] ^ y[i ^ 1] : y[i];
      odd += z[i] & 1;
    }
    return z[lane] + odd;
  }
};

/// Memory exchanged between lanes with __syncwarp as the only order.
struct SharedWithSyncwarp {
  static __device__ U device(U x, unsigned lane) {
    __shared__ U cells[64];
    U* mine = cells + threadIdx.x / 32 * 32;
    mine[lane] = x;
    __syncwarp();
    const U sum = mine[(lane + 1) % 32] + mine[(lane + 31) % 32];
    __syncwarp();
    mine[lane] = sum;
    __syncwarp();
    return mine[31 - lane];
  }
  static U host(const U* x, int lane) {
    const int other = 31 - lane;
    return x[(other + 1) % 32] + x[(other + 31) % 32];
  }
};

/// The last warp of a block is not full: the missing lanes take no part.
__global__ void ragged_warp(U* out, const U* in, int n) {
  const unsigned mask = __ballot_sync(__activemask(), int(threadIdx.x) < n);
  if (int(threadIdx.x) >= n) return;
  U x = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2) {
    const U other = __shfl_down_sync(mask, x, by);
    if (int(threadIdx.x % 32) + by < __popc(mask)) x += other;
  }
  out[threadIdx.x] = mask ^ (threadIdx.x % 32 == 0 ? x : 0);
}

/// A spin lock taken by each lane in turn: needs lanes of one warp to make progress on their own.
__global__ void lock_per_lane(U* out, const U* in, int n) {
  __shared__ int lock;
  __shared__ U total;
  if (threadIdx.x == 0) lock = 0, total = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      // volatile: each holder sees what the one before wrote
      volatile U* const sum = &total;
      *sum = *sum + in[threadIdx.x];
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  out[threadIdx.x] = total + U(n);
}

/// A lane waits for another lane of its own warp that comes later.
__global__ void hand_over_inside_warp(U* out, const U*, int) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  // Lanes go in descending order.
  while (turn != int(31 - threadIdx.x)) {
  }
  out[threadIdx.x] = U(turn);
  __threadfence_block();
  turn = turn + 1;
}

template <class T>
void add_shuffles(Suite& suite) {
  const std::string type = value_type<T>().name;
  add_warp<ShuffleUp<T, 32, 1>, T>(suite, "shfl_up by 1, " + type);
  add_warp<ShuffleUp<T, 16, 5>, T>(suite, "shfl_up by 5 in 16, " + type);
  add_warp<ShuffleDown<T, 32, 16>, T>(suite, "shfl_down by 16, " + type);
  add_warp<ShuffleDown<T, 8, 3>, T>(suite, "shfl_down by 3 in 8, " + type);
  add_warp<ShuffleXor<T, 32, 21>, T>(suite, "shfl_xor with 21, " + type);
  add_warp<ShuffleXor<T, 8, 12>, T>(suite, "shfl_xor with 12 in 8, " + type);
  add_warp<ShuffleIndexed<T, 32>, T>(suite, "shfl, " + type);
  add_warp<ShuffleIndexed<T, 4>, T>(suite, "shfl in 4, " + type);
  add_warp<Broadcast<T>, T>(suite, "broadcast, " + type);
}

}  // namespace

void register_cases(Suite& suite) {
  add_shuffles<S>(suite);
  add_shuffles<U>(suite);
  add_shuffles<std::int64_t>(suite);
  add_shuffles<std::uint64_t>(suite);
  add_shuffles<float>(suite);
  add_shuffles<double>(suite);
  add_warp<PartialShuffle, U>(suite, "shuffle among odd lanes");
  add_warp<Ballot, U>(suite, "ballot");
  add_warp<PartialBallot, U>(suite, "ballots of two halves");
  add_warp<Any, U>(suite, "any");
  add_warp<All, U>(suite, "all");
  add_warp<Unanimous, U>(suite, "uni");
  add_warp<MatchAny<U>, U>(suite, "match_any u32");
  add_warp<MatchAny<std::uint64_t>, std::uint64_t>(suite, "match_any u64");
  add_warp<MatchAll<U>, U>(suite, "match_all u32");
  add_warp<MatchAll<std::uint64_t>, std::uint64_t>(suite, "match_all u64");
  add_warp<ActiveMask, U>(suite, "activemask");
  add_warp<LaneMasks, U>(suite, "lane masks");
  add_warp<SumByButterfly<U>, U>(suite, "butterfly sum u32");
  add_warp<SumByButterfly<std::int64_t>, std::int64_t>(suite, "butterfly sum s64");
  add_warp<InclusiveScan, U>(suite, "inclusive scan");
  add_warp<RankAmongEqual, U>(suite, "rank among equal keys");
  add_warp<DivergeAndMeet, U>(suite, "diverge and meet");
  add_warp<SharedWithSyncwarp, U>(suite, "shared memory with __syncwarp");
  add_kernel(suite, "last warp not full", ragged_warp, {.block = 45}, random_values<U>(43), 45,
             [](const std::vector<U>& in, std::vector<U>& out) {
               for (U i = 0; i < 43; ++i) {
                 const U first = i / 32 * 32, lanes = i < 32 ? 32 : 11;
                 U sum = 0;
                 for (U j = first; j < first + lanes; ++j) sum += in[j];
                 out[i] = (i < 32 ? kAll : 0x7ffu) ^ (i % 32 == 0 ? sum : 0);
               }
             });
  add_kernel(suite, "spin lock taken by each lane", lock_per_lane, {.block = 64},
             random_values<U>(64), 64, [](const std::vector<U>& in, std::vector<U>& out) {
               U total = 64;
               for (const U x : in) total += x;
               out.assign(64, total);
             });
  add_kernel(suite, "hand over from lane to lane", hand_over_inside_warp, {.block = 32},
             std::vector<U>(32), 32, [](const std::vector<U>&, std::vector<U>& out) {
               for (U i = 0; i < 32; ++i) out[i] = 31 - i;
             });
}

}  // namespace differential
