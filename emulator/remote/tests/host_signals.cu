// Kernels that wait for host code. Launches are asynchronous: the host goes on, and says later what
// a kernel waits for.
// usage: host_signals MODE (see main)

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

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

/// Two streams, the second one without order to the default stream, and zeros on the device.
struct Streams {
  cudaStream_t first, second;
  int* flags = nullptr;  // 4 of them

  Streams() {
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&flags, 4 * sizeof *flags));
    CHECK(cudaMemset(flags, 0, 4 * sizeof *flags));
    CHECK(cudaDeviceSynchronize());
  }
  /// Prints what the kernels left in the second flag.
  ~Streams() {
    CHECK(cudaDeviceSynchronize());
    int result = 0;
    CHECK(cudaMemcpy(&result, flags + 1, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("%d\n", result);
    CHECK(cudaFree(flags));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
  }
};

/// Work of another stream changes device memory.
void memset_beside() {
  const Streams on;
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  CHECK(cudaMemsetAsync(on.flags, 1, sizeof(int), on.second));
  CHECK(cudaStreamSynchronize(on.second));
}

/// A copy that waits for the default stream only.
void copy_beside() {
  const Streams on;
  const int one = 1;
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  CHECK(cudaMemcpy(on.flags, &one, sizeof one, cudaMemcpyHostToDevice));
}

__global__ void set(volatile int* flag) {
  *flag = 1;
}

void kernel_beside() {
  const Streams on;
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  add_two<<<1, 1, 0, on.first>>>(on.flags + 1);  // after it
  set<<<1, 1, 0, on.second>>>(on.flags);
}

/// Adds one to the total and lets the other kernel do so.
__global__ void in_turn(volatile int* turn, volatile int* total, int me, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (*turn != 2 * i + me) {
    }
    __threadfence();
    *total = *total + 1;
    __threadfence();
    *turn = 2 * i + me + 1;
  }
}

/// Two kernels that wait for each other.
void kernels() {
  const Streams on;
  in_turn<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1, 1, 100);
  in_turn<<<1, 1, 0, on.second>>>(on.flags, on.flags + 1, 0, 100);
}

/// The near miss: neither begins.
void no_kernel_begins() {
  const Streams on;
  in_turn<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1, 1, 10);
  in_turn<<<1, 1, 0, on.second>>>(on.flags, on.flags + 1, 1, 10);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::exit(0);
}

/// A function of the host that another stream calls.
void host_function() {
  int* flag = nullptr;
  CHECK(cudaMallocHost(&flag, sizeof *flag));
  *flag = 0;
  {
    const Streams on;
    wait_for<<<1, 1, 0, on.first>>>(flag, on.flags + 1);
    CHECK(cudaLaunchHostFunc(
        on.second, [](void* to) { *static_cast<volatile int*>(to) = 1; }, flag));
  }
  CHECK(cudaFreeHost(flag));
}

/// A thread that makes no call, while the main thread waits for the kernel. In managed memory.
void thread() {
  int* flag = nullptr;
  CHECK(cudaMallocManaged(&flag, sizeof *flag));
  *flag = 0;
  {
    const Streams on;
    wait_for<<<1, 1, 0, on.first>>>(flag, on.flags + 1);
    std::thread other([flag] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      *static_cast<volatile int*>(flag) = 1;
    });
    CHECK(cudaStreamSynchronize(on.first));
    other.join();
  }
  CHECK(cudaFree(flag));
}

/// The near misses: what would set the flag comes after the kernel, in its stream or as the default
/// stream waits for it, and the program's end.
void same_stream() {
  const Streams on;
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  (void)cudaMemsetAsync(on.flags, 1, sizeof(int), on.first);
  std::printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(on.first)));
  std::exit(0);
}

void default_stream() {
  const Streams on;
  const int one = 1;
  wait_for<<<1, 1>>>(on.flags, on.flags + 1);
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy(on.flags, &one, 4, cudaMemcpyHostToDevice)));
  std::exit(0);
}

void end_of_program() {
  const Streams on;
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  std::puts("ends");
  std::exit(0);
}

/// Events and queries tell what has ended and what has not.
void queries() {
  const Streams on;
  cudaEvent_t after_wait, after_set;
  CHECK(cudaEventCreate(&after_wait));
  CHECK(cudaEventCreate(&after_set));
  wait_for<<<1, 1, 0, on.first>>>(on.flags, on.flags + 1);
  CHECK(cudaEventRecord(after_wait, on.first));
  CHECK(cudaMemsetAsync(on.flags + 2, 0, sizeof(int), on.second));
  CHECK(cudaEventRecord(after_set, on.second));
  CHECK(cudaEventSynchronize(after_set));
  std::printf("%s %s\n", cudaGetErrorName(cudaEventQuery(after_wait)),
              cudaGetErrorName(cudaStreamQuery(on.second)));
  // Another stream that waits for the kernel by its event: its work comes after it.
  cudaStream_t third;
  CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  CHECK(cudaStreamWaitEvent(third, after_wait, 0));
  add_two<<<1, 1, 0, third>>>(on.flags + 1);
  set<<<1, 1, 0, on.second>>>(on.flags);
  CHECK(cudaEventSynchronize(after_wait));
  CHECK(cudaStreamDestroy(third));
  CHECK(cudaEventDestroy(after_wait));
  CHECK(cudaEventDestroy(after_set));
}

int main(int argc, char** argv) {
  struct Mode {
    const char* name;
    void (*run)();
  };
  constexpr Mode kModes[] = {
      {"flag", flag},
      {"exchange", exchange},
      {"never", never},
      {"memset_beside", memset_beside},
      {"copy_beside", copy_beside},
      {"kernel_beside", kernel_beside},
      {"kernels", kernels},
      {"no_kernel_begins", no_kernel_begins},
      {"host_function", host_function},
      {"thread", thread},
      {"same_stream", same_stream},
      {"default_stream", default_stream},
      {"end_of_program", end_of_program},
      {"queries", queries},
  };
  for (const Mode& mode : kModes) {
    if (argc == 2 && std::strcmp(argv[1], mode.name) == 0) {
      mode.run();
      return 0;
    }
  }
  return 2;
}
