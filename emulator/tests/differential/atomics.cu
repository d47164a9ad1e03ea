#include <algorithm>

#include "emulator/tests/differential/kernel.h"

// Atomics of every kind and type, on global and shared memory. Checks do not depend on the order in
// which threads arrive: final values, and what the returned old values add up to.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;
using ULL = unsigned long long;
using LL = long long;

constexpr int kCells = 8;  // contended by all threads
constexpr int kThreads = 128;
constexpr int kBlocks = 6;

__device__ U increment_to_1000(U* cell, U) {
  return atomicInc(cell, 1000);
}
__device__ U decrement_from_1000(U* cell, U) {
  return atomicDec(cell, 1000);
}

__device__ U cas_multiply(U* cell, U value) {
  U old = *cell, seen;
  do {
    seen = old;
    old = atomicCAS(cell, seen, seen * value);
  } while (old != seen);
  return old;
}

__device__ float cas_maximum(float* cell, float value) {
  int* bits = reinterpret_cast<int*>(cell);
  int old = *bits;
  while (__int_as_float(old) < value) {
    const int seen = old;
    old = atomicCAS(bits, seen, __float_as_int(value));
    if (old == seen) break;
  }
  return __int_as_float(old);
}

__device__ double cas_add(double* cell, double value) {
  ULL* bits = reinterpret_cast<ULL*>(cell);
  ULL old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, ULL(__double_as_longlong(__longlong_as_double(LL(seen)) + value)));
  } while (old != seen);
  return __longlong_as_double(LL(old));
}

// An operation is `update` (the device's atomic, returning the old value), `apply` (the host's) and
// the value that a cell starts with.
#define OPERATION(Name, T, intrinsic, start, expression)                            \
  struct Name {                                                                     \
    using Type = T;                                                                 \
    static constexpr T kStart = start;                                              \
    static __device__ T update(T* cell, T value) { return intrinsic(cell, value); } \
    static T apply(T old, T value) { return expression; }                           \
  };

OPERATION(AddS32, S, atomicAdd, 5, S(U(old) + U(value)))
OPERATION(AddU32, U, atomicAdd, 5, old + value)
OPERATION(AddU64, ULL, atomicAdd, 5, old + value)
OPERATION(SubS32, S, atomicSub, 7, S(U(old) - U(value)))
OPERATION(SubU32, U, atomicSub, 7, old - value)
OPERATION(MinS32, S, atomicMin, 1000000, old < value ? old : value)
OPERATION(MinU32, U, atomicMin, 4000000000u, old < value ? old : value)
OPERATION(MinS64, LL, atomicMin, 1LL << 60, old < value ? old : value)
OPERATION(MinU64, ULL, atomicMin, ~0ull, old < value ? old : value)
OPERATION(MaxS32, S, atomicMax, -1000000, old > value ? old : value)
OPERATION(MaxU32, U, atomicMax, 3, old > value ? old : value)
OPERATION(MaxS64, LL, atomicMax, -(1LL << 60), old > value ? old : value)
OPERATION(MaxU64, ULL, atomicMax, 0, old > value ? old : value)
OPERATION(AndU32, U, atomicAnd, ~0u, old& value)
OPERATION(AndU64, ULL, atomicAnd, ~0ull, old& value)
OPERATION(OrS32, S, atomicOr, 0, old | value)
OPERATION(OrU64, ULL, atomicOr, 0, old | value)
OPERATION(XorU32, U, atomicXor, 0x1234, old ^ value)
OPERATION(XorU64, ULL, atomicXor, 0x1234567890, old ^ value)
// Sums of small whole numbers are exact in any order.
OPERATION(AddF32, float, atomicAdd, 0.5f, old + value)
OPERATION(AddF64, double, atomicAdd, 0.25, old + value)
// Wrap at 1000: the count of threads decides the end.
OPERATION(Increment, U, increment_to_1000, 990, old >= 1000 ? 0 : old + 1)
OPERATION(Decrement, U, decrement_from_1000, 3, old == 0 || old > 1000 ? 1000 : old - 1)
// Compare-and-swap loops.
OPERATION(LoopMultiply, U, cas_multiply, 3, old* value)
OPERATION(LoopMaxF32, float, cas_maximum, -1e30f, old > value ? old : value)
OPERATION(LoopAddF64, double, cas_add, 1.0, old + value)

