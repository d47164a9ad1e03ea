#include "emulator/tests/checkers/pair.h"

// Work of two streams that uses the same memory, with nothing that orders it, and after each thing
// that does.

constexpr int kCount = 3000;
constexpr std::size_t kBytes = kCount * sizeof(int);

/// Writes each `step`-th element of [first, last).
__global__ void fill(int* a, int first, int last, int step) {
  const int i = first + int(blockIdx.x * blockDim.x + threadIdx.x) * step;
  if (i < last) a[i] = i;
}

__global__ void sum(const int* __restrict__ a, int n, int* total) {
  int mine = 0;
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) mine += a[i];
  atomicAdd(total, mine);
}

__global__ void announce(int* data, volatile int* flag) {
  *data = 5;
  __threadfence();
  *flag = 1;
}

__global__ void listen(const int* data, volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  __threadfence();
  *out = *data;
}

/// Two streams that wait neither for each other nor for the default stream.
struct Two {
  cudaStream_t first, second;
  cudaEvent_t event;

  explicit Two(unsigned flags = cudaStreamNonBlocking) {
    look(cudaStreamCreateWithFlags(&first, flags));
    look(cudaStreamCreateWithFlags(&second, flags));
    look(cudaEventCreate(&event));
    look(cudaDeviceSynchronize());  // after the memsets of zeros()
  }
  Two(const Two&) = delete;
  ~Two() {
    finish();
    look(cudaEventDestroy(event));
    look(cudaStreamDestroy(first));
    look(cudaStreamDestroy(second));
  }
  /// The second stream comes behind the first from here on.
  void order() {
    look(cudaEventRecord(event, first));
    look(cudaStreamWaitEvent(second, event, 0));
  }
};

// expect on the host: stream-race
template <bool kOrdered>
void kernels() {
  int *a = zeros<int>(kCount), *total = zeros<int>(1);
  {
    Two streams;
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 1);
    if (kOrdered) streams.order();
    sum<<<1, 256, 0, streams.second>>>(a, kCount, total);
  }
  release(a, total);
}

// An event of before the first kernel orders nothing.
// expect on the host: stream-race
template <bool kBehind>
void event_before() {
  int *a = zeros<int>(kCount), *total = zeros<int>(1);
  {
    Two streams;
    if (!kBehind) look(cudaEventRecord(streams.event, streams.first));
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 1);
    if (kBehind) look(cudaEventRecord(streams.event, streams.first));
    look(cudaStreamWaitEvent(streams.second, streams.event, 0));
    sum<<<1, 256, 0, streams.second>>>(a, kCount, total);
  }
  release(a, total);
}

// A copy waits for what is in the default stream, and for streams that take turns with it.
// expect on the host: stream-race
void copy_out(unsigned flags) {
  int* a = zeros<int>(kCount);
  int b[4];
  {
    Two streams(flags);
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 1);
    look(cudaMemcpy(b, a, sizeof(b), cudaMemcpyDeviceToHost));
  }
  std::printf("%d\n", b[3]);
  release(a);
}

// expect on the host: stream-race
template <bool kWait>
void copy_in() {
  int *a = zeros<int>(kCount), *total = zeros<int>(1), *h = nullptr;
  look(cudaMallocHost(&h, kBytes));
  std::memset(h, 0, kBytes);
  {
    Two streams;
    look(cudaMemcpyAsync(a, h, kBytes, cudaMemcpyHostToDevice, streams.first));
    if (kWait) look(cudaStreamSynchronize(streams.first));
    sum<<<1, 256, 0, streams.second>>>(a, kCount, total);
  }
  look(cudaFreeHost(h));
  release(a, total);
}

// The bytes decide, not the array.
// expect on the host: stream-race
void halves(int second) {
  int* a = zeros<int>(kCount);
  {
    Two streams;
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount / 2, 1);
    fill<<<12, 256, 0, streams.second>>>(a, second, kCount, 1);
  }
  release(a);
}

// expect on the host: stream-race
void every_second(int second) {
  int* a = zeros<int>(kCount);
  {
    Two streams;
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 2);
    fill<<<12, 256, 0, streams.second>>>(a, second, kCount, 2);
  }
  release(a);
}

