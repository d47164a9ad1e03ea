#include <atomic>

#include "emulator/tests/support/program.h"

// Streams and events: order within a stream, waiting across streams, queries, host functions.

namespace {

__global__ void multiply_add(int* value, int factor, int term) {
  *value = *value * factor + term;
}

__global__ void busy(int* value, int rounds) {
  int x = *value;
  for (int i = 0; i < rounds; ++i) x = x * 1103515245 + 12345;
  *value = x;
}

void order_in_a_stream() {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  testing::Buffer<int> value(1);
  CUDA_CHECK(cudaMemsetAsync(value.get(), 0, sizeof(int), stream));
  int want = 0, got = 0;
  for (int i = 1; i <= 10; ++i) {
    multiply_add<<<1, 1, 0, stream>>>(value.get(), 3, i);
    want = want * 3 + i;
  }
  CUDA_CHECK(cudaMemcpyAsync(&got, value.get(), sizeof got, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT(got == want);
  EXPECT(cudaStreamQuery(stream) == cudaSuccess);
  CUDA_CHECK(cudaStreamDestroy(stream));
}

void waiting_across_streams() {
  int lowest = 0, highest = 0;
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  EXPECT(highest <= lowest);
  cudaStream_t first, second;
  CUDA_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, highest));
  cudaEvent_t done;
  CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  testing::Buffer<int> value(std::vector<int>{7});
  multiply_add<<<1, 1, 0, first>>>(value.get(), 5, 1);
  CUDA_CHECK(cudaEventRecord(done, first));
  CUDA_CHECK(cudaStreamWaitEvent(second, done, 0));
  multiply_add<<<1, 1, 0, second>>>(value.get(), 2, 100);
  CUDA_CHECK(cudaStreamSynchronize(second));
  EXPECT(value.download()[0] == 36 * 2 + 100);
  CUDA_CHECK(cudaEventDestroy(done));
  CUDA_CHECK(cudaStreamDestroy(first));
  CUDA_CHECK(cudaStreamDestroy(second));
}

void timing() {
  cudaEvent_t start, middle, stop;
  for (cudaEvent_t* event : {&start, &middle, &stop}) CUDA_CHECK(cudaEventCreate(event));
  testing::Buffer<int> value(std::vector<int>{1});
  CUDA_CHECK(cudaEventRecord(start));
  busy<<<1, 1>>>(value.get(), 10);
  CUDA_CHECK(cudaEventRecord(middle));
  busy<<<1, 1>>>(value.get(), 20000);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  EXPECT(cudaEventQuery(stop) == cudaSuccess);
  float total = 0, second = 0;
  CUDA_CHECK(cudaEventElapsedTime(&total, start, stop));
  CUDA_CHECK(cudaEventElapsedTime(&second, middle, stop));
  EXPECT(second > 0 && total >= second);
  for (cudaEvent_t event : {start, middle, stop}) CUDA_CHECK(cudaEventDestroy(event));
}

void host_functions() {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  static std::atomic<int> calls = 0;
  testing::Buffer<int> value(std::vector<int>{0});
  multiply_add<<<1, 1, 0, stream>>>(value.get(), 1, 5);
  CUDA_CHECK(cudaLaunchHostFunc(
      stream, [](void* add) { calls += *static_cast<int*>(add); },
      []() -> void* {
        static int ten = 10;
        return &ten;
      }()));
  CUDA_CHECK(cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t status, void*) { calls += status == cudaSuccess; },
      nullptr, 0));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT(calls == 11);
  CUDA_CHECK(cudaStreamDestroy(stream));
}

void run() {
  order_in_a_stream();
  waiting_across_streams();
  timing();
  host_functions();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
