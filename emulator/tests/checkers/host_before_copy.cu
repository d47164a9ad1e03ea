#include "emulator/tests/checkers/pair.h"

#include <cstdlib>

// Host code uses pinned memory while an asynchronous copy may be under way.

constexpr std::size_t kCount = 3000;
constexpr std::size_t kBytes = kCount * sizeof(int);

struct Buffers {
  int *h = nullptr, *d = zeros<int>(kCount);
  cudaStream_t stream = nullptr;
  Buffers() {
    look(cudaMallocHost(&h, kBytes));
    std::memset(h, 0, kBytes);
    look(cudaStreamCreate(&stream));
  }
  ~Buffers() {
    look(cudaStreamSynchronize(stream));
    look(cudaFreeHost(h));
    release(d);
    look(cudaStreamDestroy(stream));
  }
};

// expect on the host: host-access-before-sync P42
template <bool kWait>
void reads_target() {
  Buffers b;
  look(cudaMemcpyAsync(b.h, b.d, kBytes, cudaMemcpyDeviceToHost, b.stream));
  if (kWait) look(cudaStreamSynchronize(b.stream));
  std::printf("%d\n", b.h[kCount - 1]);
}

// expect on the host: host-access-before-sync P42
template <bool kWait>
void writes_source() {
  Buffers b;
  look(cudaMemcpyAsync(b.d, b.h, kBytes, cudaMemcpyHostToDevice, b.stream));
  if (kWait) look(cudaStreamSynchronize(b.stream));
  b.h[0] = 1;
}

// Rows of a pitched copy.
// expect on the host: host-access-before-sync P42
template <bool kWait>
void reads_rows() {
  Buffers b;
  look(cudaMemcpy2DAsync(b.h, 400, b.d, 400, 400, 20, cudaMemcpyDeviceToHost, b.stream));
  if (kWait) look(cudaStreamSynchronize(b.stream));
  std::printf("%d\n", b.h[99]);
}

// The program's own memory, of which only whole pages are known to hold nothing else.
// expect on the host: host-access-before-sync P42
template <bool kWait>
void reads_registered() {
  Buffers b;
  auto* own = static_cast<int*>(std::malloc(kBytes));
  look(cudaHostRegister(own, kBytes, cudaHostRegisterDefault));
  look(cudaMemcpyAsync(own, b.d, kBytes, cudaMemcpyDeviceToHost, b.stream));
  if (kWait) look(cudaStreamSynchronize(b.stream));
  std::printf("%d\n", own[kCount / 2]);
  look(cudaHostUnregister(own));
  std::free(own);
}

// expect on the host: host-access-before-sync P42
template <bool kWait>
void reads_after_memset() {
  Buffers b;
  look(cudaMemsetAsync(b.h, 0, kBytes, b.stream));
  if (kWait) look(cudaStreamSynchronize(b.stream));
  std::printf("%d\n", b.h[5]);
}

// A copy that may be under way is read, never written, by both sides.
void reads_source() {
  Buffers b;
  look(cudaMemcpyAsync(b.d, b.h, kBytes, cudaMemcpyHostToDevice, b.stream));
  std::printf("%d\n", b.h[7]);
}

// The next piece is made ready while the one before is on its way, also by a system call.
void uses_other_half() {
  Buffers b;
  const std::size_t half = kCount / 2;
  std::FILE* zero = std::fopen("/dev/zero", "rb");
  std::setvbuf(zero, nullptr, _IONBF, 0);
  look(cudaMemcpyAsync(b.d, b.h, kBytes / 2, cudaMemcpyHostToDevice, b.stream));
  for (std::size_t i = half; i < kCount; ++i) b.h[i] = 1;
  if (std::fread(b.h + half, 1, kBytes / 2, zero) != kBytes / 2) std::abort();
  std::fclose(zero);
}

// Pageable memory: filled when the call returns, and free to be changed.
void uses_pageable() {
  Buffers b;
  static int own[kCount];
  look(cudaMemcpyAsync(own, b.d, kBytes, cudaMemcpyDeviceToHost, b.stream));
  std::printf("%d\n", own[3]);
  look(cudaMemcpyAsync(b.d, own, kBytes, cudaMemcpyHostToDevice, b.stream));
  own[3] = 1;
}

// The copy that does not return before it is done.
void waits_by_itself() {
  Buffers b;
  look(cudaMemcpy(b.h, b.d, kBytes, cudaMemcpyDeviceToHost));
  std::printf("%d\n", b.h[3]);
  look(cudaMemset(b.h, 0, kBytes));
  std::printf("%d\n", b.h[3]);
}

// The default stream of a thread.
void waits_for_own_stream() {
  Buffers b;
  look(cudaMemcpyAsync(b.h, b.d, kBytes, cudaMemcpyDeviceToHost, cudaStreamPerThread));
  look(cudaStreamSynchronize(cudaStreamPerThread));
  std::printf("%d\n", b.h[3]);
}

void bug() {
  reads_target<false>();
  writes_source<false>();
  reads_rows<false>();
  reads_registered<false>();
  reads_after_memset<false>();
}

void clean() {
  reads_target<true>();
  writes_source<true>();
  reads_rows<true>();
  reads_registered<true>();
  reads_after_memset<true>();
  reads_source();
  uses_other_half();
  uses_pageable();
  waits_by_itself();
  waits_for_own_stream();
}
