// Products of matrices by each kind of instruction that a Hopper card has for them, and the loads
// and stores of their fragments. h200_tensor.csv has what Nsight Compute counted for them, and how
// long they took; tensor_test.cpp holds the emulator against it, and scripts/gpu_families measures
// them again. Every kernel is launched once.

#include <mma.h>

#include "emulator/tests/support/device.h"
#include "labs/tensor/sm90.h"

namespace {

constexpr int kBlocks = 2;
constexpr int kRounds = 64;
constexpr int kSteps = 4;  // of 32 bytes along k, in a row of shared memory

// -- four warps at a time -------------------------------------------------------------------------

struct alignas(1024) Operands {
  unsigned char a[64][128];
  unsigned char b[256][128];
};

__device__ void clear(Operands& operands) {
  auto* words = reinterpret_cast<std::uint32_t*>(&operands);
  for (unsigned i = threadIdx.x; i < sizeof operands / 4; i += blockDim.x) words[i] = 0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

#define AS_FLOAT(x) "+f"(x)
#define AS_WORD(x) "+r"(x)
#define SUMS_8(C, d, i) \
  C(d[i]), C(d[i + 1]), C(d[i + 2]), C(d[i + 3]), C(d[i + 4]), C(d[i + 5]), C(d[i + 6]), C(d[i + 7])
#define SUMS_32(C, d, i) \
  SUMS_8(C, d, i), SUMS_8(C, d, i + 8), SUMS_8(C, d, i + 16), SUMS_8(C, d, i + 24)
#define SUMS_64(C, d) SUMS_32(C, d, 0), SUMS_32(C, d, 32)

/// An instruction with 64 x 128 sums, 64 words per thread, and both operands in shared memory.
#define SHARED_PRODUCT(Name, Word, As, opcode, tail)                                       \
  struct Name {                                                                            \
    using Sum = Word;                                                                      \
    static __device__ void multiply(Word (&d)[64], std::uint64_t a, std::uint64_t b) {     \
      asm volatile(                                                                        \
          "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned." opcode \
          " {" SM90_NAMES_64 "}, %64, %65, p" tail ";\n}"                                  \
          : SUMS_64(As, d)                                                                 \
          : "l"(a), "l"(b), "r"(1));                                                       \
    }                                                                                      \
  };
/// The same with the first operand in registers.
#define REGISTER_PRODUCT(Name, Word, As, opcode, tail)                                     \
  struct Name {                                                                            \
    using Sum = Word;                                                                      \
    static __device__ void multiply(Word (&d)[64], std::uint64_t, std::uint64_t b) {       \
      const std::uint32_t a = 0;                                                           \
      asm volatile(                                                                        \
          "{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\nwgmma.mma_async.sync.aligned." opcode \
          " {" SM90_NAMES_64 "}, {%64, %65, %66, %67}, %68, p" tail ";\n}"                 \
          : SUMS_64(As, d)                                                                 \
          : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b), "r"(1));                               \
    }                                                                                      \
  };
SHARED_PRODUCT(Half, float, AS_FLOAT, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
SHARED_PRODUCT(Bfloat, float, AS_FLOAT, "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0")
SHARED_PRODUCT(Tf32, float, AS_FLOAT, "m64n128k8.f32.tf32.tf32", ", 1, 1")
SHARED_PRODUCT(E4m3, float, AS_FLOAT, "m64n128k32.f32.e4m3.e4m3", ", 1, 1")
SHARED_PRODUCT(S8, std::uint32_t, AS_WORD, "m64n128k32.s32.s8.s8", "")
SHARED_PRODUCT(B1, std::uint32_t, AS_WORD, "m64n128k256.s32.b1.b1.and.popc", "")
SHARED_PRODUCT(HalfToHalf, std::uint32_t, AS_WORD, "m64n256k16.f16.f16.f16", ", 1, 1, 0, 0")
REGISTER_PRODUCT(HalfRegisters, float, AS_FLOAT, "m64n128k16.f32.f16.f16", ", 1, 1, 0")
REGISTER_PRODUCT(Tf32Registers, float, AS_FLOAT, "m64n128k8.f32.tf32.tf32", ", 1, 1")
REGISTER_PRODUCT(S8Registers, std::uint32_t, AS_WORD, "m64n128k32.s32.s8.s8", "")

/// Narrow: 64 x 8 sums, so that what is read of A is the limit.
struct Narrow {
  using Sum = float;
  static __device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, "
        "0;\n}"
        : SM90_4(d, 0)
        : "l"(a), "l"(b), "r"(1));
  }
};

