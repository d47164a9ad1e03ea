#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

// Run under `warpsim`: compiles a kernel by NVRTC, and runs it. With the name of a library as its
// argument, it loads that as well.

namespace {

constexpr const char* kText =
    "extern \"C\" __global__ void fill(int* out) { out[threadIdx.x] = 42; }";

std::string compile() {
  nvrtcProgram program = nullptr;
  const char* options[] = {"--gpu-architecture=compute_75"};
  std::size_t bytes = 0;
  if (nvrtcCreateProgram(&program, kText, "fill.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS ||
      nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS ||
      nvrtcGetPTXSize(program, &bytes) != NVRTC_SUCCESS) {
    return {};
  }
  std::string text(bytes, '\0');
  if (nvrtcGetPTX(program, text.data()) != NVRTC_SUCCESS) return {};
  nvrtcDestroyProgram(&program);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction fill = nullptr;
  CUdeviceptr out = 0;
  const std::string text = compile();
  if (argc > 1 && dlopen(argv[1], RTLD_NOW) == nullptr) {
    std::puts(dlerror());
    return 2;
  }
  if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS ||
      cuModuleGetFunction(&fill, module, "fill") != CUDA_SUCCESS ||
      cuMemAlloc(&out, 32 * 4) != CUDA_SUCCESS) {
    std::puts("not started");
    return 2;
  }
  void* arguments[] = {&out};
  std::vector<int> host(32);
  cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(host.data(), out, 32 * 4);
  cuMemFree(out);
  cuModuleUnload(module);
  cuDevicePrimaryCtxRelease(0);
  std::printf("last %d\n", host[31]);
  return 0;
}
