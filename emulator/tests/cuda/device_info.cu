#include <cstring>

#include "emulator/tests/support/program.h"

// What the runtime says about the device, kernels and pointers. Only facts that hold on every
// device of compute capability 7.5 or more, and that the parts agree with each other.

namespace {

__global__ void __launch_bounds__(256) bounded(float* out) {
  __shared__ float cells[300];
  cells[threadIdx.x] = float(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = cells[255 - threadIdx.x];
}

__global__ void dynamic(float* out) {
  extern __shared__ float cells[];
  cells[threadIdx.x] = 1;
  out[threadIdx.x] = cells[threadIdx.x];
}

void device() {
  int count = 0, current = -1;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  CUDA_CHECK(cudaSetDevice(0));
  CUDA_CHECK(cudaGetDevice(&current));
  EXPECT(current == 0);

  cudaDeviceProp p;
  CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
  EXPECT(std::strlen(p.name) > 0);
  EXPECT(p.major * 10 + p.minor >= 75);
  EXPECT(p.warpSize == 32);
  EXPECT(p.maxThreadsPerBlock == 1024);
  EXPECT(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
  EXPECT(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
  EXPECT(p.sharedMemPerBlock == 49152);
  EXPECT(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
  EXPECT(p.sharedMemPerMultiprocessor >= p.sharedMemPerBlockOptin);
  EXPECT(p.regsPerBlock == 65536);
  EXPECT(p.multiProcessorCount > 0);
  EXPECT(p.totalGlobalMem >= std::size_t{1} << 30);
  EXPECT(p.totalConstMem == 65536);
  EXPECT(p.unifiedAddressing == 1);

  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
  };
  EXPECT(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  EXPECT(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
  EXPECT(attribute(cudaDevAttrComputeCapabilityMinor) == p.minor);
  EXPECT(attribute(cudaDevAttrMaxThreadsPerBlock) == 1024);
  EXPECT(attribute(cudaDevAttrWarpSize) == 32);
  EXPECT(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == int(p.sharedMemPerBlockOptin));
  EXPECT(attribute(cudaDevAttrClockRate) > 0);

  int runtime = 0, driver = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  EXPECT(runtime == CUDART_VERSION);
  EXPECT(driver / 1000 >= runtime / 1000);

  std::size_t free_before = 0, total = 0, free_after = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_before, &total));
  EXPECT(total <= p.totalGlobalMem && free_before <= total);
  const testing::Buffer<char> large(std::size_t{64} << 20);
  CUDA_CHECK(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_before - free_after >= std::size_t{60} << 20);
}

void kernels() {
  cudaFuncAttributes a;
  CUDA_CHECK(cudaFuncGetAttributes(&a, bounded));
  EXPECT(a.sharedSizeBytes == 1200);
  EXPECT(a.maxThreadsPerBlock == 256);
  EXPECT(a.numRegs > 0 && a.numRegs <= 255);
  EXPECT(a.ptxVersion >= 75);

  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  EXPECT(blocks >= 1 && blocks <= 8);
  int fewer = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, dynamic, 256, 40000));
  EXPECT(fewer >= 1 && fewer <= blocks);
  int grid = 0, block = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  EXPECT(grid >= 1 && block >= 32 && block <= 256 && block % 32 == 0);

  // More than 48 KiB of dynamic shared memory must be asked for, and is then granted.
  cudaDeviceProp p;
  CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
  testing::Buffer<float> out(32);
  if (p.sharedMemPerBlockOptin > 49152) {
    const int bytes = int(p.sharedMemPerBlockOptin);
    CUDA_CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    dynamic<<<1, 32, std::size_t(bytes)>>>(out.get());
    FINISH_LAUNCH();
    testing::expect_equal(out.download(), std::vector<float>(32, 1));
  }
}

void pointers() {
  testing::Buffer<int> device(10);
  int *pinned, *managed, on_stack = 0;
  CUDA_CHECK(cudaMallocHost(&pinned, 40));
  CUDA_CHECK(cudaMallocManaged(&managed, 40));
  cudaPointerAttributes a;
  CUDA_CHECK(cudaPointerGetAttributes(&a, device.get() + 3));
  EXPECT(a.type == cudaMemoryTypeDevice && a.devicePointer == device.get() + 3 && a.device == 0);
  CUDA_CHECK(cudaPointerGetAttributes(&a, pinned));
  EXPECT(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
  CUDA_CHECK(cudaPointerGetAttributes(&a, managed));
  EXPECT(a.type == cudaMemoryTypeManaged);
  CUDA_CHECK(cudaPointerGetAttributes(&a, &on_stack));
  EXPECT(a.type == cudaMemoryTypeUnregistered);
  CUDA_CHECK(cudaFreeHost(pinned));
  CUDA_CHECK(cudaFree(managed));
}

void run() {
  device();
  kernels();
  pointers();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