template <class Op>
__global__ void on_global(typename Op::Type* cells, const typename Op::Type* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) Op::update(cells + i % kCells, in[i]);
}

template <class Op>
__global__ void on_shared(typename Op::Type* out, const typename Op::Type* in, int n) {
  using T = typename Op::Type;
  __shared__ T cells[kCells];
  if (threadIdx.x < kCells) cells[threadIdx.x] = Op::kStart;
  __syncthreads();
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) Op::update(cells + i % kCells, in[i]);
  __syncthreads();
  if (threadIdx.x < kCells) out[threadIdx.x] = cells[threadIdx.x];
}

/// Every old value goes out: chained from the start they must give the end (see the model).
template <class Op>
__global__ void with_old_values(typename Op::Type* cell, typename Op::Type* old,
                                const typename Op::Type* in, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) old[i] = Op::update(cell, in[i]);
}

template <class T>
std::vector<T> operands(std::size_t count) {
  std::vector<T> values(count);
  std::uint64_t state = 88172645463325252u;
  for (T& value : values) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    if constexpr (std::is_floating_point_v<T>) {
      value = T(S(state % 2001) - 1000);
    } else {
      value = T(state >> 3);
    }
  }
  return values;
}

template <class Op>
void add_atomic(Suite& suite, const std::string& name) {
  using T = typename Op::Type;
  const auto model = [](const std::vector<T>& in) {
    std::vector<T> cells(kCells, Op::kStart);
    for (std::size_t i = 0; i < in.size(); ++i) {
      cells[i % kCells] = Op::apply(cells[i % kCells], in[i]);
    }
    return cells;
  };
  const std::vector<T> in = operands<T>(kThreads * kBlocks - 11);
  suite.add("atomic " + name + " on global memory", [=] {
    testing::Buffer<T> cells(std::vector<T>(kCells, Op::kStart));
    const testing::Buffer<T> device_in(in);
    on_global<Op><<<kBlocks, kThreads>>>(cells.get(), device_in.get(), int(in.size()));
    FINISH_LAUNCH();
    const std::vector<T> got = cells.download(), want = model(in);
    for (int i = 0; i < kCells; ++i) {
      if (got[std::size_t(i)] == want[std::size_t(i)]) continue;
      throw Mismatch("lane " + std::to_string(i) + " got " +
                     show_bytes(&got[std::size_t(i)], sizeof(T)) + " want " +
                     show_bytes(&want[std::size_t(i)], sizeof(T)));
    }
  });
  add_kernel(suite, "atomic " + name + " on shared memory", on_shared<Op>, {.block = kThreads}, in,
             kCells,
             [=](const std::vector<T>& values, std::vector<T>& out) { out = model(values); });
}

/// One cell, all threads: each old value must be the result of exactly one other update.
template <class Op>
void add_old_values(Suite& suite, const std::string& name) {
  using T = typename Op::Type;
  suite.add("old values of atomic " + name, [] {
    const std::vector<T> in = operands<T>(300);
    testing::Buffer<T> cell(std::vector<T>{Op::kStart});
    testing::Buffer<T> old(in.size());
    const testing::Buffer<T> device_in(in);
    with_old_values<Op><<<3, 100>>>(cell.get(), old.get(), device_in.get(), int(in.size()));
    FINISH_LAUNCH();
    // {start} + results of all updates == {old values} + {end}, as multisets.
    std::vector<T> produced{Op::kStart}, consumed = old.download();
    for (std::size_t i = 0; i < in.size(); ++i) produced.push_back(Op::apply(consumed[i], in[i]));
    consumed.push_back(cell.download()[0]);
    std::sort(produced.begin(), produced.end());
    std::sort(consumed.begin(), consumed.end());
    require_agreement(consumed, produced);
  });
}

