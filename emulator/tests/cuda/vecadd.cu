#include "emulator/tests/support/program.h"

// Vector addition, in each way that a course shows to get the data there and back.

using testing::blocks_for;

namespace {

constexpr unsigned kBlock = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_grid_stride(const float* a, const float* b, float* c, int n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    c[i] = a[i] + b[i];
  }
}

__global__ void add_vectorised(const float4* a, const float4* b, float4* c, int quads) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= quads) return;
  const float4 x = a[i], y = b[i];
  c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

struct Problem {
  explicit Problem(std::size_t n)
      : a(testing::random_floats(n, 1)), b(testing::random_floats(n, 2)), want(n) {
    for (std::size_t i = 0; i < n; ++i) want[i] = a[i] + b[i];
  }
  std::vector<float> a, b, want;
};

void device_memory(std::size_t n) {
  const Problem p(n);
  const testing::Buffer<float> a(p.a), b(p.b);
  testing::Buffer<float> c(n);
  add<<<blocks_for(n, kBlock), kBlock>>>(a.get(), b.get(), c.get(), int(n));
  FINISH_LAUNCH();
  testing::expect_equal(c.download(), p.want);

  c.fill_bytes(0);
  add_grid_stride<<<3, 96>>>(a.get(), b.get(), c.get(), int(n));
  FINISH_LAUNCH();
  testing::expect_equal(c.download(), p.want);
}

void vectorised() {
  const Problem p(4096);
  const testing::Buffer<float> a(p.a), b(p.b);
  testing::Buffer<float> c(4096);
  add_vectorised<<<4, 256>>>(reinterpret_cast<const float4*>(a.get()),
                             reinterpret_cast<const float4*>(b.get()),
                             reinterpret_cast<float4*>(c.get()), 1024);
  FINISH_LAUNCH();
  testing::expect_equal(c.download(), p.want);
}

void managed_memory() {
  const Problem p(1000);
  float *a, *b, *c;
  for (float** pointer : {&a, &b, &c}) CUDA_CHECK(cudaMallocManaged(pointer, 1000 * sizeof(float)));
  std::copy(p.a.begin(), p.a.end(), a);
  std::copy(p.b.begin(), p.b.end(), b);
  add<<<4, kBlock>>>(a, b, c, 1000);
  FINISH_LAUNCH();
  testing::expect_equal(std::vector<float>(c, c + 1000), p.want);
  for (float* pointer : {a, b, c}) CUDA_CHECK(cudaFree(pointer));
}

/// Kernels read and write pinned host memory in place.
void mapped_memory() {
  const Problem p(777);
  float *a, *b, *c, *device_c;
  CUDA_CHECK(cudaMallocHost(&a, 777 * sizeof(float)));
  CUDA_CHECK(cudaHostAlloc(&b, 777 * sizeof(float), cudaHostAllocMapped));
  CUDA_CHECK(cudaHostAlloc(&c, 777 * sizeof(float), cudaHostAllocMapped));
  CUDA_CHECK(cudaHostGetDevicePointer(&device_c, c, 0));
  std::copy(p.a.begin(), p.a.end(), a);
  std::copy(p.b.begin(), p.b.end(), b);
  add<<<4, kBlock>>>(a, b, device_c, 777);
  FINISH_LAUNCH();
  testing::expect_equal(std::vector<float>(c, c + 777), p.want);
  for (float* pointer : {a, b, c}) CUDA_CHECK(cudaFreeHost(pointer));
}

/// Ordinary memory of the program, made visible to the device for a while.
void registered_memory() {
  Problem p(500);
  std::vector<float> c(500);
  for (std::vector<float>* v : {&p.a, &p.b, &c}) {
    CUDA_CHECK(cudaHostRegister(v->data(), 500 * sizeof(float), cudaHostRegisterDefault));
  }
  float *a, *b, *device_c;
  CUDA_CHECK(cudaHostGetDevicePointer(&a, p.a.data(), 0));
  CUDA_CHECK(cudaHostGetDevicePointer(&b, p.b.data(), 0));
  CUDA_CHECK(cudaHostGetDevicePointer(&device_c, c.data(), 0));
  add<<<2, kBlock>>>(a, b, device_c, 500);
  FINISH_LAUNCH();
  testing::expect_equal(c, p.want);
  for (std::vector<float>* v : {&p.a, &p.b, &c}) CUDA_CHECK(cudaHostUnregister(v->data()));
}

/// Copies and kernels of four chunks in two streams, timed by events.
void streams() {
  constexpr int kChunk = 1 << 12, kChunks = 4;
  const Problem p(kChunk * kChunks);
  constexpr std::size_t kBytes = kChunk * sizeof(float);
  testing::Buffer<float> a(p.a.size()), b(p.a.size()), c(p.a.size());
  float *pinned_a, *pinned_b, *pinned_c;
  for (float** pointer : {&pinned_a, &pinned_b, &pinned_c}) {
    CUDA_CHECK(cudaMallocHost(pointer, kBytes * kChunks));
  }
  std::copy(p.a.begin(), p.a.end(), pinned_a);
  std::copy(p.b.begin(), p.b.end(), pinned_b);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start, streams[0]));
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    cudaStream_t stream = streams[chunk % 2];
    const int at = chunk * kChunk;
    CUDA_CHECK(
        cudaMemcpyAsync(a.get() + at, pinned_a + at, kBytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(
        cudaMemcpyAsync(b.get() + at, pinned_b + at, kBytes, cudaMemcpyHostToDevice, stream));
    add<<<kChunk / kBlock, kBlock, 0, stream>>>(a.get() + at, b.get() + at, c.get() + at, kChunk);
    CUDA_CHECK(
        cudaMemcpyAsync(pinned_c + at, c.get() + at, kBytes, cudaMemcpyDeviceToHost, stream));
  }
  CUDA_CHECK(cudaEventRecord(stop, streams[0]));
  for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds > 0);
  testing::expect_equal(std::vector<float>(pinned_c, pinned_c + kChunk * kChunks), p.want);
  for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  for (float* pointer : {pinned_a, pinned_b, pinned_c}) CUDA_CHECK(cudaFreeHost(pointer));
}

/// Memory that belongs to the order of a stream.
void stream_ordered_memory() {
  const Problem p(300);
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  float *a, *b, *c;
  for (float** pointer : {&a, &b, &c}) {
    CUDA_CHECK(cudaMallocAsync(pointer, 300 * sizeof(float), stream));
  }
  CUDA_CHECK(cudaMemcpyAsync(a, p.a.data(), 1200, cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaMemcpyAsync(b, p.b.data(), 1200, cudaMemcpyHostToDevice, stream));
  add<<<2, kBlock, 0, stream>>>(a, b, c, 300);
  std::vector<float> got(300);
  CUDA_CHECK(cudaMemcpyAsync(got.data(), c, 1200, cudaMemcpyDeviceToHost, stream));
  for (float* pointer : {a, b, c}) CUDA_CHECK(cudaFreeAsync(pointer, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaStreamDestroy(stream));
  testing::expect_equal(got, p.want);
}

void run() {
  for (const std::size_t n : {1u, 31u, 255u, 256u, 257u, 1000u, 65537u, 1u << 20}) device_memory(n);
  vectorised();
  managed_memory();
  mapped_memory();
  registered_memory();
  streams();
  stream_ordered_memory();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
