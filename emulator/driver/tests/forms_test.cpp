#include <cuda.h>
#include <dlfcn.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>

// Names that NVIDIA's library exports, whether the emulator has the function or not, and the
// functions of early versions of CUDA.

namespace {

constexpr const char* kForms = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 value, .param .f32 factor) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [value];
  ld.param.f32 %f1, [factor];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r2, 2, %r3;
  mad.wide.u32 %rd3, %r4, 4, %rd2;
  cvt.rzi.u32.f32 %r5, %f1;
  mad.lo.u32 %r5, %r4, %r5, %r1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

struct Started {
  Started() {
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    CUcontext context = nullptr;
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
  }
  ~Started() {
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
};

void* symbol(const char* name) {
  return ::dlsym(RTLD_DEFAULT, name);
}

void* by_name(const char* name, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  REQUIRE(cuGetProcAddress(name, &function, 13000, flags, &status) == CUDA_SUCCESS);
  CHECK((status == CU_GET_PROC_ADDRESS_SUCCESS) == (function != nullptr));
  return function;
}

}  // namespace

TEST_CASE("a function that the emulator lacks is there, and says so when it is called",
          "[driver]") {
  const Started started;
  using Call = CUresult (*)(void*, size_t);
  // Old names, new ones, versions, per-thread default streams, other interfaces.
  for (const char* name : {"cuTexRefSetAddress_v2", "cuGraphCreate", "cuMemAlloc", "cuGLInit",
                           "cuStreamBeginCapture_v2_ptsz", "cuGraphInstantiateWithParams_ptsz"}) {
    INFO(name);
    const auto call = reinterpret_cast<Call>(symbol(name));
    REQUIRE(call != nullptr);
    CHECK(call(nullptr, 0) == CUDA_ERROR_NOT_SUPPORTED);
  }
  CHECK(symbol("cuNoSuchCall") == nullptr);
}

TEST_CASE("cuGetProcAddress finds functions that the emulator lacks, and prefers those it has",
          "[driver]") {
  const Started started;
  CHECK(by_name("cuGraphCreate") == symbol("cuGraphCreate"));
  CHECK(by_name("cuTexRefSetAddress2D") == symbol("cuTexRefSetAddress2D_v3"));
  CHECK(by_name("cuMemAlloc") == symbol("cuMemAlloc_v2"));
  CHECK(by_name("cuLaunchKernel") == symbol("cuLaunchKernel"));
  CHECK(by_name("cuNoSuchCall") == nullptr);
}

TEST_CASE("cuGetProcAddress gives the forms for per-thread default streams", "[driver]") {
  const Started started;
  constexpr cuuint64_t kPerThread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  CHECK(by_name("cuMemcpyHtoD", kPerThread) == symbol("cuMemcpyHtoD_v2_ptds"));
  CHECK(by_name("cuLaunchKernel", kPerThread) == symbol("cuLaunchKernel_ptsz"));
  CHECK(by_name("cuMemPrefetchAsync", kPerThread) == symbol("cuMemPrefetchAsync_v2_ptsz"));
  CHECK(by_name("cuMemAlloc", kPerThread) == symbol("cuMemAlloc_v2"));
  CHECK(by_name("cuLaunchKernel", CU_GET_PROC_ADDRESS_LEGACY_STREAM) == symbol("cuLaunchKernel"));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST_CASE("a function keeps the block and the arguments that are set for it", "[driver]") {
  const Started started;
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  CUdeviceptr data = 0;
  REQUIRE(cuModuleLoadData(&module, kForms) == CUDA_SUCCESS);
  REQUIRE(cuModuleGetFunction(&add, module, "add") == CUDA_SUCCESS);
  REQUIRE(cuMemAlloc(&data, 16) == CUDA_SUCCESS);
  REQUIRE(cuFuncSetBlockShape(add, 2, 1, 1) == CUDA_SUCCESS);
  REQUIRE(cuFuncSetSharedSize(add, 128) == CUDA_SUCCESS);
  REQUIRE(cuParamSetv(add, 0, &data, sizeof data) == CUDA_SUCCESS);
  REQUIRE(cuParamSeti(add, 8, 5) == CUDA_SUCCESS);
  REQUIRE(cuParamSetf(add, 12, 3.0F) == CUDA_SUCCESS);
  REQUIRE(cuParamSetSize(add, 16) == CUDA_SUCCESS);
  REQUIRE(cuLaunchGrid(add, 2, 1) == CUDA_SUCCESS);
  unsigned values[4] = {};
  REQUIRE(cuMemcpyDtoH(values, data, sizeof values) == CUDA_SUCCESS);
  CHECK(values[0] == 5);
  CHECK(values[3] == 14);
  REQUIRE(cuParamSeti(add, 8, 7) == CUDA_SUCCESS);
  REQUIRE(cuLaunch(add) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoH(values, data, sizeof values) == CUDA_SUCCESS);
  CHECK(values[1] == 10);
  CHECK(values[2] == 11);
  // Near misses: too few arguments, a grid of nothing, a function that is none.
  REQUIRE(cuParamSetSize(add, 12) == CUDA_SUCCESS);
  CHECK(cuLaunch(add) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchGrid(add, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuFuncSetBlockShape(nullptr, 1, 1, 1) == CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(cuMemFree(data) == CUDA_SUCCESS);
  REQUIRE(cuModuleUnload(module) == CUDA_SUCCESS);
}

TEST_CASE("a context is destroyed by as many detachments as it was attached", "[driver]") {
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  CUcontext context = nullptr;
  CUcontext attached = nullptr;
#if CUDA_VERSION >= 13000
  REQUIRE(cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS);
#else
  REQUIRE(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
#endif
  REQUIRE(cuCtxAttach(&attached, 0) == CUDA_SUCCESS);
  CHECK(attached == context);
  CHECK(cuCtxAttach(&attached, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuCtxDetach(context) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(cuCtxDetach(context) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
}

#pragma GCC diagnostic pop