// Exchange and compare-and-swap -------------------------------------------------------------------

template <class T>
__global__ void pass_around(T* out, const T* in, int n) {
  __shared__ T cell;
  if (threadIdx.x == 0) cell = in[n - 1];
  __syncthreads();
  if (int(threadIdx.x) < n - 1) out[threadIdx.x] = atomicExch(&cell, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[n - 1] = cell;
}

/// What goes into a cell comes out of it once.
template <class T>
void add_exchange(Suite& suite, const char* name) {
  suite.add(std::string("atomic exchange ") + name, [] {
    const std::vector<T> in = operands<T>(200);
    const testing::Buffer<T> device_in(in);
    testing::Buffer<T> out(in.size());
    pass_around<T><<<1, 256>>>(out.get(), device_in.get(), int(in.size()));
    FINISH_LAUNCH();
    std::vector<T> got = out.download(), want = in;
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    require_agreement(got, want);
  });
}

/// A slot is won by the thread that finds it empty; all others must see who won.
template <class T>
__global__ void claim_slots(T* out, const T*, int n) {
  __shared__ T slots[16];
  if (threadIdx.x < 16) slots[threadIdx.x] = 0;
  __syncthreads();
  const T mine = T(threadIdx.x + 1);
  const T before = atomicCAS(&slots[threadIdx.x % 16], T(0), mine);
  __syncthreads();
  const T winner = slots[threadIdx.x % 16];
  // 1 for the winner of each slot, which read an empty slot; 0 for the others, which read the
  // winner.
  const bool consistent = before == 0 ? winner == mine : before == winner;
  out[threadIdx.x] = consistent ? T(before == 0) : T(7);
  if (n < 0) out[0] = 0;
}

template <class T>
void add_claims(Suite& suite, const char* name) {
  suite.add(std::string("compare and swap ") + name, [] {
    testing::Buffer<T> out(160);
    claim_slots<T><<<1, 160>>>(out.get(), nullptr, 0);
    FINISH_LAUNCH();
    const std::vector<T> got = out.download();
    std::vector<U> winners(16), want(16, 1);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] > 1) throw Mismatch("lane " + std::to_string(i) + " saw another winner");
      winners[i % 16] += U(got[i]);
    }
    require_agreement(winners, want);
  });
}

// Idioms ------------------------------------------------------------------------------------------

