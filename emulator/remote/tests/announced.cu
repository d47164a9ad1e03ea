// A harness and the function that it calls, in one program: each scenario is a call that is
// announced, and what the emulator reports about its data is looked at by announced_test.cpp.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/cudart/harness_call.h"

extern "C" {
[[gnu::weak]] decltype(__cudaHarnessCallBegins) __cudaHarnessCallBegins;
[[gnu::weak]] decltype(__cudaHarnessCallEnds) __cudaHarnessCallEnds;
}

namespace {

constexpr int kCount = 4096;
constexpr size_t kBytes = kCount * sizeof(float);
constexpr int kBlock = 256;
constexpr int kBlocks = kCount / kBlock;

// -- kernels whose work reaches the output -----------------------------------------------------

__global__ void scale(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fmaf(in[i], 2.0f, 1.0f);
}

__global__ void in_place(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = fmaf(data[i], 2.0f, 1.0f);
}

__global__ void early_exit(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = fmaf(in[i], 2.0f, 1.0f);
  if (i % 3 == 0) out[i] = value;
}

__global__ void some_blocks(const float* in, float* out) {
  __shared__ float tile[kBlock];
  if (blockIdx.x % 2 == 1) return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = fmaf(tile[kBlock - 1 - threadIdx.x], 2.0f, 1.0f);
}

__global__ void prints(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = fmaf(in[i], 2.0f, 1.0f);
  if (i == 7) printf("value %f\n", value);
  out[i] = value;
}

__noinline__ __device__ float twice_and_one(const float* from, int i) {
  return fmaf(from[i], 2.0f, 1.0f);
}
__global__ void by_call(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = twice_and_one(in, i);
}

/// A result that a condition depends on is a result that is used.
__global__ void by_condition(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum = fmaf(in[(i + k) % kCount], 2.0f, sum);
  out[i] = sum > 100 ? 1.0f : 2.0f;
}

__global__ void by_local_array(const float* in, float* out, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float kept[8];
  for (int k = 0; k < 8; ++k) kept[(k * step) % 8] = fmaf(in[i], 2.0f, static_cast<float>(k));
  out[i] = kept[step % 8];
}

__global__ void by_shuffle_and_atomic(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = fmaf(in[i], 2.0f, 1.0f);
  for (int k = 16; k > 0; k /= 2) value += __shfl_down_sync(~0u, value, k);
  if (threadIdx.x % 32 == 0) atomicAdd(out, value);
}

// -- kernels that throw work away --------------------------------------------------------------

/// 8 multiply-adds of shared memory per thread, and 8 barriers, for nothing.
__global__ void thrown_away(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    tile[threadIdx.x] = in[i];
    __syncthreads();
    sum = fmaf(tile[(threadIdx.x + k) % kBlock], 2.0f, sum);
    __syncthreads();
  }
  if (sum == 12345.678f) out[0] = sum;
  out[i] = in[i] + 1.0f;
}

/// The condition precedes the honest work.
__global__ void thrown_away_first(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum = fmaf(in[(i + k) % kCount], 2.0f, sum);
  if (sum == 12345.678f) return;
  out[i] = in[i] + 1.0f;
}

__noinline__ __device__ float busy(const float* from, int i) {
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum = fmaf(from[(i + k) % kCount], 2.0f, sum);
  return sum;
}
__global__ void thrown_away_in_call(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = busy(in, i);
  if (sum == 12345.678f) out[0] = sum;
  out[i] = in[i] + 1.0f;
}

__global__ void forward(const float* from, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = from[i];
}

__global__ void count_up(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<float>(i);
}

__global__ void fill_with(float* out, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = value;
}

__global__ void set_flag(int* flag) {
  if (threadIdx.x == 0) *flag = 1;
}

__global__ void no_guard(const float* in, float* out, int rows, float step) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = row * 256 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[i] = in[i] + step * threadIdx.y + step * blockIdx.x;
}

struct Buffer {
  float* data = nullptr;
  Buffer() { cudaMalloc(&data, kBytes); }
  ~Buffer() { cudaFree(data); }
};

float* g_kept = nullptr;
struct FreesAtExit {
  ~FreesAtExit() { cudaFree(g_kept); }
} g_frees;

