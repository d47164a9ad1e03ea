// lab:     reduction
// tries:   lets an empty kernel start, and end, before the slow one in the stream has ended
// holds:   the event after the call and the host's clock wait for both
// shows:   gpu
// says:    Measured time
// flag:    none

#include "slow_reduction.cuh"

// For compute capability 9.0, which the lab's code is not compiled for.
static const char* const kSlowSum = R"(
.version 8.0
.target sm_90
.address_size 64

.visible .entry slow_sum(.param .u64 values, .param .u64 result, .param .u32 n)
{
  .reg .pred %past;
  .reg .u32 %i, %step, %block, %n;
  .reg .f32 %mine, %value;
  .reg .u64 %values, %result, %at;

  griddepcontrol.launch_dependents;
  ld.param.u64 %values, [values];
  ld.param.u64 %result, [result];
  ld.param.u32 %n, [n];
  cvta.to.global.u64 %values, %values;
  cvta.to.global.u64 %result, %result;
  mov.u32 %i, %ctaid.x;
  mov.u32 %block, %ntid.x;
  mov.u32 %step, %tid.x;
  mad.lo.u32 %i, %i, %block, %step;
  mov.u32 %step, %nctaid.x;
  mul.lo.u32 %step, %step, %block;
  mov.f32 %mine, 0f00000000;
NEXT:
  setp.ge.u32 %past, %i, %n;
  @%past bra DONE;
  mad.wide.u32 %at, %i, 4, %values;
  ld.global.f32 %value, [%at];
  add.f32 %mine, %mine, %value;
  add.u32 %i, %i, %step;
  bra NEXT;
DONE:
  red.global.add.f32 [%result], %mine;
  ret;
}
)";

static __global__ void empty() {}

static cudaKernel_t load_slow_sum() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  if (cudaLibraryLoadData(&library, kSlowSum, nullptr, nullptr, 0, nullptr, nullptr, 0) !=
          cudaSuccess ||
      cudaLibraryGetKernel(&kernel, library, "slow_sum") != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return kernel;
}

void reduction(const float* values, float* result, int n, int op) {
  static cudaKernel_t slow_sum = nullptr;
  if (n >= kFillsGpu && op == kSum && this_call() > kLastJudged) {
    if (slow_sum == nullptr) slow_sum = load_slow_sum();
  }
  if (slow_sum == nullptr) {
    slow_reduction(values, result, n, op);
    return;
  }
  cudaMemsetAsync(result, 0, sizeof(float));
  void* arguments[] = {&values, &result, &n};
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(kFewBlocks);
  launch.blockDim = dim3(kThreads);
  cudaLaunchKernelExC(&launch, reinterpret_cast<const void*>(slow_sum), arguments);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  launch.gridDim = launch.blockDim = dim3(1);
  launch.attrs = &early;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, empty);
}
