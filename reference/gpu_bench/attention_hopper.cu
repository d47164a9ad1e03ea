// Alone, since it is compiled for Hopper and nothing else.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "labs/attention_half/attention_half.h"
#include "labs/attention_half/f16_sm80.h"
#include "labs/attention_half/f16_sm90.h"
#include "labs/tensor/sm90.h"
#include "reference/attention/hopper/store.h"
#include "reference/attention/hopper/weights.h"

namespace by_wgmma {
#include "reference/attention/hopper/wgmma.cu"
}
namespace by_mma_sync {
#include "reference/attention_half/solution.cu"
}
namespace by_rung_7 {
#include "reference/attention_half/stages/07_wgmma.cu"
}

void hopper_attention(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                      int n, int depth, float scale, bool causal) {
  by_wgmma::attention_f16(q, k, v, out, heads, n, depth, scale, causal);
}

void mma_sync_attention(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                        int n, int depth, float scale, bool causal) {
  by_mma_sync::attention_half(q, k, v, out, heads, n, depth, scale, causal ? 1 : 0);
}

void rung_7_attention(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                      int n, int depth, float scale, bool causal) {
  by_rung_7::attention_half(q, k, v, out, heads, n, depth, scale, causal ? 1 : 0);
}
