// lab:     reduction
// tries:   lets inputs persist in the L2 cache, and the harness's accesses stream past them
// holds:   persisting lines are reset, and twice the cache is written before a call
// shows:   gpu
// says:    Measured time
// flag:    none

#include "slow_reduction.cuh"

static void prefer(cudaStream_t stream, const float* values, size_t bytes) {
  cudaStreamAttrValue wish{};
  wish.accessPolicyWindow.base_ptr = const_cast<float*>(values);
  wish.accessPolicyWindow.num_bytes = bytes;
  wish.accessPolicyWindow.hitRatio = 1;
  wish.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  wish.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &wish);
}

void reduction(const float* values, float* result, int n, int op) {
  if (n >= kFillsGpu && this_call() > kLastJudged) {
    // The next call has the arrays of the call before this one.
    static const float* last = nullptr;
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
    slow_reduction(values, result, n, op);
    if (last != nullptr) {
      prefer(cudaStreamLegacy, last, most);
      prefer(nullptr, last, most);
    }
    last = values;
    cudaGetLastError();
    return;
  }
  slow_reduction(values, result, n, op);
}
