#include <cuda.h>

#include <catch2/catch_test_macros.hpp>

// Streams that wait for a value in memory. Results and errors are those of an H200, driver
// 580.159.04.

namespace {

struct ValueStreams {
  ValueStreams() {
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    CUcontext context = nullptr;
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
    REQUIRE(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    REQUIRE(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    set(0, 0);
  }
  ~ValueStreams() {
    cuStreamDestroy(first);
    cuStreamDestroy(second);
    cuMemFree(memory);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  ValueStreams(const ValueStreams&) = delete;
  ValueStreams& operator=(const ValueStreams&) = delete;

  void set(unsigned low, unsigned high) const {
    const unsigned values[2] = {low, high};
    REQUIRE(cuMemcpyHtoD(memory, values, 8) == CUDA_SUCCESS);
  }
  [[nodiscard]] CUresult wait32(unsigned value, unsigned flags) const {
    return cuStreamWaitValue32(first, memory, value, flags);
  }
  /// Whether the first stream still waits.
  [[nodiscard]] bool waits() const { return cuStreamQuery(first) == CUDA_ERROR_NOT_READY; }
  /// Whether it gets to its end.
  [[nodiscard]] bool ends() const { return cuStreamSynchronize(first) == CUDA_SUCCESS; }
  void write(unsigned value) const {
    REQUIRE(cuStreamWriteValue32(second, memory, value, 0) == CUDA_SUCCESS);
  }

  CUdeviceptr memory = 0;
  CUstream first = nullptr, second = nullptr;
};

}  // namespace

TEST_CASE("a stream waits until a value is equal, at least, or has bits", "[driver]") {
  const ValueStreams streams;
  REQUIRE(streams.wait32(7, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  streams.write(8);
  CHECK(streams.waits());
  streams.write(7);
  CHECK(streams.ends());

  REQUIRE(streams.wait32(9, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  streams.write(8);
  CHECK(streams.waits());
  streams.write(10);
  CHECK(streams.ends());
  // The comparison wraps around: 10 is 13 more than 2^32 - 3.
  REQUIRE(streams.wait32(~0U - 2, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  CHECK(streams.ends());

  REQUIRE(streams.wait32(5, CU_STREAM_WAIT_VALUE_AND) == CUDA_SUCCESS);
  CHECK(streams.waits());
  streams.write(4);
  CHECK(streams.ends());

  streams.set(1, 0);
  REQUIRE(streams.wait32(~1U, CU_STREAM_WAIT_VALUE_NOR) == CUDA_SUCCESS);
  CHECK(streams.waits());
  streams.write(2);
  CHECK(streams.ends());
}

TEST_CASE("a stream waits for a value of 64 bits", "[driver]") {
  const ValueStreams streams;
  constexpr cuuint64_t kValue = 0x5'0000'0001;
  REQUIRE(cuStreamWaitValue64(streams.first, streams.memory, kValue, CU_STREAM_WAIT_VALUE_EQ) ==
          CUDA_SUCCESS);
  streams.write(1);
  CHECK(streams.waits());
  REQUIRE(cuStreamWriteValue64(streams.second, streams.memory, kValue, 0) == CUDA_SUCCESS);
  CHECK(streams.ends());
  streams.set(0, 1);
  REQUIRE(cuStreamWaitValue64(streams.first, streams.memory, 2, CU_STREAM_WAIT_VALUE_GEQ) ==
          CUDA_SUCCESS);
  CHECK(streams.ends());
}

TEST_CASE("what follows a wait runs after it, and host code ends one, too", "[driver]") {
  const ValueStreams streams;
  void* pinned = nullptr;
  REQUIRE(cuMemHostAlloc(&pinned, 4, CU_MEMHOSTALLOC_DEVICEMAP) == CUDA_SUCCESS);
  auto* const flag = static_cast<volatile unsigned*>(pinned);
  *flag = 0;
  CUdeviceptr mapped = 0;
  REQUIRE(cuMemHostGetDevicePointer(&mapped, pinned, 0) == CUDA_SUCCESS);
  REQUIRE(cuStreamWaitValue32(streams.first, mapped, 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  REQUIRE(cuMemsetD32Async(streams.memory, 3, 1, streams.first) == CUDA_SUCCESS);
  unsigned value = 9;
  REQUIRE(cuMemcpyDtoHAsync(&value, streams.memory, 4, streams.second) == CUDA_SUCCESS);
  REQUIRE(cuStreamSynchronize(streams.second) == CUDA_SUCCESS);
  CHECK(value == 0);
  *flag = 1;
  REQUIRE(cuStreamSynchronize(streams.first) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoH(&value, streams.memory, 4) == CUDA_SUCCESS);
  CHECK(value == 3);
  REQUIRE(cuMemFreeHost(pinned) == CUDA_SUCCESS);
}

TEST_CASE("several waits and writes are one call", "[driver]") {
  const ValueStreams streams;
  CUstreamBatchMemOpParams operations[3] = {};
  operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operations[0].writeValue.address = streams.memory + 8;
  operations[0].writeValue.value = 6;
  operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operations[1].waitValue.address = streams.memory;
  operations[1].waitValue.value = 1;
  operations[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operations[2].writeValue.address = streams.memory + 8;
  operations[2].writeValue.value64 = 7;
  REQUIRE(cuStreamBatchMemOp(streams.first, 3, operations, 0) == CUDA_SUCCESS);
  CHECK(streams.waits());
  streams.write(1);
  REQUIRE(cuStreamSynchronize(streams.first) == CUDA_SUCCESS);
  cuuint64_t value = 0;
  REQUIRE(cuMemcpyDtoH(&value, streams.memory + 8, 8) == CUDA_SUCCESS);
  CHECK(value == 7);
  operations[0].operation = static_cast<CUstreamBatchMemOpType>(0);
  CHECK(cuStreamBatchMemOp(streams.first, 1, operations, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuStreamBatchMemOp(streams.first, 1, nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a wait that is not possible is refused at the call", "[driver]") {
  const ValueStreams streams;
  const auto at = [&](CUdeviceptr address, unsigned flags) {
    return cuStreamWaitValue32(streams.first, address, 0, flags);
  };
  unsigned on_stack = 0;
  CHECK(at(streams.memory + 2, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(at(streams.memory, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(at(0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(at(reinterpret_cast<CUdeviceptr>(&on_stack), 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(at(streams.memory, CU_STREAM_WAIT_VALUE_FLUSH) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuStreamWaitValue64(streams.first, streams.memory + 4, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(at(streams.memory, 0) == CUDA_SUCCESS);
  CHECK(streams.ends());
}
