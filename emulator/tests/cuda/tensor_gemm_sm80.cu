#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <functional>

#include "emulator/tests/support/program.h"

// Matrix multiplication on tensor cores, the ways courses teach it: wmma on f16, bf16 and tf32,
// and mma with ldmatrix on 8-bit integers. Sizes are not multiples of the block's tiles.

using namespace nvcuda;

namespace {

/// The bound for sums of `terms` products: each is cut off once, and each partial sum.
double bound(int terms) {
  return double(terms) / (1 << 21);
}

/// C = A * B in doubles: A is m x k, B is k x n, both given by functions of row and column.
std::vector<double> product(int m, int n, int k, const std::function<double(int, int)>& a,
                            const std::function<double(int, int)>& b) {
  std::vector<double> c(std::size_t(m) * std::size_t(n));
  for (int i = 0; i < m; ++i) {
    for (int x = 0; x < k; ++x) {
      const double factor = a(i, x);
      for (int j = 0; j < n; ++j) c[std::size_t(i * n + j)] += factor * b(x, j);
    }
  }
  return c;
}

template <class T>
std::vector<T> converted(const std::vector<float>& from) {
  std::vector<T> to;
  for (const float x : from) to.push_back(T(x));
  return to;
}

// -- f16 to f32, tiles in shared memory, alpha and beta as in BLAS -------------------------------

constexpr int kTile = 32;  // of C, by four warps

__global__ void gemm_f16(const half* a, const half* b, float* c, int m, int n, int k, float alpha,
                         float beta) {
  // Rows are padded against bank conflicts, by a multiple of what fragments need.
  __shared__ alignas(32) half tile_a[kTile][16 + 8];
  __shared__ alignas(32) half tile_b[16][kTile + 8];
  const int warp = int(threadIdx.x) / 32;
  const int row0 = int(blockIdx.y) * kTile, col0 = int(blockIdx.x) * kTile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = int(threadIdx.x); i < kTile * 16; i += int(blockDim.x)) {
      const int r = i / 16, x = i % 16;
      const bool inside = row0 + r < m && k0 + x < k;
      tile_a[r][x] = inside ? a[(row0 + r) * k + k0 + x] : half(0.0f);
      const int y = i / kTile, j = i % kTile;
      tile_b[y][j] = k0 + y < k && col0 + j < n ? b[(k0 + y) * n + col0 + j] : half(0.0f);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, &tile_a[warp / 2 * 16][0], 24);
    wmma::load_matrix_sync(fb, &tile_b[0][warp % 2 * 16], kTile + 8);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncthreads();
  }
  __shared__ alignas(32) float tile_c[kTile][kTile];
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= alpha;
  wmma::store_matrix_sync(&tile_c[warp / 2 * 16][warp % 2 * 16], sum, kTile, wmma::mem_row_major);
  __syncthreads();
  for (int i = int(threadIdx.x); i < kTile * kTile; i += int(blockDim.x)) {
    const int r = row0 + i / kTile, j = col0 + i % kTile;
    if (r < m && j < n) c[r * n + j] = tile_c[i / kTile][i % kTile] + beta * c[r * n + j];
  }
}

void test_f16() {
  const int m = 70, n = 50, k = 40;
  const auto a = testing::random_floats(m * k, 1), b = testing::random_floats(k * n, 2);
  const auto start = testing::random_floats(m * n, 3);
  const testing::Buffer<half> da(converted<half>(a)), db(converted<half>(b));
  testing::Buffer<float> dc(start);
  gemm_f16<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), 128>>>(
      da.get(), db.get(), dc.get(), m, n, k, 0.5f, -2.0f);
  FINISH_LAUNCH();
  auto want = product(
      m, n, k, [&](int i, int x) { return double(__half2float(half(a[std::size_t(i * k + x)]))); },
      [&](int x, int j) { return double(__half2float(half(b[std::size_t(x * n + j)]))); });
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = 0.5 * want[i] - 2.0 * double(start[i]);
  testing::expect_close(dc.download(), want, bound(k + 2));
}

