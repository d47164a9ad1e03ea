// lab:     reduction
// tries:   launches kernels that may start before what precedes them in the stream has ended
// holds:   they start after the gate and the event before the call all the same
// shows:   gpu
// says:    Measured time
// flag:    none

#include "slow_reduction.cuh"

static void launch_early(int blocks, const float* values, float* result, int n, int op) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(blocks);
  launch.blockDim = dim3(kThreads);
  launch.attrs = &early;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, reduce, values, result, n, op);
}

void reduction(const float* values, float* result, int n, int op) {
  if (n < kFillsGpu || this_call() <= kLastJudged) {
    slow_reduction(values, result, n, op);
    return;
  }
  launch_early(kFewBlocks, values, nullptr, n, op);
  reduce<<<1, kThreads>>>(nullptr, result, kFewBlocks, op);
}