// Rows of a matrix, one stream for the left half and one for the right.
// expect on the host: stream-race
void columns(int second) {
  int *a = zeros<int>(kCount), *h = nullptr;
  look(cudaMallocHost(&h, kBytes));
  std::memset(h, 0, kBytes);
  {
    Two streams;
    constexpr std::size_t kRow = 60 * sizeof(int), kHalf = kRow / 2;
    look(cudaMemcpy2DAsync(a, kRow, h, kRow, kHalf, 50, cudaMemcpyHostToDevice, streams.first));
    look(cudaMemsetAsync(a + second, 0, kHalf, streams.second));
  }
  look(cudaFreeHost(h));
  release(a);
}

// Both kernels add with atomics, and the copy reads without.
// expect on the host: stream-race
template <bool kOrdered>
void atomics() {
  int *a = zeros<int>(kCount), *total = zeros<int>(1), *h = nullptr;
  look(cudaMallocHost(&h, sizeof(int)));
  {
    Two streams;
    sum<<<1, 256, 0, streams.first>>>(a, kCount, total);
    sum<<<1, 256, 0, streams.second>>>(a, kCount, total);
    if (kOrdered) streams.order();
    look(cudaMemcpyAsync(h, total, sizeof(int), cudaMemcpyDeviceToHost, streams.second));
  }
  look(cudaFreeHost(h));
  release(a, total);
}

// Kernels that run at the same time may hand over data by a flag.
void flag() {
  int *data = zeros<int>(1), *out = zeros<int>(1), *flag = zeros<int>(1);
  {
    Two streams;
    announce<<<1, 1, 0, streams.first>>>(data, flag);
    listen<<<1, 1, 0, streams.second>>>(data, flag, out);
  }
  release(data, out, flag);
}

// Memory is there behind its allocation, and until it is freed.
// expect on the host: stream-race
// expect on the host: stream-race
template <bool kOrdered>
void allocates() {
  Two streams;
  int* a = nullptr;
  look(cudaMallocAsync(&a, kBytes, streams.first));
  if (kOrdered) streams.order();
  fill<<<12, 256, 0, streams.second>>>(a, 0, kCount, 1);
  look(cudaEventRecord(streams.event, streams.second));
  if (kOrdered) look(cudaStreamWaitEvent(streams.first, streams.event, 0));
  look(cudaFreeAsync(a, streams.first));
}

// Other memory at the same address.
void reuse() {
  Two streams;
  int *a = nullptr, *b = nullptr;
  look(cudaMallocAsync(&a, kBytes, streams.first));
  fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 1);
  look(cudaFreeAsync(a, streams.first));
  look(cudaMallocAsync(&b, kBytes, streams.second));
  fill<<<12, 256, 0, streams.second>>>(b, 0, kCount, 1);
  look(cudaFreeAsync(b, streams.second));
}

// A work's turn in the default stream is behind all and before all that take turns with it.
void default_stream_between() {
  int *a = zeros<int>(kCount), *total = zeros<int>(1);
  {
    Two streams(cudaStreamDefault);
    fill<<<12, 256, 0, streams.first>>>(a, 0, kCount, 1);
    look(cudaMemsetAsync(total, 0, sizeof(int)));
    sum<<<1, 256, 0, streams.second>>>(a, kCount, total);
  }
  release(a, total);
}

// A stream that is destroyed ends its work first, and nobody waits for that.
// expect on the host: stream-race
template <bool kWait>
void destroyed(unsigned flags) {
  int *a = zeros<int>(kCount), b[4];
  cudaStream_t stream = nullptr;
  look(cudaStreamCreateWithFlags(&stream, flags));
  look(cudaDeviceSynchronize());
  fill<<<12, 256, 0, stream>>>(a, 0, kCount, 1);
  if (kWait) look(cudaStreamSynchronize(stream));
  look(cudaStreamDestroy(stream));
  look(cudaMemcpy(b, a, sizeof(b), cudaMemcpyDeviceToHost));
  std::printf("%d\n", b[3]);
  finish();
  release(a);
}

void bug() {
  destroyed<false>(cudaStreamNonBlocking);
  kernels<false>();
  event_before<false>();
  copy_out(cudaStreamNonBlocking);
  copy_in<false>();
  halves(kCount / 2 - 1);
  every_second(2);
  columns(29);
  atomics<false>();
  allocates<false>();
}

void clean() {
  destroyed<true>(cudaStreamNonBlocking);
  destroyed<false>(cudaStreamDefault);
  kernels<true>();
  event_before<true>();
  copy_out(cudaStreamDefault);
  copy_in<true>();
  halves(kCount / 2);
  every_second(1);
  columns(30);
  atomics<true>();
  allocates<true>();
  flag();
  reuse();
  default_stream_between();
}
