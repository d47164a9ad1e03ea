#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/row.h"

// Hopper's own instructions need a target of their own: see attention_hopper.cu.
using Attention = void(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                       int n, int depth, float scale, bool causal);
Attention hopper_attention;
Attention mma_sync_attention;
Attention rung_7_attention;

namespace against {
namespace {

#ifdef AGAINST_HAS_CUBLAS
constexpr int kBlock = 256;

// The sum or the largest of what the threads of a block have.
template <class Combine>
__device__ float over_block(float value, Combine combine) {
  __shared__ float shared[kBlock];
  __syncthreads();
  shared[threadIdx.x] = value;
  for (unsigned distance = kBlock / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (threadIdx.x < distance) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + distance]);
    }
  }
  __syncthreads();
  return shared[0];
}

// A block per row: the weights of the first n or, if causal, row % n + 1 scores, and zeros.
__global__ void __launch_bounds__(kBlock)
    softmax(const float* scores, __half* weights, int n, bool causal) {
  const std::size_t row = blockIdx.x;
  const float* from = scores + row * static_cast<unsigned>(n);
  __half* to = weights + row * static_cast<unsigned>(n);
  const int count = causal ? static_cast<int>(blockIdx.x) % n + 1 : n;
  const int first = static_cast<int>(threadIdx.x);
  float largest = -INFINITY;
  for (int i = first; i < count; i += kBlock) largest = fmaxf(largest, from[i]);
  largest = over_block(largest, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = first; i < count; i += kBlock) sum += expf(from[i] - largest);
  sum = over_block(sum, [](float a, float b) { return a + b; });
  for (int i = first; i < n; i += kBlock) {
    to[i] = __float2half(i < count ? expf(from[i] - largest) / sum : 0);
  }
}

/// Three calls, with the scores in memory: what is right, not what is fast.
class Unfused {
 public:
  void run(const Buffers& buffers, int heads, int n, int depth, float scale, bool causal) {
    const long long per_head = static_cast<long long>(n) * depth;
    const long long square = static_cast<long long>(n) * n;
    const auto count = static_cast<std::size_t>(heads * square);
    auto* scores = static_cast<float*>(scores_.get(sizeof(float) * count));
    auto* weights = static_cast<__half*>(weights_.get(sizeof(__half) * count));
    const float one = 1, zero = 0;
    // cuBLAS is column-major: scores' = K Q' and out' = V' weights'.
    check_cublas(cublasGemmStridedBatchedEx(handle_.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, depth,
                                            &scale, buffers.input<void>(1), CUDA_R_16F, depth,
                                            per_head, buffers.input<void>(0), CUDA_R_16F, depth,
                                            per_head, &zero, scores, CUDA_R_32F, n, square, heads,
                                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "the scores");
    softmax<<<heads * n, kBlock>>>(scores, weights, n, causal);
    check(cudaGetLastError(), "the weights");
    check_cublas(
        cublasGemmStridedBatchedEx(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, depth, n, n, &one,
                                   buffers.input<void>(2), CUDA_R_16F, depth, per_head, weights,
                                   CUDA_R_16F, n, square, &zero, buffers.output<void>(), CUDA_R_16F,
                                   depth, per_head, heads, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "the weighted sums");
  }

 private:
  CublasHandle handle_;
  Scratch scores_, weights_;
};

Row row_of(int heads, int n, int depth, bool causal) {
  const std::size_t elements = static_cast<std::size_t>(heads) * n * depth;
  const float scale = 1 / std::sqrt(static_cast<float>(depth));
  Row row;
  row.lab = "attention";
  row.size = std::to_string(heads) + " heads of " + std::to_string(n) + " x " +
             std::to_string(depth) + (causal ? ", f16, causal" : ", f16");
  row.inputs = {uniform_halves(elements), uniform_halves(elements), uniform_halves(elements)};
  row.output_bytes = sizeof(__half) * elements;
  row.error = [=](const void* got, const void* want) {
    return relative_error_of_halves(got, want, elements);
  };
  // Weights and outputs are rounded to 11 significant bits, by both.
  row.largest_error = 1e-3;
  row.work = 4.0 * static_cast<double>(elements) * n / (causal ? 2 : 1);
  const auto unfused = std::make_shared<Unfused>();
  row.contenders.push_back({"cuBLAS, a softmax, cuBLAS", [=](const Buffers& b) {
                              unfused->run(b, heads, n, depth, scale, causal);
                            }});
  const auto add = [&](const char* name, Attention* function) {
    row.contenders.push_back({name, [=](const Buffers& b) {
                                function(b.input<__half>(0), b.input<__half>(1), b.input<__half>(2),
                                         b.output<__half>(), heads, n, depth, scale, causal);
                              }});
  };
  add("attention_half, solution", mma_sync_attention);
  add("attention_half, rung 7", rung_7_attention);
  add("hopper/wgmma", hopper_attention);
  return row;
}

const Registration kAttention("attention", [] {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking the device");
  if (major != 9) return std::vector<Row>{};
  std::vector<Row> rows;
  for (const bool causal : {false, true}) {
    rows.push_back(row_of(16, 4096, 128, causal));
    rows.push_back(row_of(32, 4096, 64, causal));
  }
  return rows;
});
#endif

}  // namespace
}  // namespace against