// -- the function ------------------------------------------------------------------------------

bool call(const std::string& what, const float* in, float* out, float* host) {
  if (what == "scale") {
    scale<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "early-exit") {
    early_exit<<<kBlocks, kBlock>>>(in, out, kCount - 100);
  } else if (what == "some-blocks") {
    some_blocks<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "prints") {
    prints<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "by-call") {
    by_call<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "by-condition") {
    by_condition<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "by-local-array") {
    by_local_array<<<kBlocks, kBlock>>>(in, out, 3);
  } else if (what == "by-shuffle-and-atomic") {
    cudaMemset(out, 0, kBytes);
    by_shuffle_and_atomic<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "in-place") {
    cudaMemcpy(out, in, kBytes, cudaMemcpyDeviceToDevice);
    in_place<<<kBlocks, kBlock>>>(out);
    in_place<<<kBlocks, kBlock>>>(out);
  } else if (what == "thrown-away") {
    thrown_away<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "thrown-away-first") {
    thrown_away_first<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "thrown-away-in-call") {
    thrown_away_in_call<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "busywork-kernel") {
    const Buffer scratch;
    scale<<<kBlocks, kBlock>>>(in, scratch.data);
    forward<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "busywork-overwritten") {
    scale<<<kBlocks, kBlock>>>(in, out);
    forward<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "two-stages") {
    const Buffer scratch;
    scale<<<kBlocks, kBlock>>>(in, scratch.data);
    forward<<<kBlocks, kBlock>>>(scratch.data, out);
  } else if (what == "past-the-end") {
    const Buffer scratch;
    scale<<<kBlocks + 1, kBlock>>>(in, scratch.data);
    forward<<<kBlocks, kBlock>>>(scratch.data, out);
  } else if (what == "no-guard") {
    // Columns have no check: those after the end belong to the next row.
    no_guard<<<dim3(9, 15), dim3(32, 1)>>>(in, out, 15, 0);
  } else if (what == "no-guard-of-scratch") {
    const Buffer scratch;
    no_guard<<<dim3(9, 15), dim3(32, 1)>>>(in, scratch.data, 15, 0);
    forward<<<15, kBlock>>>(scratch.data, out);
  } else if (what == "no-guard-of-other-values") {
    no_guard<<<dim3(9, 4), dim3(32, 4)>>>(in, out, 15, 1);
  } else if (what == "no-guard-of-other-scratch") {
    const Buffer scratch;
    no_guard<<<dim3(9, 15), dim3(32, 1)>>>(in, scratch.data, 15, 1);
    forward<<<15, kBlock>>>(scratch.data, out);
  } else if (what == "flag-for-the-host") {
    int* flag = nullptr;
    cudaMalloc(&flag, sizeof *flag);
    set_flag<<<1, 32>>>(flag);
    int seen = 0;
    cudaMemcpy(&seen, flag, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(flag);
    if (seen != 0) scale<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "host-answer" || what == "host-answer-by-kernel") {
    cudaMemcpy(host, in, kBytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) host[i] = 2.0f * host[i] + 1.0f;
    if (what == "host-answer") {
      cudaMemcpy(out, host, kBytes, cudaMemcpyHostToDevice);
    } else {
      const Buffer answer;
      cudaMemcpy(answer.data, host, kBytes, cudaMemcpyHostToDevice);
      forward<<<kBlocks, kBlock>>>(answer.data, out);
    }
  } else if (what == "through-host") {  // staged, and not changed
    cudaMemcpy(host, in, kBytes, cudaMemcpyDeviceToHost);
    const Buffer again;
    cudaMemcpy(again.data, host, kBytes, cudaMemcpyHostToDevice);
    scale<<<kBlocks, kBlock>>>(again.data, out);
  } else if (what == "finished-on-host") {
    const Buffer partial;
    scale<<<kBlocks, kBlock>>>(in, partial.data);
    cudaMemcpy(host, partial.data, kBytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) host[i] = 0.5f * host[i];
    cudaMemcpy(out, host, kBytes, cudaMemcpyHostToDevice);
  } else if (what == "from-nothing") {
    count_up<<<kBlocks, kBlock>>>(out);
  } else if (what == "filled-before") {
    fill_with<<<kBlocks, kBlock>>>(out, 3.0f);
    early_exit<<<kBlocks, kBlock>>>(in, out, 100);
  } else if (what == "freed-at-exit") {
    cudaMalloc(&g_kept, kBytes);
    scale<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "freed-by-destructor") {
    const Buffer scratch;
    scale<<<kBlocks, kBlock>>>(in, scratch.data);
    forward<<<kBlocks, kBlock>>>(scratch.data, out);
  } else {
    return false;
  }
  return true;
}

/// Calls whose output is in host memory. @returns false for an unknown one
bool call_for_host(const std::string& what, const float* in, float* result) {
  const Buffer out;
  if (what == "host-computed") {
    float* host = static_cast<float*>(std::malloc(kBytes));
    cudaMemcpy(host, in, kBytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) result[i] = 2.0f * host[i] + 1.0f;
    std::free(host);
    return true;
  }
  if (what == "host-registered") {
    cudaHostRegister(result, kBytes, cudaHostRegisterDefault);
    scale<<<kBlocks, kBlock>>>(in, result);
    cudaDeviceSynchronize();
    cudaHostUnregister(result);
    return true;
  }
  if (what == "host-managed" || what == "host-beside-managed") {
    float* managed = nullptr;
    cudaMallocManaged(&managed, kBytes);
    if (what == "host-managed") {
      scale<<<kBlocks, kBlock>>>(in, managed);
    } else {  // only its last element is the kernel's
      for (int i = 0; i < kCount; ++i) managed[i] = static_cast<float>(i) + 0.5f;
      scale<<<1, 1>>>(in, managed + kCount - 1);
    }
    cudaDeviceSynchronize();
    std::memcpy(result, managed, kBytes);
    cudaFree(managed);
    return true;
  }
  scale<<<kBlocks, kBlock>>>(in, out.data);
  if (what == "host-direct" || what == "host-changed" || what == "host-late") {
    cudaMemcpy(result, out.data, kBytes, cudaMemcpyDeviceToHost);
    if (what == "host-changed") result[1234] += 0.375f;
  } else if (what == "host-staged") {
    float* stage = static_cast<float*>(std::malloc(kBytes));
    cudaMemcpy(stage, out.data, kBytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) result[i] = stage[i];
    std::free(stage);
  } else {
    return false;
  }
  return true;
}

warpsim::cudart::HarnessArray array(const char* name, const float* data, bool input) {
  warpsim::cudart::HarnessArray result;
  std::strncpy(result.name, name, sizeof result.name - 1);
  result.address = reinterpret_cast<std::uint64_t>(data);
  result.bytes = kBytes;
  result.element_bytes = sizeof(float);
  result.is_input = input ? 1 : 0;
  result.is_output = input ? 0 : 1;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || __cudaHarnessCallBegins == nullptr) return 2;
  float* host = static_cast<float*>(std::malloc(kBytes));
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<float>(i % 1013) * 0.25f;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  cudaMemcpy(in, host, kBytes, cudaMemcpyHostToDevice);
  const std::string what = argv[1];
  const bool for_host = what.rfind("host-", 0) == 0 && what.rfind("host-answer", 0) != 0;
  static float result[kCount];
  static warpsim::cudart::HarnessCall announced;
  announced.count = 2;
  announced.arrays[0] = array("in", in, true);
  announced.arrays[1] = array("out", for_host ? result : out, false);
  announced.arrays[1].on_host = for_host ? 1 : 0;
  if (__cudaHarnessCallBegins(&announced) != cudaSuccess) return 3;
  const bool known =
      for_host
          ? call_for_host(what, in, result)
          : call(what == "changed-late" || what == "launched-late" ? "scale" : what, in, out, host);
  if (__cudaHarnessCallEnds() != cudaSuccess || !known) return 4;
  if (what == "host-late") std::memset(result, 1, kBytes);
  if (what == "changed-late" &&
      cudaMemcpy(out, host, kBytes, cudaMemcpyHostToDevice) != cudaErrorNotPermitted) {
    return 6;
  }
  if (what == "changed-late") (void)cudaGetLastError();
  if (what == "launched-late") in_place<<<kBlocks, kBlock>>>(out);
  cudaFree(in);
  cudaFree(out);
  std::free(host);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 5;
}
