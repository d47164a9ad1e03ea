// lab:     histogram
// does:    checks every call, asks for attributes, and throws where one fails
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "histogram.h"

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::ostringstream text;
  text << file << ":" << line << ": " << call << ": " << cudaGetErrorName(status) << " ("
       << cudaGetErrorString(status) << ")";
  throw CudaError(text.str());
}

#define CHECK(call) check(call, #call, __FILE__, __LINE__)

__global__ void count(const unsigned* values, unsigned* bins, int n, int num_bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (values[i] < num_bins) atomicAdd(&bins[values[i]], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  try {
    int device = 0, devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaGetDevice(&device));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, device));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, bins));
    if (attributes.type != cudaMemoryTypeDevice) throw CudaError("bins are not device memory");
    cudaFuncAttributes function;
    CHECK(cudaFuncGetAttributes(&function, count));
    size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    std::cout << device << " of " << devices << ", " << properties.multiProcessorCount
              << " multiprocessors, " << function.numRegs << " registers\n";
    CHECK(cudaMemset(bins, 0, num_bins * sizeof(unsigned)));
    if (n > 0) count<<<2 * properties.multiProcessorCount, 256>>>(values, bins, n, num_bins);
    CHECK(cudaPeekAtLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGetLastError());
  } catch (const CudaError& error) {
    std::cerr << error.what() << "\n";
  }
}