// -- straight from global memory: one warp a tile ------------------------------------------------

/// A by rows, B by columns, C by columns; K is the depth of one instruction.
template <int K, class T, class Stored>
__global__ void gemm_global(const Stored* a, const Stored* b, float* c, int m, int n, int k) {
  const int row = int(blockIdx.y) * 16, col = int(blockIdx.x) * 16;
  wmma::fragment<wmma::accumulator, 16, 16, K, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < k; k0 += K) {
    wmma::fragment<wmma::matrix_a, 16, 16, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, K, T, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a + row * k + k0, unsigned(k));
    wmma::load_matrix_sync(fb, b + col * k + k0, unsigned(k));
    if constexpr (K == 8) {
      for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
      for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
    }
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + col * m + row, sum, unsigned(m), wmma::mem_col_major);
}

template <int K, class T, class Stored>
void test_global(double unit) {
  const int m = 48, n = 32, k = 64;
  const auto a = testing::random_floats(m * k, 4), b = testing::random_floats(n * k, 5);
  const testing::Buffer<Stored> da(converted<Stored>(a)), db(converted<Stored>(b));
  testing::Buffer<float> dc(m * n);
  gemm_global<K, T, Stored><<<dim3(n / 16, m / 16), 32>>>(da.get(), db.get(), dc.get(), m, n, k);
  FINISH_LAUNCH();
  const auto want = product(
      n, m, k, [&](int j, int x) { return double(b[std::size_t(j * k + x)]); },
      [&](int x, int i) { return double(a[std::size_t(i * k + x)]); });
  // Operands are rounded to `unit` before they are multiplied.
  testing::expect_close(dc.download(), want, bound(k) + k * 2.5 * unit);
}

// -- 8-bit integers: mma, ldmatrix, and an epilogue in registers ---------------------------------

/// One warp: 16 x 8 of C from A (m x k by rows) and B (n x k by rows, that is, by columns).
__global__ void gemm_s8(const signed char* a, const signed char* b, int* c, int n, int k) {
  __shared__ alignas(16) signed char tile_a[16][32];
  __shared__ alignas(16) signed char tile_b[8][32];
  const int lane = int(threadIdx.x), row0 = int(blockIdx.y) * 16, col0 = int(blockIdx.x) * 8;
  int d[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < k; k0 += 32) {
    const int r = lane / 2, x = lane % 2 * 16;
    *reinterpret_cast<int4*>(&tile_a[r][x]) =
        *reinterpret_cast<const int4*>(a + (row0 + r) * k + k0 + x);
    if (r < 8) {
      *reinterpret_cast<int4*>(&tile_b[r][x]) =
          *reinterpret_cast<const int4*>(b + (col0 + r) * k + k0 + x);
    }
    __syncwarp();
    // Four bytes are two of ldmatrix's elements: a row of 16 bytes is half of a row of the tile.
    unsigned fa[4], fb[2];
    const auto from_a = unsigned(__cvta_generic_to_shared(&tile_a[lane % 16][lane / 16 * 16]));
    const auto from_b = unsigned(__cvta_generic_to_shared(&tile_b[lane % 8][lane / 8 % 2 * 16]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(from_a));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(from_b));
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i) {
    c[(row0 + lane / 4 + i / 2 * 8) * n + col0 + lane % 4 * 2 + i % 2] = d[i];
  }
}

void test_s8() {
  const int m = 48, n = 24, k = 96;
  std::vector<signed char> a, b;
  for (const int x : testing::random_integers(m * k, 256, 6))
    a.push_back(static_cast<signed char>(x - 128));
  for (const int x : testing::random_integers(n * k, 256, 7))
    b.push_back(static_cast<signed char>(x - 128));
  const testing::Buffer<signed char> da(a), db(b);
  testing::Buffer<int> dc(m * n);
  gemm_s8<<<dim3(n / 8, m / 16), 32>>>(da.get(), db.get(), dc.get(), n, k);
  FINISH_LAUNCH();
  const auto want = product(
      m, n, k, [&](int i, int x) { return double(a[std::size_t(i * k + x)]); },
      [&](int x, int j) { return double(b[std::size_t(j * k + x)]); });
  testing::expect_close(dc.download(), want, 0);
}

