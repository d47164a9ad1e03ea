// One kernel for each picture of a recording, with its mistake where it has one: scenes <name>.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

// A tree reduction, as a film of shared memory.
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

// A barrier is missing between the store and the load.
__global__ void reverse(const float* in, float* out) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  out[i] = tile[127 - threadIdx.x];
}

// Each lane's element is in another sector.
__global__ void strided(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 8 % n];
}

// A column of the tile is one bank.
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// The comparison lets one thread too many through.
__global__ void outside(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 1.0f;
}

// Not all of the tile is written before it is read.
__global__ void uninitialized(float* out) {
  __shared__ float tile[64];
  if (threadIdx.x < 50) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x] * 2.0f;
}

// Lanes of a warp take two ways of different lengths.
__global__ void branches(float* out) {
  const int i = threadIdx.x;
  float x = i;
  if (i % 2 == 0) {
    for (int k = 0; k < i; ++k) x = x * 1.5f + out[k];
  } else {
    for (int k = 0; k < 3; ++k) x = sqrtf(x + out[k]);
  }
  __syncthreads();
  out[64 + i] = x;
}

// Half of the warps come to the barrier.
__global__ void barrier(float* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1.0f;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2.0f;
    __syncthreads();
  }
}

// Blocks add to one place without an atomic.
__global__ void lost(float* out) {
  if (threadIdx.x == 0) out[0] += 1.0f;
}

// The last one of many blocks makes a mistake. All of them change what others have left.
__global__ void late(float* out) {
  for (int k = 0; k < 40; ++k) atomicAdd(&out[threadIdx.x], 1.0f);
  if (blockIdx.x != gridDim.x - 1 || threadIdx.x != 0) return;
  printf("the last block\n");
  out[1024] = 1.0f;
}

// 1,024 threads and many steps, to measure pages with.
__global__ void busy(const float* in, float* out) {
  __shared__ float tile[1024];
  const int i = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 150; ++k) {
    tile[i] = in[(i * 3 + k) % 1024];
    __syncthreads();
    sum += i % 3 == 0 ? tile[(i + k) % 1024] : tile[(i * 2 + k) % 1024];
    __syncthreads();
  }
  out[i] = sum;
}

// Each element by 2: in chunks, so that copies and kernels of two streams overlap.
__global__ void twice(float* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}

/// Four chunks over two streams, the second of which waits for an event of the first.
void run_streams() {
  constexpr int kElements = 1 << 18;
  constexpr int kChunk = kElements / 4;
  constexpr size_t kBytes = kChunk * sizeof(float);
  float *host, *device;
  cudaMallocHost(&host, kElements * sizeof(float));
  cudaMalloc(&device, kElements * sizeof(float));
  for (int i = 0; i < kElements; ++i) host[i] = 1.0f;
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaMemsetAsync(device, 0, kElements * sizeof(float), streams[0]);
  cudaEventRecord(filled, streams[0]);
  cudaStreamWaitEvent(streams[1], filled, 0);
  for (int i = 0; i < 4; ++i) {
    float* const there = device + i * kChunk;
    cudaMemcpyAsync(there, host + i * kChunk, kBytes, cudaMemcpyHostToDevice, streams[i % 2]);
    twice<<<kChunk / 256, 256, 0, streams[i % 2]>>>(there);
    cudaMemcpyAsync(host + i * kChunk, there, kBytes, cudaMemcpyDeviceToHost, streams[i % 2]);
  }
  cudaDeviceSynchronize();
  std::printf("%.0f\n", host[kElements - 1]);
  cudaEventDestroy(filled);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(host);
}

int main(int argc, char** argv) {
  constexpr int kCount = 1024;
  const char* const name = argc > 1 ? argv[1] : "reduce";
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("streams")) {
    run_streams();
    return 0;
  }
  float host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<float>(i % 17) * 0.5f;
  float *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  if (is("reduce")) reduce<<<8, 128>>>(in, out, kCount);
  if (is("reverse")) reverse<<<8, 128>>>(in, out);
  if (is("strided")) strided<<<8, 128>>>(in, out, kCount);
  if (is("transpose")) transpose<<<1, dim3(32, 32)>>>(in, out);
  if (is("outside")) outside<<<5, 256>>>(out, kCount);
  if (is("uninitialized")) uninitialized<<<1, 64>>>(out);
  if (is("branches")) branches<<<1, 64>>>(out);
  if (is("barrier")) barrier<<<1, 64>>>(out);
  if (is("busy")) busy<<<1, 1024>>>(in, out);
  if (is("lost")) lost<<<4, 64>>>(out);
  if (is("many")) late<<<1200, 64>>>(out);
  if (is("late")) {
    late<<<600, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%.0f\n", host[0]);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