/// What a product of four warps writes is stored, so that none is left out.
template <class Product>
__global__ void __launch_bounds__(128) group_product(float* out) {
  __shared__ Operands operands;
  clear(operands);
  typename Product::Sum sums[64] = {};
  const std::uint64_t a = sm90::describe(operands.a);
  const std::uint64_t b = sm90::describe(operands.b);
  for (int round = 0; round < kRounds; ++round) {
    sm90::begin_queueing();
#pragma unroll
    for (int step = 0; step < kSteps; ++step) Product::multiply(sums, a + 2 * step, b + 2 * step);
    sm90::end_of_group();
    sm90::wait_for_all_but<1>();
  }
  sm90::wait_for_all_but<0>();
  float total = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) total += static_cast<float>(sums[i]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// -- one warp at a time ---------------------------------------------------------------------------

/// An instruction with four sums per thread. @param names  of its operands, which are words
#define WARP_PRODUCT(Name, Word, As, opcode, a_words, b_words)                           \
  struct Name {                                                                          \
    using Sum = Word;                                                                    \
    static __device__ void multiply(Word (&d)[4], std::uint32_t x) {                     \
      asm volatile("mma.sync.aligned." opcode " {%0, %1, %2, %3}, " a_words ", " b_words \
                   ", {%0, %1, %2, %3};"                                                 \
                   : As(d[0]), As(d[1]), As(d[2]), As(d[3])                              \
                   : "r"(x));                                                            \
    }                                                                                    \
  };
WARP_PRODUCT(WarpHalf, float, AS_FLOAT, "m16n8k16.row.col.f32.f16.f16.f32", "{%4, %4, %4, %4}",
             "{%4, %4}")
WARP_PRODUCT(WarpHalfShort, float, AS_FLOAT, "m16n8k8.row.col.f32.f16.f16.f32", "{%4, %4}", "{%4}")
WARP_PRODUCT(WarpBfloat, float, AS_FLOAT, "m16n8k16.row.col.f32.bf16.bf16.f32", "{%4, %4, %4, %4}",
             "{%4, %4}")
WARP_PRODUCT(WarpTf32, float, AS_FLOAT, "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4, %4, %4, %4}",
             "{%4, %4}")
WARP_PRODUCT(WarpE4m3, float, AS_FLOAT, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "{%4, %4, %4, %4}",
             "{%4, %4}")
WARP_PRODUCT(WarpS8, std::uint32_t, AS_WORD, "m16n8k32.row.col.s32.s8.s8.s32", "{%4, %4, %4, %4}",
             "{%4, %4}")
struct WarpDouble {
  using Sum = double;
  static __device__ void multiply(double (&d)[4], std::uint32_t word) {
    const double x = word;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(x));
  }
};

