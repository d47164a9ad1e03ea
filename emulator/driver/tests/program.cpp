#include <cuda.h>

#include <cstdio>

// Run under `warpsim` by driver_program: its kernel writes one element too many.

namespace {
constexpr const char* kText = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry fill(.param .u64 out) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
)";
}  // namespace

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction fill = nullptr;
  CUdeviceptr out = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      cuModuleLoadData(&module, kText) != CUDA_SUCCESS ||
      cuModuleGetFunction(&fill, module, "fill") != CUDA_SUCCESS ||
      cuMemAlloc(&out, 31 * 4) != CUDA_SUCCESS) {
    std::puts("not started");
    return 2;
  }
  void* arguments[] = {&out};
  cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  const CUresult result = cuCtxSynchronize();
  cuMemFree(out);
  cuDevicePrimaryCtxRelease(0);
  std::printf("result %d\n", static_cast<int>(result));
  return 0;
}
