#include "emulator/driver/per_thread.h"

#include <utility>

#include "emulator/driver/driver.h"

namespace warpsim::driver {
namespace {

thread_local bool is_per_thread = false;

}  // namespace

PerThreadCall::PerThreadCall() {
  is_per_thread = true;
}

/// A function may return before it asks.
PerThreadCall::~PerThreadCall() {
  is_per_thread = false;
}

bool take_per_thread() {
  return std::exchange(is_per_thread, false);
}

}  // namespace warpsim::driver

/// Defines the form of a function. Its type does not name the parameters, so a resolver gives the
/// loader its address.
#define WARPSIM_TWIN(function, suffix)                                           \
  extern "C" {                                                                   \
  static auto form_of_##function##suffix()                                       \
      -> warpsim::driver::PerThreadForm<decltype(function)>::Type* {             \
    return &warpsim::driver::PerThreadForm<decltype(function)>::call<&function>; \
  }                                                                              \
  warpsim::driver::PerThreadForm<decltype(function)>::Type function##suffix      \
      __attribute__((ifunc("form_of_" #function #suffix)));                      \
  }

#undef cuMemPrefetchAsync
extern "C" CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice to,
                                       CUstream stream);

WARPSIM_TWIN(cuEventRecord, _ptsz)
WARPSIM_TWIN(cuEventRecordWithFlags, _ptsz)
WARPSIM_TWIN(cuLaunchCooperativeKernel, _ptsz)
WARPSIM_TWIN(cuLaunchHostFunc, _ptsz)
WARPSIM_TWIN(cuLaunchKernel, _ptsz)
WARPSIM_TWIN(cuLaunchKernelEx, _ptsz)
WARPSIM_TWIN(cuMemAllocAsync, _ptsz)
WARPSIM_TWIN(cuMemFreeAsync, _ptsz)
WARPSIM_TWIN(cuMemPrefetchAsync, _ptsz)
WARPSIM_TWIN(cuMemPrefetchAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpy2DAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpy3DAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpy3DPeerAsync, _ptsz)
WARPSIM_TWIN(cuMemcpyAsync, _ptsz)
WARPSIM_TWIN(cuMemcpyAtoHAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpyDtoDAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpyDtoHAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpyHtoAAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpyHtoDAsync_v2, _ptsz)
WARPSIM_TWIN(cuMemcpyPeerAsync, _ptsz)
WARPSIM_TWIN(cuMemsetD16Async, _ptsz)
WARPSIM_TWIN(cuMemsetD2D16Async, _ptsz)
WARPSIM_TWIN(cuMemsetD2D32Async, _ptsz)
WARPSIM_TWIN(cuMemsetD2D8Async, _ptsz)
WARPSIM_TWIN(cuMemsetD32Async, _ptsz)
WARPSIM_TWIN(cuMemsetD8Async, _ptsz)
WARPSIM_TWIN(cuStreamAddCallback, _ptsz)
WARPSIM_TWIN(cuStreamAttachMemAsync, _ptsz)
WARPSIM_TWIN(cuStreamBatchMemOp_v2, _ptsz)
WARPSIM_TWIN(cuStreamGetFlags, _ptsz)
WARPSIM_TWIN(cuStreamGetPriority, _ptsz)
WARPSIM_TWIN(cuStreamQuery, _ptsz)
WARPSIM_TWIN(cuStreamSynchronize, _ptsz)
WARPSIM_TWIN(cuStreamWaitEvent, _ptsz)
WARPSIM_TWIN(cuStreamWaitValue32_v2, _ptsz)
WARPSIM_TWIN(cuStreamWaitValue64_v2, _ptsz)
WARPSIM_TWIN(cuStreamWriteValue32_v2, _ptsz)
WARPSIM_TWIN(cuStreamWriteValue64_v2, _ptsz)
WARPSIM_TWIN(cuMemcpy, _ptds)
WARPSIM_TWIN(cuMemcpy2DUnaligned_v2, _ptds)
WARPSIM_TWIN(cuMemcpy2D_v2, _ptds)
WARPSIM_TWIN(cuMemcpy3DPeer, _ptds)
WARPSIM_TWIN(cuMemcpy3D_v2, _ptds)
WARPSIM_TWIN(cuMemcpyAtoA_v2, _ptds)
WARPSIM_TWIN(cuMemcpyAtoD_v2, _ptds)
WARPSIM_TWIN(cuMemcpyAtoH_v2, _ptds)
WARPSIM_TWIN(cuMemcpyDtoA_v2, _ptds)
WARPSIM_TWIN(cuMemcpyDtoD_v2, _ptds)
WARPSIM_TWIN(cuMemcpyDtoH_v2, _ptds)
WARPSIM_TWIN(cuMemcpyHtoA_v2, _ptds)
WARPSIM_TWIN(cuMemcpyHtoD_v2, _ptds)
WARPSIM_TWIN(cuMemcpyPeer, _ptds)
WARPSIM_TWIN(cuMemsetD16_v2, _ptds)
WARPSIM_TWIN(cuMemsetD2D16_v2, _ptds)
WARPSIM_TWIN(cuMemsetD2D32_v2, _ptds)
WARPSIM_TWIN(cuMemsetD2D8_v2, _ptds)
WARPSIM_TWIN(cuMemsetD32_v2, _ptds)
WARPSIM_TWIN(cuMemsetD8_v2, _ptds)