/// Eight warps with eight independent products each. Their sums differ, or they would be one,
/// and what they multiply is not known to the compiler.
template <class Product>
__global__ void __launch_bounds__(256) warp_product(float* out, std::uint32_t x) {
  constexpr int kApart = 8;
  typename Product::Sum sums[kApart][4];
#pragma unroll
  for (int i = 0; i < 4 * kApart; ++i) {
    sums[i / 4][i % 4] = static_cast<typename Product::Sum>(threadIdx.x + i);
  }
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kApart; ++i) Product::multiply(sums[i], x);
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < kApart; ++i) total += static_cast<float>(sums[i][0] + sums[i][1]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

/// By the functions of CUDA C++, fragments from shared memory.
__global__ void __launch_bounds__(128) by_wmma(float* out) {
  using namespace nvcuda;
  __shared__ alignas(32) __half a[2][16 * 16];
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) a[i / 256][i % 256] = __float2half(0);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0);
  for (int round = 0; round < kRounds; ++round) {
    wmma::load_matrix_sync(left, a[round % 2], 16);
    wmma::load_matrix_sync(right, a[1 - round % 2], 16);
    wmma::mma_sync(sums, left, right, sums);
  }
  wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, sums, 16, wmma::mem_row_major);
}

// -- fragments ------------------------------------------------------------------------------------

/// Four matrices of 8 x 8 elements of 16 bits at a time, rows `kPitch` bytes apart: at 128 all rows
/// of a matrix begin in the same bank. The compiler does not know that rows come again.
template <int kPitch, bool kTransposed>
__global__ void __launch_bounds__(128) load_fragments(float* out, unsigned step) {
  __shared__ alignas(128) unsigned char rows[32 * kPitch];
  auto* words = reinterpret_cast<std::uint32_t*>(rows);
  for (unsigned i = threadIdx.x; i < sizeof rows / 4; i += blockDim.x) words[i] = i;
  __syncthreads();
  std::uint32_t total = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t at =
        sm90::shared_address(rows + (threadIdx.x + step * round) % 32 * kPitch);
    std::uint32_t got[4];
    if constexpr (kTransposed) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(got[0]), "=r"(got[1]), "=r"(got[2]), "=r"(got[3])
                   : "r"(at));
    } else {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(got[0]), "=r"(got[1]), "=r"(got[2]), "=r"(got[3])
                   : "r"(at));
    }
    total += got[0] + got[1] + got[2] + got[3];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(total);
}

template <int kPitch>
__global__ void __launch_bounds__(32) store_fragments(float* out) {
  __shared__ alignas(128) unsigned char rows[32 * kPitch];
  const std::uint32_t at = sm90::shared_address(rows + threadIdx.x % 32 * kPitch);
  for (int round = 0; round < kRounds; ++round) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at),
                 "r"(round + threadIdx.x)
                 : "memory");
  }
  __syncwarp();
  out[threadIdx.x] = static_cast<float>(rows[threadIdx.x * kPitch]);
}

void run() {
  float* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, 1 << 16));
  group_product<Half><<<kBlocks, 128>>>(out);
  group_product<HalfRegisters><<<kBlocks, 128>>>(out);
  group_product<HalfToHalf><<<kBlocks, 128>>>(out);
  group_product<Bfloat><<<kBlocks, 128>>>(out);
  group_product<Tf32><<<kBlocks, 128>>>(out);
  group_product<Tf32Registers><<<kBlocks, 128>>>(out);
  group_product<E4m3><<<kBlocks, 128>>>(out);
  group_product<S8><<<kBlocks, 128>>>(out);
  group_product<S8Registers><<<kBlocks, 128>>>(out);
  group_product<B1><<<kBlocks, 128>>>(out);
  group_product<Narrow><<<kBlocks, 128>>>(out);
  warp_product<WarpHalf><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpHalfShort><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpBfloat><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpTf32><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpE4m3><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpS8><<<kBlocks, 256>>>(out, 0);
  warp_product<WarpDouble><<<kBlocks, 256>>>(out, 0);
  by_wmma<<<1, 128>>>(out);
  load_fragments<16, false><<<kBlocks, 128>>>(out, 8);
  load_fragments<128, false><<<kBlocks, 128>>>(out, 8);
  load_fragments<144, true><<<kBlocks, 128>>>(out, 8);
  store_fragments<16><<<1, 32>>>(out);
  store_fragments<128><<<1, 32>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaFree(out);
}

}  // namespace

int main() {
  run();
}
