#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include <cstdio>

// libcu++: atomics of all sizes, orders and scopes; barriers in shared and in global memory, with a
// completion and with parities; latches, semaphores; pipelines of threads, of blocks, of roles.

#if !defined(__clang__)
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

constexpr int kWords = 512;

template <class T, cuda::thread_scope Scope>
__device__ void all_operations(T* cells, cuda::std::memory_order order) {
  using Ref = cuda::atomic_ref<T, Scope>;
  const T mine = static_cast<T>(threadIdx.x * 37 + 11);
  Ref(cells[0]).fetch_add(mine, order);
  Ref(cells[1]).fetch_sub(mine, order);
  Ref(cells[2]).fetch_and(static_cast<T>(~(1u << threadIdx.x % 7)), order);
  Ref(cells[3]).fetch_or(static_cast<T>(1u << threadIdx.x % 5), order);
  Ref(cells[4]).fetch_xor(mine, order);
  Ref(cells[5]).fetch_max(mine, order);
  Ref(cells[6]).fetch_min(static_cast<T>(100 - mine), order);
  Ref cell(cells[7]);
  T old = cell.load();
  while (!cell.compare_exchange_weak(old, static_cast<T>(old + 3), order)) {
  }
  if (threadIdx.x == 5) Ref(cells[8]).exchange(mine, order);
  if (threadIdx.x == 6) Ref(cells[9]).store(mine);
  ++Ref(cells[10]);
  Ref(cells[11])--;
  Ref(cells[12]) += static_cast<T>(2);
}

template <class T>
__device__ void integers(int* out, int& used) {
  __shared__ T cells[4][16];
  for (int i = int(threadIdx.x); i < 64; i += int(blockDim.x)) {
    cells[i / 16][i % 16] = static_cast<T>(i % 16 == 2 ? ~0ull : 1ull);
  }
  __syncthreads();
  all_operations<T, cuda::thread_scope_block>(cells[0], cuda::std::memory_order_relaxed);
  all_operations<T, cuda::thread_scope_device>(cells[1], cuda::std::memory_order_acquire);
  all_operations<T, cuda::thread_scope_system>(cells[2], cuda::std::memory_order_seq_cst);
  all_operations<T, cuda::thread_scope_block>(cells[3], cuda::std::memory_order_acq_rel);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 64; ++i) out[used + i] = int(cells[i / 16][i % 16]);
  }
  used += 64;
  __syncthreads();
}

__global__ void integers_of_all_sizes(int* out) {
  int used = 0;
  integers<signed char>(out, used);
  integers<unsigned short>(out, used);
  integers<int>(out, used);
  integers<unsigned>(out, used);
  integers<long long>(out, used);
  integers<unsigned long long>(out, used);
}

struct Pair {
  short a, b;
};

__global__ void other_types(int* out) {
  __shared__ cuda::atomic<float, cuda::thread_scope_block> real;
  __shared__ cuda::atomic<Pair, cuda::thread_scope_block> pair;
  __shared__ cuda::atomic<int*, cuda::thread_scope_block> pointer;
  __shared__ cuda::atomic<bool, cuda::thread_scope_block> flag;
  if (threadIdx.x == 0) {
    real.store(0.5f);
    pair.store(Pair{1, 2});
    pointer.store(out);
    flag.store(false);
  }
  __syncthreads();
  real.fetch_add(0.25f * float(threadIdx.x));
  real.fetch_sub(0.125f);
  Pair old = pair.load();
  while (!pair.compare_exchange_weak(old, Pair{short(old.a + 1), short(old.b + 2)})) {
  }
  pointer.fetch_add(1);
  if (threadIdx.x == 33) flag.store(true, cuda::std::memory_order_release);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = int(real.load() * 8);
  out[1] = pair.load().a;
  out[2] = pair.load().b;
  out[3] = int(pointer.load() - out);
  out[4] = flag.load(cuda::std::memory_order_acquire);
  out[5] = real.is_lock_free() && decltype(real)::is_always_lock_free;
}

struct CountUp {
  int* count;
  __device__ void operator()() const { ++*count; }
};

__global__ void barriers(int* out, cuda::barrier<cuda::thread_scope_device>* global) {
  __shared__ cuda::barrier<cuda::thread_scope_block> shared;
  __shared__ cuda::barrier<cuda::thread_scope_block, CountUp> counting;
  __shared__ int completions, cells[64];
  const int i = int(threadIdx.x);
  if (i == 0) {
    completions = 0;
    init(&shared, blockDim.x);
    init(&counting, blockDim.x, CountUp{&completions});
    init(global, blockDim.x);
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    cells[i] = i * 3 + round;
    if (round % 2 == 0) {
      auto token = shared.arrive();
      shared.wait(std::move(token));
    } else {
      global->arrive_and_wait();
    }
    sum += cells[63 - i];
    counting.arrive_and_wait();
  }
  // The others count for the threads that have left.
  if (i % 2 == 1) {
    shared.arrive_and_drop();
    out[i] = sum;
  } else {
    (void)shared.arrive();
    shared.wait_parity(false);  // of the third phase
    shared.arrive_and_wait();
    out[i] = sum + completions;
  }
}

