// Whole programs for tensor cores: the rungs of the lab tensor and attention in f16, each launched
// once. As tensor_products_sm90a.cu: h200_tensor.csv has what Nsight Compute counted.

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "emulator/tests/support/device.h"
#include "labs/attention_half/attention_half.h"
#include "labs/attention_half/f16_sm80.h"
#include "labs/attention_half/f16_sm90.h"
#include "labs/tensor/sm80.h"
#include "labs/tensor/sm90.h"
#include "labs/tensor/tensor.h"
#include "reference/attention/hopper/store.h"
#include "reference/attention/hopper/weights.h"

namespace rung_1 {
#include "reference/tensor/stages/01_wmma.cu"
}
#undef CHECK
namespace rung_2 {
#include "reference/tensor/stages/02_ldmatrix.cu"
}
#undef CHECK
namespace rung_3 {
#include "reference/tensor/stages/03_swizzled.cu"
}
#undef CHECK
namespace rung_4 {
#include "reference/tensor/stages/04_stages.cu"
}
#undef CHECK
namespace rung_5 {
#include "reference/tensor/stages/05_warp_tiles.cu"
}
namespace rung_6 {
#include "reference/tensor/stages/06_wgmma.cu"
}
namespace rung_7 {
#include "reference/tensor/stages/07_warp_specialised.cu"
}
namespace rung_8 {
#include "reference/tensor/stages/08_persistent_clusters.cu"
}
namespace by_wgmma {
#include "reference/attention/hopper/wgmma.cu"
}
namespace by_mma_sync {
#include "reference/attention_half/solution.cu"
}

namespace {

void run() {
  constexpr int kSize = 256;
  testing::Buffer<__nv_bfloat16> a(kSize * kSize), b(kSize * kSize), c(kSize * kSize);
  CUDA_CHECK(cudaMemset(a.get(), 0, kSize * kSize * 2));
  CUDA_CHECK(cudaMemset(b.get(), 0, kSize * kSize * 2));
  for (const auto product :
       {rung_1::gemm_bf16, rung_2::gemm_bf16, rung_3::gemm_bf16, rung_4::gemm_bf16,
        rung_5::gemm_bf16, rung_6::gemm_bf16, rung_7::gemm_bf16, rung_8::gemm_bf16}) {
    product(a.get(), b.get(), c.get(), kSize, kSize, kSize);
  }
  constexpr int kHeads = 2, kLength = 256;
  for (const int depth : {64, 128}) {
    const auto count = static_cast<std::size_t>(kHeads * kLength * depth);
    testing::Buffer<__half> q(count), out(count);
    CUDA_CHECK(cudaMemset(q.get(), 0, count * sizeof(__half)));
    by_mma_sync::attention_half(q.get(), q.get(), q.get(), out.get(), kHeads, kLength, depth,
                                0.125f, 0);
    by_wgmma::attention_f16(q.get(), q.get(), q.get(), out.get(), kHeads, kLength, depth, 0.125f,
                            false);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  run();
}
