#include "emulator/driver/driver.h"
#include "emulator/driver/per_thread.h"

// Several devices: access of one context to another's memory, and copies between them.

using namespace warpsim::driver;

extern "C" {

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceCanAccessPeer(can, device, peer);
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute),
                                             source, destination);
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    if (!knows_context(peer)) return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(runtime.cudaDeviceEnablePeerAccess(device_of(peer), flags));
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    if (!knows_context(peer)) return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(runtime.cudaDeviceDisablePeerAccess(device_of(peer)));
  });
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    if (!knows_context(to_context) || !knows_context(from_context)) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (take_per_thread()) {  // a form that the runtime does not have
      const cudaError_t error =
          runtime.cudaMemcpyPeerAsync(device_pointer(to), device_of(to_context), host_pointer(from),
                                      device_of(from_context), bytes, cudaStreamPerThread);
      return result_of(error != cudaSuccess ? error
                                            : runtime.cudaStreamSynchronize(cudaStreamPerThread));
    }
    return result_of(runtime.cudaMemcpyPeer(device_pointer(to), device_of(to_context),
                                            host_pointer(from), device_of(from_context), bytes));
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    if (!knows_context(to_context) || !knows_context(from_context)) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    return result_of(runtime.cudaMemcpyPeerAsync(device_pointer(to), device_of(to_context),
                                                 host_pointer(from), device_of(from_context), bytes,
                                                 stream));
  });
}

}  // extern "C"