__global__ void compact(U* out, const U* in, int n) {
  __shared__ U count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) {
    if (in[i] % 3 == 0) out[1 + atomicAdd(&count, 1)] = in[i];
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

__global__ void privatised_histogram(U* out, const U* in, int n) {
  __shared__ U bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int step = int(gridDim.x * blockDim.x);
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
    atomicAdd(&bins[in[i] % 16], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

/// Scoped variants and pointers that are generic.
__global__ void scoped(U* out, const U* in, int n) {
  __shared__ U near;
  if (threadIdx.x == 0) near = 0;
  __syncthreads();
  if (int(threadIdx.x) < n) {
    U* cell = threadIdx.x % 2 == 0 ? &near : out;
    atomicAdd(cell, in[threadIdx.x]);
    atomicAdd_block(out + 1, in[threadIdx.x]);
    atomicMax_system(out + 2, in[threadIdx.x]);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[3] = near;
}

__global__ void diverged(U* out, const U* in, int n) {
  for (U round = 0; round < in[threadIdx.x] % 5; ++round) {
    if ((threadIdx.x + round) % 2 == 0) {
      atomicAdd(out + round, 1);
    } else {
      atomicXor(out + 8, 1u << round);
    }
  }
  if (n < 0) out[0] = 0;
}

}  // namespace

void register_cases(Suite& suite) {
  add_atomic<AddS32>(suite, "add s32");
  add_atomic<AddU32>(suite, "add u32");
  add_atomic<AddU64>(suite, "add u64");
  add_atomic<SubS32>(suite, "sub s32");
  add_atomic<SubU32>(suite, "sub u32");
  add_atomic<MinS32>(suite, "min s32");
  add_atomic<MinU32>(suite, "min u32");
  add_atomic<MinS64>(suite, "min s64");
  add_atomic<MinU64>(suite, "min u64");
  add_atomic<MaxS32>(suite, "max s32");
  add_atomic<MaxU32>(suite, "max u32");
  add_atomic<MaxS64>(suite, "max s64");
  add_atomic<MaxU64>(suite, "max u64");
  add_atomic<AndU32>(suite, "and u32");
  add_atomic<AndU64>(suite, "and u64");
  add_atomic<OrS32>(suite, "or s32");
  add_atomic<OrU64>(suite, "or u64");
  add_atomic<XorU32>(suite, "xor u32");
  add_atomic<XorU64>(suite, "xor u64");
  add_atomic<AddF32>(suite, "add f32");
  add_atomic<AddF64>(suite, "add f64");
  add_atomic<Increment>(suite, "inc");
  add_atomic<Decrement>(suite, "dec");
  add_atomic<LoopMultiply>(suite, "multiply by a CAS loop");
  add_atomic<LoopMaxF32>(suite, "f32 maximum by a CAS loop");
  add_atomic<LoopAddF64>(suite, "f64 add by a CAS loop");

  add_old_values<AddU32>(suite, "add u32");
  add_old_values<AddU64>(suite, "add u64");
  add_old_values<AddF32>(suite, "add f32");
  add_old_values<MaxS32>(suite, "max s32");
  add_old_values<MinU64>(suite, "min u64");
  add_old_values<XorU32>(suite, "xor u32");
  add_old_values<OrU64>(suite, "or u64");
  add_old_values<Increment>(suite, "inc");
  add_old_values<Decrement>(suite, "dec");

  add_exchange<S>(suite, "s32");
  add_exchange<U>(suite, "u32");
  add_exchange<ULL>(suite, "u64");
  add_exchange<float>(suite, "f32");
  add_claims<U>(suite, "u32");
  add_claims<ULL>(suite, "u64");
  add_claims<unsigned short>(suite, "u16");

  suite.add("compaction with a shared counter", [] {
    const std::vector<U> in = operands<U>(1000);
    const testing::Buffer<U> device_in(in);
    testing::Buffer<U> out(1001);
    out.fill_bytes(0);
    compact<<<1, 96>>>(out.get(), device_in.get(), 1000);
    FINISH_LAUNCH();
    std::vector<U> want, got = out.download();
    for (const U x : in) {
      if (x % 3 == 0) want.push_back(x);
    }
    if (got[0] != want.size()) throw Mismatch("lane 0 got " + std::to_string(got[0]));
    got = std::vector<U>(got.begin() + 1, got.begin() + 1 + long(want.size()));
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    require_agreement(got, want);
  });
  add_kernel(suite, "privatised histogram", privatised_histogram, {.grid = 4, .block = 64},
             operands<U>(5000), 16, [](const std::vector<U>& in, std::vector<U>& out) {
               for (const U x : in) ++out[x % 16];
             });
  add_kernel(suite, "scoped and generic atomics", scoped, {.block = 64}, operands<U>(50), 4,
             [](const std::vector<U>& in, std::vector<U>& out) {
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i % 2 == 0 ? 3 : 0] += in[i];
                 out[1] += in[i];
                 out[2] = std::max(out[2], in[i]);
               }
             });
  add_kernel(suite, "atomics in diverged loops", diverged, {.block = 128}, operands<U>(128), 9,
             [](const std::vector<U>& in, std::vector<U>& out) {
               for (U i = 0; i < 128; ++i) {
                 for (U round = 0; round < in[i] % 5; ++round) {
                   if ((i + round) % 2 == 0) {
                     ++out[round];
                   } else {
                     out[8] ^= 1u << round;
                   }
                 }
               }
             });
}

}  // namespace differential
