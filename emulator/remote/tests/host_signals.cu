// Kernels that wait for host code. Launches are asynchronous: the host goes on, and says later what
// a kernel waits for.
// usage: host_signals flag|exchange|never

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                           \
  do {                                                                        \
    const cudaError_t error = (call);                                         \
    if (error != cudaSuccess) {                                               \
      std::printf("%s:%d: %s\n", #call, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

__global__ void wait_for(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 40;
}

__global__ void add_two(int* out) {
  *out += 2;
}

/// More work is queued before the host says what the first kernel waits for.
void flag() {
  int* flag = nullptr;
  int* result = nullptr;
  int* device = nullptr;
  CHECK(cudaMallocHost(&flag, sizeof *flag));
  CHECK(cudaMallocHost(&result, sizeof *result));
  CHECK(cudaMalloc(&device, sizeof *device));
  *flag = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  wait_for<<<1, 1, 0, stream>>>(flag, device);
  CHECK(cudaGetLastError());
  add_two<<<1, 1, 0, stream>>>(device);
  CHECK(cudaMemcpyAsync(result, device, sizeof *device, cudaMemcpyDeviceToHost, stream));
  if (cudaStreamQuery(stream) != cudaErrorNotReady) std::puts("it is done before it can be");
  *static_cast<volatile int*>(flag) = 1;
  CHECK(cudaStreamSynchronize(stream));
  std::printf("%d\n", *result);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(result));
  CHECK(cudaFreeHost(flag));
}

__global__ void count(volatile int* turn, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (*turn != 2 * i + 1) {
    }
    __threadfence_system();
    *turn = 2 * i + 2;
  }
}

/// Host and kernel take turns, without a call of the runtime.
void exchange() {
  constexpr int kRounds = 10;
  int* turn = nullptr;
  CHECK(cudaHostAlloc(&turn, sizeof *turn, cudaHostAllocMapped));
  volatile int* shared = turn;
  *shared = 0;
  count<<<1, 1>>>(turn, kRounds);
  CHECK(cudaGetLastError());
  for (int i = 0; i < kRounds; ++i) {
    *shared = 2 * i + 1;
    while (*shared != 2 * i + 2) {
    }
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("%d\n", *turn);
  CHECK(cudaFreeHost(turn));
}

/// Nobody ever says it: the near miss.
void never() {
  int* flag = nullptr;
  CHECK(cudaMallocHost(&flag, 2 * sizeof *flag));
  std::memset(flag, 0, 2 * sizeof *flag);
  wait_for<<<1, 1>>>(flag, flag + 1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (std::strcmp(argv[1], "flag") == 0) flag();
  if (std::strcmp(argv[1], "exchange") == 0) exchange();
  if (std::strcmp(argv[1], "never") == 0) never();
}