__global__ void latches(int* out) {
  __shared__ char place[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto* const latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(place);
  __shared__ int cells[64];
  if (threadIdx.x == 0) new (latch) cuda::latch<cuda::thread_scope_block>(64);
  __syncthreads();
  cells[threadIdx.x] = int(threadIdx.x) * 5;
  if (threadIdx.x < 32) {
    latch->arrive_and_wait();
  } else {
    latch->count_down();
    latch->wait();
  }
  out[threadIdx.x] = cells[63 - threadIdx.x] + latch->try_wait();
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device>* the_lock() {
  __shared__ alignas(8) char place[sizeof(cuda::binary_semaphore<cuda::thread_scope_device>)];
  return reinterpret_cast<cuda::binary_semaphore<cuda::thread_scope_device>*>(place);
}

__global__ void semaphores(int* out) {
  auto* const lock = the_lock();
  __shared__ int total;
  if (threadIdx.x == 0) {
    new (lock) cuda::binary_semaphore<cuda::thread_scope_device>(1);
    total = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    lock->acquire();
    total = total + int(threadIdx.x) + 1;
    lock->release();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = total;
    out[1] = lock->try_acquire();
    out[2] = lock->try_acquire();
  }
}

/// Both halves of the block by roles: the first warp copies, the second one adds.
template <bool ByRole>
__global__ void roles(const int* in, int* out, int rounds) {
  constexpr unsigned kStages = 3;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int tiles[kStages][32];
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  const unsigned lane = threadIdx.x % 32;
  auto pipeline = [&] {
    if constexpr (ByRole) {
      return cuda::make_pipeline(
          block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    } else {
      return cuda::make_pipeline(block, &state, size_t{32});
    }
  }();
  int sum = 0;
  for (unsigned round = 0; round < unsigned(rounds); ++round) {
    if (produces) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tiles[round % kStages][lane], in + round * 32 + lane, sizeof(int),
                         pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      sum = sum * 3 + tiles[round % kStages][31 - lane];
      pipeline.consumer_release();
    }
  }
  if (!produces) out[lane] = sum;
}

/// The same in one thread's pipeline, waiting for the oldest stage.
__global__ void of_threads(const int* in, int* out, int rounds) {
  __shared__ int tiles[2][64];
  auto pipeline = cuda::make_pipeline();
  const unsigned i = threadIdx.x;
  int sum = 0;
  const auto begin = [&](int round) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tiles[round % 2][i], in + round * 64 + int(i),
                       cuda::aligned_size_t<4>(sizeof(int)), pipeline);
    pipeline.producer_commit();
  };
  begin(0);
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) begin(round + 1);
    pipeline.consumer_wait();
    sum = sum * 5 + tiles[round % 2][i];
    pipeline.consumer_release();
  }
  out[i] = sum;
}

template <class Launch>
void print(const char* name, int count, Launch launch) {
  int* out = nullptr;
  cudaMalloc(&out, kWords * sizeof *out);
  cudaMemset(out, 0, kWords * sizeof *out);
  launch(out);
  const cudaError_t error = cudaDeviceSynchronize();
  int host[kWords];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %s\n", name, cudaGetErrorName(error));
  for (int i = 0; i < count; ++i) std::printf("%4d %d\n", i, host[i]);
  cudaFree(out);
}

int main() {
  print("integers", 384, [](int* out) { integers_of_all_sizes<<<1, 64>>>(out); });
  print("other types", 6, [](int* out) { other_types<<<1, 64>>>(out); });
  cuda::barrier<cuda::thread_scope_device>* global = nullptr;
  cudaMalloc(&global, sizeof *global);
  print("barriers", 64, [&](int* out) { barriers<<<1, 64>>>(out, global); });
  cudaFree(global);
  print("latches", 64, [](int* out) { latches<<<1, 64>>>(out); });
  print("semaphores", 3, [](int* out) { semaphores<<<1, 96>>>(out); });
  int numbers[512], *in = nullptr;
  for (int i = 0; i < 512; ++i) numbers[i] = i * 7919 % 1009;
  cudaMalloc(&in, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  print("roles by count", 32, [&](int* out) { roles<false><<<1, 64>>>(in, out, 11); });
  print("roles", 32, [&](int* out) { roles<true><<<1, 64>>>(in, out, 11); });
  print("of threads", 64, [&](int* out) { of_threads<<<1, 64>>>(in, out, 8); });
  cudaFree(in);

  // The same types on the host.
  cuda::atomic<int> number(5);
  number.fetch_add(3);
  int expected = 7;
  const bool swapped = number.compare_exchange_strong(expected, 9);
  cuda::atomic<unsigned char> byte(250);
  byte.fetch_add(10);
  std::printf("host: %d %d %d %d\n", number.load(), swapped, expected, int(byte.load()));
}
