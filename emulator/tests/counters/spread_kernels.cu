// Atomics over a number of bytes, and stores of parts of sectors from a number of blocks: how much
// of either a card does side by side. The model's times of them come from the measured times of
// these kernels (scripts/gpu_counters, docs/cost-model.md). Every kernel is launched once.

#include <cstdio>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      return 1;                                                                           \
    }                                                                                     \
  } while (false)

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// Which word a thread updates: the lanes of a warp adjacent words (consecutive), words anywhere
// (scattered), or all lanes one word that only memory tells (one_per_warp).
template <class T, int kWords>
__global__ void consecutive(T* words, const unsigned* /*where*/) {
  atomicAdd(words + global_index() % kWords, T{1});
}
template <class T, int kWords>
__global__ void scattered(T* words, const unsigned* where) {
  atomicAdd(words + where[global_index()] % kWords, T{1});
}
template <class T, int kWords>
__global__ void one_per_warp(T* words, const unsigned* where) {
  atomicAdd(words + where[global_index() / 32] % kWords, T{1});
}

// Threads that each write a row from left to right: every store of a warp fills a part of 32
// sectors.
template <int kBlocks>
__global__ void rows(float* out, int columns) {
  float* const row = out + static_cast<size_t>(global_index()) * columns;
  for (int c = 0; c < columns; ++c) row[c] = static_cast<float>(c);
}
// The same number of stores of whole sectors.
template <int kBlocks>
__global__ void whole(float* out, int columns) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (int c = 0; c < columns; ++c) out[c * threads + global_index()] = static_cast<float>(c);
}

constexpr int kBlocks = 1024;
constexpr int kThreads = 256;

template <class T, int kWords>
int update(T* words, const unsigned* where) {
  consecutive<T, kWords><<<kBlocks, kThreads>>>(words, where);
  scattered<T, kWords><<<kBlocks, kThreads>>>(words, where);
  one_per_warp<T, kWords><<<kBlocks, kThreads>>>(words, where);
  CHECK(cudaDeviceSynchronize());
  return 0;
}

template <class T>
int update_all(const unsigned* where) {
  T* words = nullptr;
  CHECK(cudaMalloc(&words, (1 << 16) * sizeof(T)));
  CHECK(cudaMemset(words, 0, (1 << 16) * sizeof(T)));
  const bool failed = update<T, 8>(words, where) || update<T, 64>(words, where) ||
                      update<T, 256>(words, where) || update<T, 2048>(words, where) ||
                      update<T, 1 << 14>(words, where) || update<T, 1 << 16>(words, where);
  CHECK(cudaFree(words));
  return failed ? 1 : 0;
}

template <int kStoring>
int store(float* out) {
  constexpr int kColumns = 512;
  rows<kStoring><<<kStoring, kThreads>>>(out, kColumns);
  whole<kStoring><<<kStoring, kThreads>>>(out, kColumns);
  CHECK(cudaDeviceSynchronize());
  return 0;
}

int main() {
  constexpr size_t kCount = size_t{kBlocks} * kThreads;
  static unsigned places[kCount];
  unsigned state = 1;
  for (unsigned& place : places) {
    state = state * 1664525u + 1013904223u;
    place = state >> 16;
  }
  unsigned* where = nullptr;
  CHECK(cudaMalloc(&where, sizeof(places)));
  CHECK(cudaMemcpy(where, places, sizeof(places), cudaMemcpyHostToDevice));
  if (update_all<unsigned>(where) != 0 || update_all<float>(where) != 0) return 1;
  float* out = nullptr;
  CHECK(cudaMalloc(&out, size_t{264} * kThreads * 512 * sizeof(float)));
  if (store<1>(out) || store<4>(out) || store<16>(out) || store<66>(out) || store<132>(out) ||
      store<264>(out)) {
    return 1;
  }
  CHECK(cudaFree(where));
  CHECK(cudaFree(out));
  return 0;
}
