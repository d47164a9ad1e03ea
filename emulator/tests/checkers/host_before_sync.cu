#include "emulator/tests/checkers/pair.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

// Host code uses what a kernel does before it has waited for it, and after each way to wait. A
// page is 1024 elements.

constexpr int kCount = 3000;

template <class T>
T* managed(int count) {
  T* pointer = nullptr;
  look(cudaMallocManaged(&pointer, static_cast<std::size_t>(count) * sizeof(T)));
  std::memset(pointer, 0, static_cast<std::size_t>(count) * sizeof(T));
  return pointer;
}

__global__ void fill(int* a, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] = i;
}

__global__ void sum(const int* a, int n, int* total) {
  int mine = 0;
  for (int i = 0; i < n; ++i) mine += a[i];
  *total = mine;
}

__global__ void count(const int* a, int n, unsigned* bins) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&bins[a[i] % 7], 1u);
}

__global__ void announce(int* data, int* flag) {
  *data = 5;
  __threadfence_system();
  *const_cast<volatile int*>(flag) = 1;
}

void print(int value) {
  std::printf("%d\n", value);
}

// expect on the host: host-access-before-sync P42
template <class Wait>
void reads(Wait wait) {
  int* a = managed<int>(kCount);
  fill<<<12, 256>>>(a, kCount);
  wait();
  print(a[kCount - 1]);
  release(a);
}

// expect on the host: host-access-before-sync P42
template <class Wait>
void reads_by_memcpy(Wait wait) {
  int* a = managed<int>(kCount);
  int b[kCount];
  fill<<<12, 256>>>(a, kCount);
  wait();
  std::memcpy(b, a, sizeof(b));
  print(b[3]);
  release(a);
}

// The kernel only reads what the host changes.
// expect on the host: host-access-before-sync P42
template <class Wait>
void writes(Wait wait) {
  int *a = managed<int>(kCount), *total = zeros<int>(1);
  sum<<<1, 1>>>(a, kCount, total);
  wait();
  a[5] = 1;
  release(a, total);
}

// Counters in a fraction of a page.
// expect on the host: host-access-before-sync P42
template <class Wait>
void counts(Wait wait) {
  int* a = managed<int>(kCount);
  unsigned* bins = managed<unsigned>(7);
  count<<<12, 256>>>(a, kCount, bins);
  wait();
  print(int(bins[0]));
  release(a, bins);
}

// Mapped memory.
// expect on the host: host-access-before-sync P42
template <class Wait>
void reads_mapped(Wait wait) {
  int *h = nullptr, *d = nullptr;
  look(cudaHostAlloc(&h, kCount * sizeof(int), cudaHostAllocMapped));
  look(cudaHostGetDevicePointer(&d, h, 0));
  fill<<<12, 256>>>(d, kCount);
  wait();
  print(h[1]);
  look(cudaFreeHost(h));
}

// The second kernel's results, after a wait for the first one only.
// expect on the host: host-access-before-sync P42
template <bool kBehind>
void waits_for_event() {
  int *a = managed<int>(kCount), *b = managed<int>(kCount);
  cudaEvent_t event;
  look(cudaEventCreate(&event));
  fill<<<12, 256>>>(a, kCount);
  if (!kBehind) look(cudaEventRecord(event));
  fill<<<12, 256>>>(b, kCount);
  if (kBehind) look(cudaEventRecord(event));
  look(cudaEventSynchronize(event));
  print(a[7] + b[7]);
  release(a, b);
  look(cudaEventDestroy(event));
}

