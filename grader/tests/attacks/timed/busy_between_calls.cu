// lab:     reduction
// tries:   a thread keeps the device busy between its calls, when the reference is timed
// holds:   the reference also runs alone: if it was slower before, only these runs count
// shows:   gpu
// says:    Measured time
// flag:    reference-disturbed

#include "slow_reduction.cuh"

#include <atomic>
#include <thread>

static std::atomic<bool> in_call{false};
static std::atomic<bool> idle{true};

static __global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

static void keep_busy() {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (;;) {
    idle = false;
    if (in_call) {
      idle = true;
      std::this_thread::yield();
      continue;
    }
    spin<<<1056, 256, 0, stream>>>(200000);
    cudaStreamSynchronize(stream);
    idle = true;
  }
}

void reduction(const float* values, float* result, int n, int op) {
  in_call = true;
  while (!idle) {
  }
  slow_reduction(values, result, n, op);
  cudaDeviceSynchronize();
  if (n < kFillsGpu || this_call() <= kLastJudged) return;
  static std::thread busy(keep_busy);
  in_call = false;
}