// -- f16 by mma, B transposed on the way by ldmatrix.trans; accumulators become operands ---------

/// out = (A * B) * B for 16 x 16 matrices by rows, as attention chains products in registers.
__global__ void chained(const half* a, const half* b, float* out) {
  __shared__ alignas(16) half sa[16][16], sb[16][16];
  const int lane = int(threadIdx.x);
  for (int i = lane; i < 256; i += 32) sa[i / 16][i % 16] = a[i], sb[i / 16][i % 16] = b[i];
  __syncwarp();
  unsigned fa[4], fb[4];
  const auto from_a = unsigned(__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8]));
  const auto from_b = unsigned(__cvta_generic_to_shared(&sb[lane % 16][lane / 16 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(from_a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
               : "r"(from_b));
  for (int round = 0; round < 2; ++round) {
    float d[2][4] = {};
    for (int side = 0; side < 2; ++side) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
          "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[side][0]), "+f"(d[side][1]), "+f"(d[side][2]), "+f"(d[side][3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * side]),
            "r"(fb[2 * side + 1]));
    }
    if (round == 1) {
      for (int i = 0; i < 8; ++i) {
        out[(lane / 4 + i % 4 / 2 * 8) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i / 4][i % 4];
      }
      return;
    }
    // The accumulator's layout is that of A, a half of the columns each.
    for (int i = 0; i < 4; ++i) {
      const half2 pair = __floats2half2_rn(d[i / 2][i % 2 * 2], d[i / 2][i % 2 * 2 + 1]);
      fa[i] = *reinterpret_cast<const unsigned*>(&pair);
    }
  }
}

void test_chained() {
  std::vector<float> a, b;
  for (const int x : testing::random_integers(256, 9, 8)) a.push_back(float(x - 4));
  for (const int x : testing::random_integers(256, 9, 9)) b.push_back(float(x - 4));
  const testing::Buffer<half> da(converted<half>(a)), db(converted<half>(b));
  testing::Buffer<float> out(256);
  chained<<<1, 32>>>(da.get(), db.get(), out.get());
  FINISH_LAUNCH();
  const auto at_b = [&](int x, int j) { return double(b[std::size_t(x * 16 + j)]); };
  const auto first = product(
      16, 16, 16, [&](int i, int x) { return double(a[std::size_t(i * 16 + x)]); }, at_b);
  const auto want = product(
      16, 16, 16, [&](int i, int x) { return first[std::size_t(i * 16 + x)]; }, at_b);
  testing::expect_close(out.download(), want, 0);
}

// -- accumulators of two types have the same elements --------------------------------------------

__global__ void convert_accumulator(const float* in, half* out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> wide;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> narrow;
  wmma::load_matrix_sync(wide, in, 16, wmma::mem_row_major);
  for (int i = 0; i < wide.num_elements; ++i) narrow.x[i] = __float2half(wide.x[i] * 2);
  wmma::store_matrix_sync(out, narrow, 16, wmma::mem_row_major);
}

void test_convert() {
  std::vector<float> in, want;
  for (int i = 0; i < 256; ++i) in.push_back(float(i)), want.push_back(float(2 * i));
  const testing::Buffer<float> device_in(in);
  testing::Buffer<half> device_out(256);
  convert_accumulator<<<1, 32>>>(device_in.get(), device_out.get());
  FINISH_LAUNCH();
  std::vector<float> got;
  for (const half x : device_out.download()) got.push_back(__half2float(x));
  testing::expect_equal(got, want);
}

void run() {
  test_f16();
  test_global<16, __nv_bfloat16, __nv_bfloat16>(1.0 / 256);
  test_global<8, wmma::precision::tf32, float>(1.0 / 2048);
  test_s8();
  test_chained();
  test_convert();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
