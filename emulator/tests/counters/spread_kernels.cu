// Atomics over a number of bytes, and stores of parts of sectors from a number of blocks: how much
// of either a card does side by side. The model's times of them come from the measured times of
// these kernels (scripts/gpu_counters, docs/cost-model.md). Every kernel is launched once.

#include "emulator/tests/support/device.h"

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
void update(T* words, const unsigned* where) {
  consecutive<T, kWords><<<kBlocks, kThreads>>>(words, where);
  scattered<T, kWords><<<kBlocks, kThreads>>>(words, where);
  one_per_warp<T, kWords><<<kBlocks, kThreads>>>(words, where);
  CUDA_CHECK(cudaDeviceSynchronize());
}

template <class T>
void update_all(const unsigned* where) {
  T* words = nullptr;
  CUDA_CHECK(cudaMalloc(&words, (1 << 16) * sizeof(T)));
  CUDA_CHECK(cudaMemset(words, 0, (1 << 16) * sizeof(T)));
  update<T, 8>(words, where);
  update<T, 64>(words, where);
  update<T, 256>(words, where);
  update<T, 2048>(words, where);
  update<T, 1 << 14>(words, where);
  update<T, 1 << 16>(words, where);
  CUDA_CHECK(cudaFree(words));
}

template <int kStoring>
void store(float* out) {
  constexpr int kColumns = 512;
  rows<kStoring><<<kStoring, kThreads>>>(out, kColumns);
  whole<kStoring><<<kStoring, kThreads>>>(out, kColumns);
  CUDA_CHECK(cudaDeviceSynchronize());
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
  CUDA_CHECK(cudaMalloc(&where, sizeof(places)));
  CUDA_CHECK(cudaMemcpy(where, places, sizeof(places), cudaMemcpyHostToDevice));
  update_all<unsigned>(where);
  update_all<float>(where);
  float* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, size_t{264} * kThreads * 512 * sizeof(float)));
  store<1>(out);
  store<4>(out);
  store<16>(out);
  store<66>(out);
  store<132>(out);
  store<264>(out);
  CUDA_CHECK(cudaFree(where));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
