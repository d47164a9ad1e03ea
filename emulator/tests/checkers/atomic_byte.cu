#include "emulator/tests/checkers/pair.h"

// An atomic of one byte changes the word that it is in, which need not end with the array.

__device__ void largest(unsigned char* place, unsigned char value) {
  const auto address = reinterpret_cast<unsigned long long>(place);
  auto* word = reinterpret_cast<unsigned*>(address & ~3ull);
  const unsigned shift = unsigned(address & 3) * 8;
  unsigned old = *const_cast<volatile unsigned*>(word);
  while ((old >> shift & 0xff) < value) {
    const unsigned wanted = (old & ~(0xffu << shift)) | unsigned(value) << shift;
    const unsigned now = atomicCAS(word, old, wanted);
    if (now == old) break;
    old = now;
  }
}

__global__ void in_global(unsigned char* a) {
  largest(a + 4, static_cast<unsigned char>(threadIdx.x));
}

__global__ void in_shared(unsigned char* a) {
  __shared__ unsigned char b[5];
  if (threadIdx.x < 5) b[threadIdx.x] = 0;
  __syncthreads();
  largest(b + 4, static_cast<unsigned char>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) a[0] = b[4];
}

// A load of four bytes that no atomic needs.
__global__ void load_word(const unsigned* a, unsigned* b) {
  *b = a[1];  // expect: oob-global-read
}

// The word after the last one.
__global__ void far(unsigned char* a) {
  atomicCAS(reinterpret_cast<unsigned*>(a) + 2, 0u, 1u);  // expect: oob-global-write
}

void run() {
  unsigned char* a = zeros<unsigned char>(5);
  unsigned char host[5] = {};
  in_global<<<1, 8>>>(a);
  look(cudaMemcpy(host, a, 5, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[4]);
  in_shared<<<1, 8>>>(a);
  look(cudaMemcpy(host, a, 5, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[0]);
  if (host[4] != 7 || host[0] != 7) look(cudaErrorUnknown);
  release(a);
}

void bug() {
  unsigned char* a = zeros<unsigned char>(5);
  unsigned* b = zeros<unsigned>(1);
  load_word<<<1, 1>>>(reinterpret_cast<unsigned*>(a), b);
  far<<<1, 1>>>(a);
  finish();
  release(a, b);
}
void clean() {
  run();
}
