// Programs for the tests of the debugger. The tests find lines by their remarks.
#undef NDEBUG  // a release build has assertions, too
#include <cassert>
#include <cstdio>
#include <cstring>

struct Settings {
  float scale;
  int steps;
};

__device__ int total;

__device__ __noinline__ float twice(float value) {
  float result = value + value;  // in twice
  return result;
}

__global__ void smooth(const float* in, float* out, int n, Settings settings) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // first
  tile[threadIdx.x] = in[i];  // load
  __syncthreads();  // barrier
  float sum = 0;  // after the barrier
  for (int k = 0; k < settings.steps; ++k) {
    sum += tile[(threadIdx.x + k) % 64];  // loop
  }
  if (threadIdx.x % 2 == 0) {  // branch
    sum = twice(sum);  // even
  } else {
    sum = -sum;  // odd
  }
  if (i < n) out[i] = sum * settings.scale;  // store
}

__global__ void past_the_end(float* out) {
  out[threadIdx.x] = 1;  // out of bounds
}

__global__ void neighbours(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;  // written
  out[threadIdx.x] = values[(threadIdx.x + 32) % 64];  // read too early
}

__global__ void all_in_one_place(int* out) {
  if (threadIdx.x == 40) *out = blockIdx.x;  // of each block
}

__global__ void uninitialized(int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 10) values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];  // uses uninitialized
}

__global__ void divergent(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 40) {
    __syncthreads();  // not reached by all
  } else {
    return;
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}

__global__ void asserts(int limit) {
  assert(static_cast<int>(threadIdx.x) < limit);  // fails
}

__global__ void endless(volatile int* flag) {
  while (*flag == 0) {
    total = total + 1;  // for ever
  }
}

/// Each thread counts to `rounds`.
__global__ void count(int* out, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += i ^ (sum << 1);  // counting
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // counted
}

/// 10^6 blocks.
__global__ void many(int* out) {
  if (blockIdx.x == 999999) out[0] = 1;  // the last block
}

template <class T>
T* allocate(int count) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(T));
  cudaMemset(pointer, 0, count * sizeof(T));
  return pointer;
}

int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "smooth";
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("nothing")) {
    std::printf("no kernel\n");
    return 3;
  }
  if (is("smooth")) {
    float host[128];
    for (int i = 0; i < 128; ++i) host[i] = static_cast<float>(i);
    float* in = allocate<float>(128);
    float* out = allocate<float>(128);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    std::printf("starts\n");
    std::fflush(stdout);
    smooth<<<2, 64>>>(in, out, 128, Settings{0.5f, 4});
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", host[0], host[1]);
    cudaFree(in);
    cudaFree(out);
    return finish();
  }
  int* out = allocate<int>(1024);
  if (is("bounds")) past_the_end<<<1, 64>>>(allocate<float>(60));
  if (is("race")) neighbours<<<1, 64>>>(out);
  if (is("blocks")) all_in_one_place<<<3, 64>>>(out);
  if (is("uninitialized")) uninitialized<<<1, 64>>>(out);
  if (is("divergent")) divergent<<<1, 64>>>(out);
  if (is("assert")) asserts<<<1, 64>>>(40);
  if (is("endless")) endless<<<1, 32>>>(out);
  if (is("count")) count<<<1, 1024>>>(out, argc > 2 ? std::atoi(argv[2]) : 100);
  if (is("many")) many<<<1000000, 32>>>(out);
  if (is("twice")) {
    count<<<1, 32>>>(out, 3);
    neighbours<<<1, 64>>>(out);
  }
  return finish();
}