// Waiting for one of two streams that nothing orders.
// expect on the host: host-access-before-sync P42
template <bool kOrdered>
void waits_for_stream() {
  int* a = managed<int>(kCount);
  cudaStream_t first, second;
  cudaEvent_t event;
  look(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  look(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  look(cudaEventCreate(&event));
  fill<<<12, 256, 0, first>>>(a, kCount);
  look(cudaEventRecord(event, first));
  if (kOrdered) look(cudaStreamWaitEvent(second, event, 0));
  look(cudaStreamSynchronize(second));
  print(a[7]);
  release(a);
  look(cudaStreamDestroy(first));
  look(cudaStreamDestroy(second));
  look(cudaEventDestroy(event));
}

// A copy in the default stream waits for streams that were not made to go their own way.
// expect on the host: host-access-before-sync P42
void copies(unsigned flags) {
  int *a = managed<int>(kCount), *d = zeros<int>(1);
  int one = 1;
  cudaStream_t stream;
  look(cudaStreamCreateWithFlags(&stream, flags));
  fill<<<12, 256, 0, stream>>>(a, kCount);
  look(cudaMemcpy(&one, d, sizeof(one), cudaMemcpyDeviceToHost));
  print(a[9] + one);
  release(a, d);
  look(cudaStreamDestroy(stream));
}

// Neither a copy on the device nor the end of a stream waits.
// expect on the host: host-access-before-sync P42
template <bool kWait>
void destroys() {
  int *a = managed<int>(kCount), *d = zeros<int>(2);
  cudaStream_t stream;
  look(cudaStreamCreate(&stream));
  fill<<<12, 256, 0, stream>>>(a, kCount);
  look(cudaMemcpy(d, d + 1, sizeof(int), cudaMemcpyDeviceToDevice));
  look(cudaMemset(d, 0, sizeof(int)));
  look(cudaStreamDestroy(stream));
  if (kWait) look(cudaDeviceSynchronize());
  print(a[11]);
  release(a, d);
}

// A graph's kernel.
// expect on the host: host-access-before-sync P42
template <bool kWait>
void launches_graph() {
  int* a = managed<int>(kCount);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  look(cudaStreamCreate(&stream));
  look(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<12, 256, 0, stream>>>(a, kCount);
  look(cudaStreamEndCapture(stream, &graph));
  print(a[1]);
  look(cudaGraphInstantiate(&executable, graph, 0));
  look(cudaGraphLaunch(executable, stream));
  if (kWait) look(cudaStreamSynchronize(stream));
  print(a[13]);
  look(cudaGraphExecDestroy(executable));
  look(cudaGraphDestroy(graph));
  look(cudaStreamDestroy(stream));
  release(a);
}

// Another thread reads.
// expect on the host: host-access-before-sync P42
template <bool kWait>
void reads_in_thread() {
  int* a = managed<int>(kCount);
  fill<<<12, 256>>>(a, kCount);
  std::thread([=] {
    if (kWait) look(cudaStreamSynchronize(nullptr));
    print(a[15]);
  }).join();
  release(a);
}

// A child has its own copy of the host's memory.
void forks() {
  int* a = managed<int>(kCount);
  fill<<<12, 256>>>(a, kCount);
  const pid_t child = fork();
  if (child == 0) _exit(a[17] == 17 ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) std::abort();
  release(a);
}

// What the kernels do not use, and what both sides only read.
void uses_other_parts() {
  int *a = managed<int>(4096), *b = managed<int>(7), *total = zeros<int>(1);
  fill<<<8, 256>>>(a, 2000);
  for (int i = 2000; i < 4096; ++i) a[i] = i;
  look(cudaDeviceSynchronize());
  sum<<<1, 1>>>(a, 4000, total);
  print(a[0] + a[3999]);
  a[4000] = 1;
  sum<<<1, 1>>>(b, 6, total);
  b[6] = 1;
  release(a, b, total);
}

// A kernel that tells the host by a flag.
void polls() {
  int *data = managed<int>(1), *flag = managed<int>(1);
  announce<<<1, 1>>>(data, flag);
  while (*const_cast<volatile int*>(flag) == 0) {
  }
  print(*data);
  release(data, flag);
}

void each_wait() {
  cudaEvent_t event;
  look(cudaEventCreate(&event));
  int* d = zeros<int>(1);
  const auto record = [&] { look(cudaEventRecord(event)); };
  const auto tell = [](void* seen) { *static_cast<int*>(seen) = 1; };
  int seen = 0;
  reads([] { look(cudaStreamSynchronize(nullptr)); });
  reads([] { look(cudaStreamQuery(cudaStreamLegacy)); });
  reads([&] { record(), look(cudaEventSynchronize(event)); });
  reads([&] { record(), look(cudaEventQuery(event)); });
  reads([&] { look(cudaMemcpy(&seen, d, sizeof(int), cudaMemcpyDeviceToHost)); });
  reads([&] { look(cudaMemcpyAsync(&seen, d, sizeof(int), cudaMemcpyDeviceToHost, nullptr)); });
  reads([&] { look(cudaMemcpy(d, &seen, sizeof(int), cudaMemcpyHostToDevice)); });
  reads([&] { look(cudaLaunchHostFunc(nullptr, tell, &seen)); });
  reads([&] { release(d); });
  look(cudaEventDestroy(event));
}

void bug() {
  const auto none = [] {};
  reads(none);
  reads_by_memcpy(none);
  writes(none);
  counts(none);
  reads_mapped(none);
  waits_for_event<false>();
  waits_for_stream<false>();
  copies(cudaStreamNonBlocking);
  destroys<false>();
  launches_graph<false>();
  reads_in_thread<false>();
}

void clean() {
  const auto wait = [] { look(cudaDeviceSynchronize()); };
  reads(wait);
  reads_by_memcpy(wait);
  writes(wait);
  counts(wait);
  reads_mapped(wait);
  waits_for_event<true>();
  waits_for_stream<true>();
  copies(cudaStreamDefault);
  destroys<true>();
  launches_graph<true>();
  reads_in_thread<true>();
  forks();
  uses_other_parts();
  polls();
  each_wait();
}
