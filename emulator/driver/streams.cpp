#include "emulator/driver/driver.h"

// Streams and events are the runtime's.

using namespace warpsim::driver;

namespace {

/// A callback that expects the driver's result.
struct Callback {
  CUstreamCallback function = nullptr;
  void* data = nullptr;
};

void call_back(cudaStream_t stream, cudaError_t error, void* data) {
  const Callback callback = *static_cast<Callback*>(data);
  delete static_cast<Callback*>(data);
  callback.function(stream, result_of(error), callback.data);
}

}  // namespace

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaStreamCreateWithPriority(stream, flags, priority);
  });
}
CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return in_context(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaStreamGetPriority(stream, priority);
  });
}
CUresult cuStreamQuery(CUstream stream) {
  return in_context_of(
      stream, [&](const RuntimeLibrary& runtime) { return runtime.cudaStreamQuery(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_context_of(
      stream, [&](const RuntimeLibrary& runtime) { return runtime.cudaStreamSynchronize(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaStreamWaitEvent(stream, event, flags);
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaStreamAttachMemAsync(stream, device_pointer(pointer), bytes, flags);
  });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                             unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (callback == nullptr) return cudaErrorInvalidValue;
    auto* const both = new Callback{.function = callback, .data = data};
    const cudaError_t error = runtime.cudaStreamAddCallback(stream, call_back, both, flags);
    if (error != cudaSuccess) delete both;
    return error;
  });
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return in_context_of(
      stream, [&](const RuntimeLibrary& runtime) { return runtime.cudaStreamDestroy(stream); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaEventCreateWithFlags(event, flags);
  });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return in_context_of(stream, [&](const RuntimeLibrary& runtime) {
    return runtime.cudaEventRecordWithFlags(event, stream, flags);
  });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}
CUresult cuEventQuery(CUevent event) {
  return in_context_of(
      event, [&](const RuntimeLibrary& runtime) { return runtime.cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context_of(
      event, [&](const RuntimeLibrary& runtime) { return runtime.cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaEventElapsedTime(milliseconds, start, end);
  });
}
CUresult cuEventDestroy_v2(CUevent event) {
  return in_context_of(
      event, [&](const RuntimeLibrary& runtime) { return runtime.cudaEventDestroy(event); });
}

CUresult cuProfilerStart() {
  return initialized([](const RuntimeLibrary& runtime) { return runtime.cudaProfilerStart(); });
}
CUresult cuProfilerStop() {
  return initialized([](const RuntimeLibrary& runtime) { return runtime.cudaProfilerStop(); });
}

}  // extern "C"
