#include "emulator/tests/support/program.h"

// Errors that do not stick: who returns them, who keeps them, who clears them. The findings that
// the emulator reports for them are expected here.

namespace {

__device__ int symbol[4];
__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded() {}

// Every thread keeps 96 values that a barrier forbids to load again.
constexpr int kValues = 96;
__device__ __forceinline__ void keep_values(float* data) {
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = data[i * blockDim.x + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    data[i * blockDim.x + threadIdx.x] = values[(i + 1) % kValues] + values[kValues - 1 - i];
  }
}
__global__ void hungry(float* data) {
  keep_values(data);
}
__global__ void __launch_bounds__(1024) hungry_and_bounded(float* data) {
  keep_values(data);
}

// CUDA 13 answers cudaErrorInvalidValue where CUDA 12 and the documentation of both say
// cudaErrorInvalidConfiguration (or, beyond __launch_bounds__, cudaErrorLaunchOutOfResources).
constexpr bool kCuda13 = CUDART_VERSION >= 13000;
constexpr cudaError_t kBadShape = kCuda13 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
constexpr cudaError_t kBeyondBounds =
    kCuda13 ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;

void launch_errors() {
  nothing<<<1, 1025>>>();
  EXPECT_ERROR(cudaPeekAtLastError(), kBadShape);
  EXPECT_ERROR(cudaPeekAtLastError(), kBadShape);  // peeking keeps it
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);  // reading clears it
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaSuccess);

  nothing<<<0, 32>>>();
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  nothing<<<1, 0>>>();
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  nothing<<<dim3(1, 65536), 32>>>();
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  nothing<<<1, dim3(1, 1, 65)>>>();
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  nothing<<<1, 32, 49153>>>();
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  bounded<<<1, 256>>>();
  EXPECT_ERROR(cudaGetLastError(), kBeyondBounds);
  EXPECT_ERROR(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
               cudaErrorInvalidValue);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  void* no_arguments[] = {nullptr};
  EXPECT_ERROR(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(nothing), dim3(1000000),
                                           dim3(32), no_arguments, 0, nullptr),
               cudaErrorCooperativeLaunchTooLarge);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);

  // A good launch afterwards works, and does not hide an earlier error.
  nothing<<<1, 2048>>>();
  nothing<<<1, 32>>>();
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_ERROR(cudaGetLastError(), kBadShape);
  nothing<<<1, 32>>>();
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
}

/// Whether a block's threads find registers on a multiprocessor, the compiler decides.
void launches_without_registers() {
  float* data = nullptr;
  CUDA_CHECK(cudaMalloc(&data, sizeof(float) * kValues * 1024));
  CUDA_CHECK(cudaMemset(data, 0, sizeof(float) * kValues * 1024));
  hungry<<<1, 1024>>>(data);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorLaunchOutOfResources);
  hungry<<<1, 256>>>(data);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  hungry_and_bounded<<<1, 1024>>>(data);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  CUDA_CHECK(cudaFree(data));
}

void call_errors() {
  int* device = nullptr;
  int host = 0;
  EXPECT_ERROR(cudaMalloc(&device, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_ERROR(cudaMalloc(reinterpret_cast<void**>(0), 4), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  CUDA_CHECK(cudaMalloc(&device, 0));
  EXPECT(device == nullptr);
  CUDA_CHECK(cudaFree(nullptr));
  EXPECT_ERROR(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaSetDevice(1000), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);

  // Directions are compared with the actual kinds of pointers.
  std::vector<int> buffer(64);
  int* in = buffer.data();
  CUDA_CHECK(cudaMalloc(&device, 256));
  EXPECT_ERROR(cudaMemcpy(device, in, 256, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_ERROR(cudaMemcpy(device, in, 256, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(in, device, 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(in, device, 256, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(in, in + 32, 128, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(nullptr, in, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemset(in, 0, 4), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy2D(device, 10, in, 40, 20, 2, cudaMemcpyHostToDevice),
               cudaErrorInvalidPitchValue);
  EXPECT_ERROR(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaFreeHost(in), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaHostUnregister(in), cudaErrorHostMemoryNotRegistered);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorHostMemoryNotRegistered);
  CUDA_CHECK(cudaFree(device));
  EXPECT_ERROR(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpyToSymbol(symbol, in, 16, 4), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);

  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventRecord(start));
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaDeviceSynchronize());
  float milliseconds = 0;
  EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
}

void texts() {
  EXPECT(std::string(cudaGetErrorName(cudaErrorInvalidConfiguration)) ==
         "cudaErrorInvalidConfiguration");
  EXPECT(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  EXPECT(!std::string(cudaGetErrorString(cudaErrorMemoryAllocation)).empty());
  EXPECT(std::string(cudaGetErrorName(cudaError_t(12345))) == "unrecognized error code");
}

void run() {
  launch_errors();
  launches_without_registers();
  call_errors();
  texts();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
