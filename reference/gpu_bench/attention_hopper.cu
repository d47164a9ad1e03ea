// Alone, since it is compiled for Hopper and nothing else.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "labs/tensor/sm90.h"
#include "reference/attention/hopper/products.h"
#include "reference/attention/hopper/store.h"
#include "reference/attention/hopper/weights.h"

namespace by_wgmma {
#include "reference/attention/hopper/wgmma.cu"
}
namespace by_mma_sync {
#include "reference/attention/hopper/mma_sync.cu"
}

void hopper_attention(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                      int n, float scale, bool causal) {
  by_wgmma::attention_f16(q, k, v, out, heads, n, 128, scale, causal);
}

void mma_sync_attention(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                        int n, float scale, bool causal) {
  by_mma_sync::attention_f16(q, k, v, out, heads, n, 128, scale, causal);
}
