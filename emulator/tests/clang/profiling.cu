#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

// Ranges, marks and the profiler's switch: a program that has them runs as without.

__global__ void increment(int* value) {
  ++*value;
}

int main() {
  int* value = nullptr;
  if (cudaMallocManaged(&value, sizeof *value) != cudaSuccess) return 1;
  *value = 41;
  if (cudaProfilerStart() != cudaSuccess) return 1;
  nvtxRangePushA("increment");
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "kernel";
  nvtxRangePushEx(&attributes);
  const nvtxRangeId_t range = nvtxRangeStartA("launch");
  increment<<<1, 1>>>(value);
  nvtxRangeEnd(range);
  nvtxMarkA("launched");
  const cudaError_t error = cudaDeviceSynchronize();
  nvtxRangePop();
  nvtxRangePop();
  if (cudaProfilerStop() != cudaSuccess) return 1;
  const int got = *value;
  cudaFree(value);
  std::printf("%s %d\n", cudaGetErrorName(error), got);
  return error == cudaSuccess && got == 42 ? 0 : 1;
}
