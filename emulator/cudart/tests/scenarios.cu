#include <cuda_runtime.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

// Small programs with one mistake each, selected by name, for scenario_test. Each is written as a
// student would write it.

namespace {

__constant__ float weights[4];

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void fill_without_guard(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void apply(float* data) {
  data[threadIdx.x] *= weights[threadIdx.x % 4];
}

int* device_ints(int count) {
  int* device = nullptr;
  cudaMalloc(&device, count * sizeof(int));
  return device;
}

int clean() {
  std::vector<int> host(100);
  int* device = device_ints(100);
  fill<<<1, 128>>>(device, 100);
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaMemcpy(host.data(), device, 400, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("last %d\n", host[99]);
  return 0;
}

int leak() {
  device_ints(100);
  return 0;
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

/// Each device adds one part of the vectors; the second part comes back by way of the first device.
int two_devices() {
  constexpr int kCount = 100000;
  constexpr int kHalf = kCount / 2;
  std::vector<float> a(kCount), b(kCount), c(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 1;
  }
  int devices = 0;
  cudaGetDeviceCount(&devices);
  if (devices < 2) return 1;
  float* all = nullptr;  // on device 0
  cudaMalloc(&all, kCount * sizeof(float));
  float* parts[2][3] = {};
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    for (float*& part : parts[d]) cudaMalloc(&part, kHalf * sizeof(float));
    cudaMemcpyAsync(parts[d][0], &a[d * kHalf], kHalf * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyAsync(parts[d][1], &b[d * kHalf], kHalf * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(kHalf + 255) / 256, 256>>>(parts[d][0], parts[d][1], parts[d][2], kHalf);
  }
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaMemcpyPeer(all + kHalf, 0, parts[1][2], 1, kHalf * sizeof(float));
  cudaSetDevice(0);
  cudaMemcpy(all, parts[0][2], kHalf * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(c.data(), all, kCount * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += c[i] != a[i] + b[i];
  for (auto& device : parts) {
    for (float* part : device) cudaFree(part);
  }
  cudaFree(all);
  std::printf("%d wrong\n", wrong);
  return 0;
}

struct Owner {
  int* device = nullptr;
  ~Owner() { cudaFree(device); }
} global_owner;

int freed_by_global_destructor() {
  global_owner.device = device_ints(16);
  return 0;
}

int reset_with_memory() {
  device_ints(16);
  cudaDeviceReset();
  return 0;
}

int double_free() {
  int* device = device_ints(4);
  cudaFree(device);
  return cudaFree(device) == cudaSuccess;
}

int wrong_direction() {
  std::vector<int> host(4);
  int* device = device_ints(4);
  cudaMemcpy(host.data(), device, 16, cudaMemcpyHostToDevice);
  cudaFree(device);
  return 0;
}

int copy_past_end() {
  std::vector<int> host(400);
  int* device = device_ints(100);
  const cudaError_t error = cudaMemcpy(device, host.data(), 1600, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(device);
  return 0;
}

int unwritten_copy() {
  std::vector<int> host(100);
  int* device = device_ints(100);
  fill<<<1, 64>>>(device, 100);
  cudaMemcpy(host.data(), device, 400, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return 0;
}

int symbol_by_address() {
  const float values[4] = {1, 2, 3, 4};
  return cudaMemcpy(&weights, values, 16, cudaMemcpyHostToDevice) == cudaSuccess;
}

int too_many_threads() {
  int* device = device_ints(2048);
  fill<<<1, 2048>>>(device, 2048);
  cudaDeviceSynchronize();
  cudaFree(device);
  return 0;
}

int too_many_threads_but_checked() {
  int* device = device_ints(2048);
  fill<<<1, 2048>>>(device, 2048);
  if (cudaGetLastError() != cudaSuccess) std::printf("launch failed\n");
  cudaFree(device);
  return 0;
}

int read_on_host() {
  int* device = device_ints(4);
  std::printf("before\n");
  std::fflush(stdout);
  return device[1];
}

int memcpy_on_host() {
  int* device = device_ints(1024);
  std::vector<int> host(1024);
  std::memcpy(host.data(), device, 4096);
  return host[0];
}

int host_assert() {
  int* device = device_ints(4);
  cudaFree(device);
  cudaFree(device);
  std::abort();
}

int null_dereference() {
  device_ints(4);
  volatile int* volatile nothing = nullptr;
  return *nothing;
}

int terminated() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  std::raise(SIGTERM);
  return 0;
}

int killed() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  std::raise(SIGKILL);
  return 0;
}

/// SIGTERM comes twice, as from `timeout`, which sends it to the process and to its group.
int terminated_twice() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  std::thread other([] {
    for (int i = 0; i < 1000; ++i) ::kill(::getpid(), SIGTERM);
  });
  other.join();
  return 0;
}

__global__ void count_for_minutes(volatile unsigned* out) {
  for (unsigned i = 0; i < 1u << 30; ++i) out[16 * threadIdx.y + threadIdx.x] = i;
}

int killed_in_kernel() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 32 * sizeof *out);
  std::thread([] {
    // The kernel is noted before its first block begins.
    const char* path = std::getenv("WARPSIM_PROGRESS");
    std::uint64_t begun = 0;
    while (begun == 0) {
      if (std::FILE* file = std::fopen(path, "rb")) {
        if (std::fread(&begun, sizeof begun, 1, file) != 1) begun = 0;
        std::fclose(file);
      }
    }
    std::raise(SIGKILL);
  }).detach();
  count_for_minutes<<<dim3(1, 1, 1), dim3(16, 2)>>>(out);
  cudaDeviceSynchronize();
  return 0;
}

int exit_in_the_middle() {
  int* device = device_ints(4);
  fill<<<1, 4>>>(device, 4);
  std::printf("leaving");
  std::exit(5);
}

int unsupported() {
  cudaGraph_t graph = nullptr;
  for (int i = 0; i < 2; ++i) {
    if (cudaGraphDebugDotPrint(graph, "graph.dot", 0) != cudaErrorNotSupported) return 1;
  }
  return 0;
}

/// A card has less: the copies then go to a null pointer.
int allocation_failed_unseen() {
  int* device = nullptr;
  cudaMalloc(&device, std::size_t{1} << 50);
  const int value = 1;
  cudaMemcpy(device, &value, 4, cudaMemcpyHostToDevice);
  return 0;
}

/// As before, but the program looks at what cudaMalloc returns, which the runtime cannot see.
int allocation_failed_seen() {
  int* device = nullptr;
  if (cudaMalloc(&device, std::size_t{1} << 50) != cudaSuccess) device = device_ints(4);
  const int value = 1;
  if (cudaMemcpy(device, &value, 4, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  return cudaFree(device) != cudaSuccess;
}

int child_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

/// The child's calls must fail, and its end must not say again what the parent says.
int fork_after_use() {
  int* device = device_ints(4);
  const pid_t child = fork();
  if (child == 0) {
    void* other = nullptr;
    const cudaError_t error = cudaMalloc(&other, 4);
    fill<<<1, 1>>>(device, 1);
    const cudaError_t launch_error = cudaGetLastError();
    int count = 0;
    const bool refused = error == cudaErrorInitializationError &&
                         launch_error == cudaErrorInitializationError &&
                         cudaGetDeviceCount(&count) == cudaErrorInitializationError;
    std::exit(refused ? 5 : 6);
  }
  const int status = child_status(child);
  cudaFree(device);
  return status;
}

int fork_that_exits() {
  int* device = device_ints(4);
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  const int status = child_status(child);
  cudaFree(device);
  return status;
}

/// The parent has not used the device, so that the child may.
int fork_before_use() {
  const pid_t child = fork();
  if (child == 0) std::exit(clean());
  return child_status(child);
}

int throws() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  throw std::runtime_error("nobody catches this");
}

int quick_exit() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  std::quick_exit(3);
}

int underscore_exit() {
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  _exit(3);
}

int many_threads() {
  constexpr int kThreads = 8;
  constexpr int kLaunches = 20;
  int* device = device_ints(kThreads * 32);
  int wrong[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([=, &wrong] {
      int* mine = device + 32 * t;
      for (int i = 0; i < kLaunches; ++i) {
        int host[32] = {};
        fill<<<1, 32>>>(mine, 32);
        cudaMemcpy(host, mine, sizeof host, cudaMemcpyDeviceToHost);
        // Each thread has a last error of its own.
        if (t % 2 == 0 && cudaSetDevice(99) != cudaErrorInvalidDevice) ++wrong[t];
        const cudaError_t want = t % 2 == 0 ? cudaErrorInvalidDevice : cudaSuccess;
        if (host[31] != 31 || cudaGetLastError() != want) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  cudaFree(device);
  for (const int count : wrong) {
    if (count != 0) return 1;
  }
  return 0;
}

/// As on a full disk, but without one: no file may grow beyond what the message needs.
int full_disk() {
  const rlimit small = {200, 200};
  setrlimit(RLIMIT_FSIZE, &small);
  fill_without_guard<<<1, 32>>>(device_ints(16));
  cudaDeviceSynchronize();
  return 0;
}

/// Loads a library with a kernel, uses it and unloads it, three times.
int plugin() {
  const char* path = std::getenv("WARPSIM_TEST_PLUGIN");
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 1;
    // The first is unloaded before anything of it was used.
    if (i > 0) {
      auto* use = reinterpret_cast<int (*)(int)>(dlsym(library, "plugin_add"));
      if (use == nullptr || use(i) != i + 40) return 2;
    }
    dlclose(library);
  }
  return clean();
}

/// Loads a library and keeps it.
int library_for_good() {
  return dlopen(std::getenv("WARPSIM_TEST_PLUGIN"), RTLD_NOW | RTLD_LOCAL) == nullptr ? 1 : clean();
}

int status(int code) {
  return code;
}

struct Scenario {
  const char* name;
  int (*run)();
};

const Scenario kScenarios[] = {
    {"clean", clean},
    {"leak", leak},
    {"two_devices", two_devices},
    {"freed_by_global_destructor", freed_by_global_destructor},
    {"reset_with_memory", reset_with_memory},
    {"double_free", double_free},
    {"wrong_direction", wrong_direction},
    {"copy_past_end", copy_past_end},
    {"unwritten_copy", unwritten_copy},
    {"symbol_by_address", symbol_by_address},
    {"too_many_threads", too_many_threads},
    {"too_many_threads_but_checked", too_many_threads_but_checked},
    {"read_on_host", read_on_host},
    {"memcpy_on_host", memcpy_on_host},
    {"host_assert", host_assert},
    {"null_dereference", null_dereference},
    {"terminated", terminated},
    {"terminated_twice", terminated_twice},
    {"killed", killed},
    {"killed_in_kernel", killed_in_kernel},
    {"exit_in_the_middle", exit_in_the_middle},
    {"unsupported", unsupported},
    {"allocation_failed_unseen", allocation_failed_unseen},
    {"allocation_failed_seen", allocation_failed_seen},
    {"fork_after_use", fork_after_use},
    {"fork_that_exits", fork_that_exits},
    {"fork_before_use", fork_before_use},
    {"throws", throws},
    {"quick_exit", quick_exit},
    {"underscore_exit", underscore_exit},
    {"many_threads", many_threads},
    {"full_disk", full_disk},
    {"plugin", plugin},
    {"library_for_good", library_for_good},
    {"nothing", [] { return status(0); }},
    {"status_7", [] { return status(7); }},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Scenario& scenario : kScenarios) {
    if (argc == 2 && std::strcmp(argv[1], scenario.name) == 0) return scenario.run();
  }
  std::fprintf(stderr, "unknown scenario\n");
  return 120;
}
