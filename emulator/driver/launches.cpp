#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/driver/driver.h"
#include "emulator/driver/per_thread.h"

using namespace warpsim::driver;

namespace {

/// Pointers to a kernel's arguments, from the array that callers give or from a buffer with all of
/// them (CU_LAUNCH_PARAM_BUFFER_POINTER).
class Arguments {
 public:
  Arguments(const RuntimeLibrary& runtime, CUfunction function, void** parameters, void** extra)
      : given_(parameters) {
    if (parameters == nullptr && extra != nullptr) read_buffer(runtime, function, extra);
  }
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] void** get() { return given_ != nullptr ? given_ : pointers_.data(); }

 private:
  void read_buffer(const RuntimeLibrary& runtime, CUfunction function, void** extra) {
    std::byte* buffer = nullptr;
    size_t bytes = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<std::byte*>(extra[1]);
      if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const size_t*>(extra[1]);
    }
    size_t offset = 0;
    size_t size = 0;
    for (size_t i = 0; runtime.cudaFuncGetParamInfo(reinterpret_cast<const void*>(function), i,
                                                    &offset, &size) == cudaSuccess;
         ++i) {
      valid_ = valid_ && buffer != nullptr && size <= bytes && offset <= bytes - size;
      pointers_.push_back(buffer + offset);
    }
    (void)runtime.cudaGetLastError();  // of the question after the last parameter
  }

  void** given_ = nullptr;
  std::vector<void*> pointers_;
  bool valid_ = true;
};

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    Arguments arguments(runtime, function, parameters, extra);
    if (!arguments.valid()) return cudaErrorInvalidValue;
    return runtime.cudaLaunchKernel(reinterpret_cast<const void*>(function),
                                    {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                    arguments.get(), shared_bytes, stream);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** parameters) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLaunchCooperativeKernel(
        reinterpret_cast<const void*>(function), {grid_x, grid_y, grid_z},
        {block_x, block_y, block_z}, parameters, shared_bytes, stream);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (config == nullptr) return cudaErrorInvalidValue;
    Arguments arguments(runtime, function, parameters, extra);
    if (!arguments.valid()) return cudaErrorInvalidValue;
    // Attributes have the same numbers and layout in both APIs.
    static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
    cudaLaunchConfig_t same = {};
    same.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ};
    same.blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ};
    same.dynamicSmemBytes = config->sharedMemBytes;
    same.stream = take_per_thread() ? in_per_thread_form(config->hStream) : config->hStream;
    same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs);
    same.numAttrs = config->numAttrs;
    return runtime.cudaLaunchKernelExC(&same, reinterpret_cast<const void*>(function),
                                       arguments.get());
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLaunchHostFunc(stream, function, data);
  });
}

}  // extern "C"
