#include <cuda_runtime.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Small programs with one mistake each, picked by name: what scenario_test runs under the launcher
// and then looks at the report of. Each is written as a student would write it.

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
    {"killed", killed},
    {"exit_in_the_middle", exit_in_the_middle},
    {"unsupported", unsupported},
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
