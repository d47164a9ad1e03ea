#include <algorithm>

#include "emulator/driver/driver.h"
#include "emulator/driver/jit_log.h"

// A module is a library of the runtime, and a function its kernel.

using namespace warpsim::driver;

namespace {

cudaLibrary_t library_of(CUmodule module) {
  return reinterpret_cast<cudaLibrary_t>(module);
}

cudaLibrary_t library_of(CUlibrary library) {
  return reinterpret_cast<cudaLibrary_t>(library);
}

const void* kernel_of(CUfunction function) {
  return reinterpret_cast<const void*>(function);
}

CUresult load(CUmodule* module, const void* image) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (module == nullptr || image == nullptr) return cudaErrorInvalidValue;
    return runtime.cudaLibraryLoadData(reinterpret_cast<cudaLibrary_t*>(module), image, nullptr,
                                       nullptr, 0, nullptr, nullptr, 0);
  });
}

CUresult get_kernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryGetKernel(kernel, library, name);
  });
}

CUresult get_global(CUdeviceptr* pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryGetGlobal(reinterpret_cast<void**>(pointer), bytes, library, name);
  });
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryLoadFromFile(reinterpret_cast<cudaLibrary_t*>(module), path, nullptr,
                                           nullptr, 0, nullptr, nullptr, 0);
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load(module, image);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  JitOptions log(count, options, values);
  const CUresult result = load(module, image);
  if (result != CUDA_SUCCESS && image != nullptr && current_context() != nullptr) {
    log.add_error(problems_of(image, current_target()));
  }
  return result;
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return in_context_of(module, [&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryUnload(library_of(module));
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return get_kernel(reinterpret_cast<cudaKernel_t*>(function), library_of(module), name);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                              const char* name) {
  return get_global(pointer, bytes, library_of(module), name);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned,
                           CUlibraryOption*, void**, unsigned) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryLoadData(reinterpret_cast<cudaLibrary_t*>(library), image, nullptr,
                                       nullptr, 0, nullptr, nullptr, 0);
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option*, void**,
                               unsigned, CUlibraryOption*, void**, unsigned) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryLoadFromFile(reinterpret_cast<cudaLibrary_t*>(library), path, nullptr,
                                           nullptr, 0, nullptr, nullptr, 0);
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaLibraryUnload(library_of(library));
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return get_kernel(reinterpret_cast<cudaKernel_t*>(kernel), library_of(library), name);
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return in_context([&](const RuntimeLibrary&) {
    if (module == nullptr || library == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *module = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return get_global(pointer, bytes, library_of(library), name);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return in_context([&](const RuntimeLibrary&) {
    if (function == nullptr || kernel == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (value == nullptr) return cudaErrorInvalidValue;
    cudaFuncAttributes all = {};
    const cudaError_t error = runtime.cudaFuncGetAttributes(&all, kernel_of(function));
    if (error != cudaSuccess) return error;
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = all.maxThreadsPerBlock;
        break;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(all.sharedSizeBytes);
        break;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = static_cast<int>(all.constSizeBytes);
        break;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(all.localSizeBytes);
        break;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = all.numRegs;
        break;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = all.ptxVersion;
        break;
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = all.binaryVersion;
        break;
      case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = all.cacheModeCA;
        break;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        break;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        break;
      default:
        return cudaErrorNotSupported;
    }
    return cudaSuccess;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaFuncSetAttribute(kernel_of(function),
                                        static_cast<cudaFuncAttribute>(attribute), value);
  });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaKernelSetAttributeForDevice(reinterpret_cast<cudaKernel_t>(kernel),
                                                   static_cast<cudaFuncAttribute>(attribute), value,
                                                   device);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaFuncSetCacheConfig(kernel_of(function), static_cast<cudaFuncCache>(config));
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaFuncGetName(name, kernel_of(function));
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaFuncGetParamInfo(kernel_of(function), index, offset, bytes);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, size_t shared_bytes,
                                                              unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, kernel_of(function), threads, shared_bytes, flags);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                              shared_bytes, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid, int* threads, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                          int limit) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (min_grid == nullptr || threads == nullptr) return cudaErrorInvalidValue;
    cudaFuncAttributes all = {};
    cudaError_t error = runtime.cudaFuncGetAttributes(&all, kernel_of(function));
    int processors = 0;
    if (error == cudaSuccess) {
      error = runtime.cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                             device_of(current_context()));
    }
    int most = 0;
    const int largest =
        limit > 0 ? std::min(limit, all.maxThreadsPerBlock) : all.maxThreadsPerBlock;
    // The largest block of those with the most resident threads: from the largest down.
    for (int size = largest; error == cudaSuccess && size > 0; size = (size - 1) / 32 * 32) {
      int blocks = 0;
      error = runtime.cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &blocks, kernel_of(function), size,
          shared_bytes_of != nullptr ? shared_bytes_of(size) : shared_bytes, 0);
      if (blocks * size > most) {
        most = blocks * size;
        *threads = size;
        *min_grid = blocks * processors;
      }
    }
    return error;
  });
}

}  // extern "C"
