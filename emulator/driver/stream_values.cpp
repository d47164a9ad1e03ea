#include <array>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "emulator/driver/driver.h"

// A stream that waits until memory has a value, and one that writes a value. Both are kernels of
// one thread: a wait that nothing can end is found as that of a program's kernel, and what is
// ordered by a value is not taken for a race.

using namespace warpsim::driver;

namespace {

constexpr unsigned kWaitConditions = 3;  // the bits of CUstreamWaitValue_flags that say which

constexpr const char* kHeadPtx = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "libcuda"
)";

/// The kernels for values of one width; # stands for its bits.
constexpr std::string_view kValuePtx =
    R"(.visible .entry cuStreamWaitValue#(.param .u64 at, .param .u# value,
    .param .u32 condition) {
  .reg .pred %p<5>;
  .reg .b32 %c;
  .reg .b# %v<4>;
  .reg .b64 %at;
  .loc 1 1 1
  ld.param.u64 %at, [at];
  ld.param.u# %v1, [value];
  ld.param.u32 %c, [condition];
  setp.eq.u32 %p1, %c, 1;
  setp.eq.u32 %p2, %c, 2;
  setp.eq.u32 %p3, %c, 3;
  @%p1 bra wait_equal;
  @%p2 bra wait_and;
  @%p3 bra wait_nor;
wait_greater:
  ld.acquire.sys.u# %v2, [%at];
  sub.s# %v3, %v2, %v1;
  setp.lt.s# %p4, %v3, 0;
  @%p4 bra wait_greater;
  ret;
wait_equal:
  ld.acquire.sys.u# %v2, [%at];
  setp.ne.u# %p4, %v2, %v1;
  @%p4 bra wait_equal;
  ret;
wait_and:
  ld.acquire.sys.u# %v2, [%at];
  and.b# %v3, %v2, %v1;
  setp.eq.u# %p4, %v3, 0;
  @%p4 bra wait_and;
  ret;
wait_nor:
  ld.acquire.sys.u# %v2, [%at];
  or.b# %v3, %v2, %v1;
  not.b# %v3, %v3;
  setp.eq.u# %p4, %v3, 0;
  @%p4 bra wait_nor;
  ret;
}
.visible .entry cuStreamWriteValue#(.param .u64 at, .param .u# value,
    .param .u32 relaxed) {
  .reg .pred %p1;
  .reg .b32 %c;
  .reg .b# %v1;
  .reg .b64 %at;
  .loc 1 1 1
  ld.param.u64 %at, [at];
  ld.param.u# %v1, [value];
  ld.param.u32 %c, [relaxed];
  setp.ne.u32 %p1, %c, 0;
  @%p1 bra write_relaxed;
  st.release.sys.u# [%at], %v1;
  ret;
write_relaxed:
  st.relaxed.sys.u# [%at], %v1;
  ret;
}
)";

std::string value_ptx() {
  std::string text = kHeadPtx;
  for (const char* bits : {"32", "64"}) {
    for (const char c : kValuePtx) {
      if (c == '#') {
        text += bits;
      } else {
        text += c;
      }
    }
  }
  return text;
}

/// One of these kernels, which are loaded when the first one is needed.
cudaError_t find_kernel(const RuntimeLibrary& runtime, const char* name, cudaKernel_t& kernel) {
  static std::mutex mutex;
  static cudaLibrary_t library = nullptr;
  const std::lock_guard lock(mutex);
  if (library == nullptr) {
    const cudaError_t error = runtime.cudaLibraryLoadData(&library, value_ptx().c_str(), nullptr,
                                                          nullptr, 0, nullptr, nullptr, 0);
    if (error != cudaSuccess) return error;
  }
  return runtime.cudaLibraryGetKernel(&kernel, library, name);
}

/// Launches one of the kernels, in the order of the stream.
/// @param how  its last parameter
template <class Value>
CUresult launch_value(const char* name, CUstream stream, CUdeviceptr at, Value value,
                      unsigned how) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    cudaPointerAttributes memory = {};
    if (at % sizeof value != 0 ||
        runtime.cudaPointerGetAttributes(&memory, host_pointer(at)) != cudaSuccess ||
        memory.type == cudaMemoryTypeUnregistered) {
      return cudaErrorInvalidValue;
    }
    cudaKernel_t kernel = nullptr;
    if (const cudaError_t error = find_kernel(runtime, name, kernel)) return error;
    std::array<void*, 3> arguments = {&at, &value, &how};
    return runtime.cudaLaunchKernel(reinterpret_cast<const void*>(kernel), {1, 1, 1}, {1, 1, 1},
                                    arguments.data(), 0, stream);
  });
}

template <class Value>
CUresult wait(const char* name, CUstream stream, CUdeviceptr at, Value value, unsigned flags) {
  // A flush of remote writes: no card of the emulator says that it can
  // (CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES), nor does an H200.
  constexpr unsigned kFlush = CU_STREAM_WAIT_VALUE_FLUSH;
  if ((flags & kFlush) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  if (flags > kWaitConditions) return CUDA_ERROR_INVALID_VALUE;
  return launch_value(name, stream, at, value, flags);
}

template <class Value>
CUresult write(const char* name, CUstream stream, CUdeviceptr to, Value value, unsigned flags) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return CUDA_ERROR_INVALID_VALUE;
  return launch_value(name, stream, to, value, flags);
}

/// Both have their flags and operands at the same places.
CUresult run_operation(CUstream stream, const CUstreamBatchMemOpParams& one) {
  switch (one.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return cuStreamWaitValue32_v2(stream, one.waitValue.address, one.waitValue.value,
                                    one.waitValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return cuStreamWaitValue64_v2(stream, one.waitValue.address, one.waitValue.value64,
                                    one.waitValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return cuStreamWriteValue32_v2(stream, one.writeValue.address, one.writeValue.value,
                                     one.writeValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return cuStreamWriteValue64_v2(stream, one.writeValue.address, one.writeValue.value64,
                                     one.writeValue.flags);
    case CU_STREAM_MEM_OP_BARRIER:
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return CUDA_SUCCESS;  // what a stream has done is visible to what it does next
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

extern "C" {

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
  return wait("cuStreamWaitValue32", stream, at, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags) {
  return wait("cuStreamWaitValue64", stream, at, value, flags);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr to, cuuint32_t value,
                                 unsigned flags) {
  return write("cuStreamWriteValue32", stream, to, value, flags);
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr to, cuuint64_t value,
                                 unsigned flags) {
  return write("cuStreamWriteValue64", stream, to, value, flags);
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams* operations, unsigned flags) {
  if (flags != 0 || count > 256 || (operations == nullptr && count != 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (const CUstreamBatchMemOpParams& one : std::span(operations, count)) {
    if (const CUresult result = run_operation(stream, one); result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

}  // extern "C"
