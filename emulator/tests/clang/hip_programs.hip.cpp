#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Programs as HIP courses write them: vector addition, a tiled matrix product, a reduction, streams
// and events, error codes, symbols, dynamic shared memory, textures of HIP's names left out.

#define HIP_CHECK(call)                                                                     \
  do {                                                                                      \
    const hipError_t status = (call);                                                       \
    if (status != hipSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(status)); \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)

#define EXPECT(condition)                                         \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                               \
    }                                                             \
  } while (0)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) c[i] = a[i] + b[i];
}

template <int kTile>
__global__ void tiled_gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < (n + kTile - 1) / kTile; ++tile) {
    const int k = tile * kTile;
    as[threadIdx.y][threadIdx.x] =
        row < n && k + int(threadIdx.x) < n ? a[row * n + k + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] =
        column < n && k + int(threadIdx.y) < n ? b[(k + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

/// With shared memory of the size that the launch says.
__global__ void block_sums(const int* in, int* out, int n) {
  HIP_DYNAMIC_SHARED(int, partial);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < unsigned(n) ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

__constant__ float scale;
__device__ int counter;

__global__ void scale_all(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  values[i] *= scale;
  atomicAdd(&counter, 1);
}

/// Values of a warp by shuffles, as wide as it is.
__global__ void warp_sums(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (threadIdx.x % warpSize == 0) out[threadIdx.x / warpSize] = sum;
}

void add_vectors() {
  constexpr int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = float(i), b[i] = float(2 * i);
  float *on_a, *on_b, *on_c;
  HIP_CHECK(hipMalloc(&on_a, n * sizeof(float)));
  HIP_CHECK(hipMalloc((void**)&on_b, n * sizeof(float)));
  HIP_CHECK(hipMalloc(&on_c, n * sizeof(float)));
  HIP_CHECK(hipMemcpy(on_a, a.data(), n * sizeof(float), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(on_b, b.data(), n * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(vector_add, dim3((n + 255) / 256), dim3(256), 0, 0, on_a, on_b, on_c, n);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpy(c.data(), on_c, n * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(c[i] == float(3 * i));

  const float factor = 0.5f;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(scale), &factor, sizeof factor));
  const int zero = 0;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &zero, sizeof zero, 0, hipMemcpyHostToDevice));
  scale_all<<<dim3(8), dim3(128)>>>(on_c, n);
  int count = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  EXPECT(count == n);
  HIP_CHECK(hipMemcpy(c.data(), on_c, n * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(c[i] == 1.5f * float(i));
  HIP_CHECK(hipFree(on_a));
  HIP_CHECK(hipFree(on_b));
  HIP_CHECK(hipFree(on_c));
}

void multiply_matrices() {
  constexpr int n = 45, kTile = 16;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 7), b[i] = float(i % 5);
  float *on_a, *on_b, *on_c;
  HIP_CHECK(hipMalloc(&on_a, n * n * sizeof(float)));
  HIP_CHECK(hipMalloc(&on_b, n * n * sizeof(float)));
  HIP_CHECK(hipMalloc(&on_c, n * n * sizeof(float)));
  hipStream_t stream;
  hipEvent_t start, stop;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipMemcpyAsync(on_a, a.data(), n * n * sizeof(float), hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipMemcpyAsync(on_b, b.data(), n * n * sizeof(float), hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipEventRecord(start, stream));
  const dim3 grid((n + kTile - 1) / kTile, (n + kTile - 1) / kTile), block(kTile, kTile);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(tiled_gemm<kTile>), grid, block, 0, stream, on_a, on_b, on_c,
                     n);
  HIP_CHECK(hipEventRecord(stop, stream));
  HIP_CHECK(hipMemcpyAsync(c.data(), on_c, n * n * sizeof(float), hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipEventSynchronize(stop));
  HIP_CHECK(hipStreamSynchronize(stream));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float want = 0;
      for (int k = 0; k < n; ++k) want += a[i * n + k] * b[k * n + j];
      EXPECT(c[i * n + j] == want);  // whole numbers: exact
    }
  }
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(on_a));
  HIP_CHECK(hipFree(on_b));
  HIP_CHECK(hipFree(on_c));
}

void reduce() {
  constexpr int n = 3000, kBlock = 256;
  int* host = nullptr;
  HIP_CHECK(hipHostMalloc((void**)&host, n * sizeof(int), hipHostMallocDefault));
  int want = 0;
  for (int i = 0; i < n; ++i) want += host[i] = i % 13 - 4;
  int *in, *out;
  HIP_CHECK(hipMalloc(&in, n * sizeof(int)));
  HIP_CHECK(hipMalloc(&out, sizeof(int)));
  HIP_CHECK(hipMemset(out, 0, sizeof(int)));
  HIP_CHECK(hipMemcpy(in, host, n * sizeof(int), hipMemcpyHostToDevice));
  block_sums<<<(n + kBlock - 1) / kBlock, kBlock, kBlock * sizeof(int)>>>(in, out, n);
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, out, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got == want);

  int* sums = nullptr;
  HIP_CHECK(hipMallocManaged((void**)&sums, 2 * sizeof(int)));
  warp_sums<<<1, 64>>>(in, sums);
  HIP_CHECK(hipDeviceSynchronize());
  int first = 0;
  for (int i = 0; i < 32; ++i) first += host[i];
  EXPECT(sums[0] == first);
  HIP_CHECK(hipFree(sums));
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipHostFree(host));
}

void codes() {
  EXPECT(hipMemcpy(nullptr, nullptr, 4, hipMemcpyDeviceToDevice) == hipErrorInvalidValue);
  EXPECT(std::strlen(hipGetErrorString(hipErrorInvalidValue)) > 0);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipSuccess);
  vector_add<<<1, 5000>>>(nullptr, nullptr, nullptr, 0);
  EXPECT(hipPeekAtLastError() == hipErrorInvalidConfiguration ||
         hipPeekAtLastError() == hipErrorInvalidValue);
  (void)hipGetLastError();
  EXPECT(hipSetDevice(99) == hipErrorInvalidDevice);
  (void)hipGetLastError();
  int devices = 0, warp = 0;
  HIP_CHECK(hipGetDeviceCount(&devices));
  HIP_CHECK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  EXPECT(devices >= 1 && warp == 32 && properties.warpSize == 32 && properties.name[0] != 0);
}

int main() {
  add_vectors();
  multiply_matrices();
  reduce();
  codes();
  std::puts("ok");
  return 0;
}
