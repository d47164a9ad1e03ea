#include <cuda.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

// A program whose default stream is each thread's own: compiled with
// CUDA_API_PER_THREAD_DEFAULT_STREAM. A stream that waits for a value shows what a call waits for.

#define MADE(call) REQUIRE((call) == CUDA_SUCCESS)

namespace {

constexpr const char* kStore = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store_7(.param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 7;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

/// A blocking stream that waits until finish() is called. Work of the legacy default stream would
/// be ordered after it.
struct WaitingStream {
  WaitingStream() {
    MADE(cuInit(0));
    CUcontext context = nullptr;
    MADE(cuDevicePrimaryCtxRetain(&context, 0));
    MADE(cuCtxSetCurrent(context));
    MADE(cuMemAlloc(&memory, 64));
    MADE(cuMemsetD32(memory, 0, 16));
    MADE(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    MADE(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  }
  ~WaitingStream() {
    cuStreamDestroy(stream);
    cuMemFree(memory);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  WaitingStream(const WaitingStream&) = delete;
  WaitingStream& operator=(const WaitingStream&) = delete;

  /// Whether what the default stream has done so far did not wait for the stream.
  void finish() const {
    CHECK(cuStreamQuery(nullptr) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
    MADE(cuStreamWriteValue32(nullptr, memory, 1, 0));
    MADE(cuStreamSynchronize(stream));
  }
  [[nodiscard]] CUdeviceptr word(unsigned index) const { return memory + CUdeviceptr{4} * index; }

  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
};

}  // namespace

TEST_CASE("copies and fills without a stream run in the thread's own", "[driver]") {
  const WaitingStream waiting;
  const unsigned from = 3;
  unsigned to = 0;
  MADE(cuMemcpyHtoD(waiting.word(4), &from, 4));
  MADE(cuMemcpyDtoD(waiting.word(5), waiting.word(4), 4));
  MADE(cuMemcpyDtoH(&to, waiting.word(5), 4));
  CHECK(to == 3);
  MADE(cuMemsetD8(waiting.word(5), 1, 4));
  MADE(cuMemsetD32(waiting.word(6), 9, 1));
  CUDA_MEMCPY2D copy = {};
  std::array<unsigned, 2> rows = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = waiting.word(5);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = rows.data();
  copy.WidthInBytes = 4;
  copy.Height = 2;
  MADE(cuMemcpy2D(&copy));
  CHECK(rows == std::array<unsigned, 2>{0x01010101, 9});
  CUcontext context = nullptr;
  MADE(cuCtxGetCurrent(&context));
  MADE(cuMemcpyPeer(waiting.word(7), context, waiting.word(6), context, 4));
  waiting.finish();
}

TEST_CASE("the default stream of launches and asynchronous copies is the thread's own",
          "[driver]") {
  const WaitingStream waiting;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  MADE(cuModuleLoadData(&module, kStore));
  MADE(cuModuleGetFunction(&store, module, "store_7"));
  CUdeviceptr out = waiting.word(4);
  void* parameters[] = {&out};
  MADE(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  unsigned value = 0;
  MADE(cuMemcpyDtoHAsync(&value, out, 4, nullptr));
  MADE(cuStreamSynchronize(nullptr));
  CHECK(value == 7);
  MADE(cuMemsetD32(out, 0, 1));
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  MADE(cuLaunchKernelEx(&config, store, parameters, nullptr));
  MADE(cuMemcpyDtoH(&value, out, 4));
  CHECK(value == 7);
  waiting.finish();
  MADE(cuModuleUnload(module));
}

TEST_CASE("the legacy default stream waits for others", "[driver]") {
  const WaitingStream waiting;
  MADE(cuMemsetD32Async(waiting.word(4), 5, 1, CU_STREAM_LEGACY));
  CHECK(cuStreamQuery(CU_STREAM_LEGACY) == CUDA_ERROR_NOT_READY);
  // What the thread's own stream does next waits for the legacy one, so that another writes.
  CUstream other = nullptr;
  MADE(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  MADE(cuStreamWriteValue32(other, waiting.memory, 1, 0));
  MADE(cuStreamSynchronize(CU_STREAM_LEGACY));
  MADE(cuStreamDestroy(other));
  unsigned value = 0;
  MADE(cuMemcpyDtoH(&value, waiting.word(4), 4));
  CHECK(value == 5);
}
