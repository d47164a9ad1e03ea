// Families of kernels about what warps and blocks read again: matrices walked by the right and the
// wrong index, loads of one address by all lanes, tables, products; contended atomics. See
// families.h.

#include "emulator/tests/counters/families.h"

using families::global_index;
using families::Use;

// -- matrices of kSide x kSide, blocks of kX x kY -------------------------------------------------

template <int kSide, int kX, int kY>
__global__ void scale_rows(const float* in, float* out) {
  const unsigned column = blockIdx.x * kX + threadIdx.x;
  const unsigned row = blockIdx.y * kY + threadIdx.y;
  out[row * kSide + column] = 2 * in[row * kSide + column];
}
template <int kSide, int kX, int kY>
__global__ void scale_columns(const float* in, float* out) {
  const unsigned row = blockIdx.x * kX + threadIdx.x;
  const unsigned column = blockIdx.y * kY + threadIdx.y;
  out[row * kSide + column] = 2 * in[row * kSide + column];
}
template <int kSide, int kX, int kY>
__global__ void transpose_reading_columns(const float* in, float* out) {
  const unsigned column = blockIdx.x * kX + threadIdx.x;
  const unsigned row = blockIdx.y * kY + threadIdx.y;
  out[row * kSide + column] = in[column * kSide + row];
}
template <int kSide, int kX, int kY>
__global__ void transpose_writing_columns(const float* in, float* out) {
  const unsigned column = blockIdx.x * kX + threadIdx.x;
  const unsigned row = blockIdx.y * kY + threadIdx.y;
  out[column * kSide + row] = in[row * kSide + column];
}

// -- sums of kRows rows or columns ----------------------------------------------------------------

template <int kRows, int kLength>
__global__ void sum_rows(const float* in, float* out) {
  const unsigned row = global_index();
  float sum = 0;
  for (int i = 0; i < kLength; ++i) sum += in[row * kLength + i];
  out[row] = sum;
}
template <int kRows, int kLength>
__global__ void sum_columns(const float* in, float* out) {
  const unsigned column = global_index();
  float sum = 0;
  for (int i = 0; i < kLength; ++i) sum += in[i * kRows + column];
  out[column] = sum;
}
template <int kRows, int kLength>
__global__ void sum_rows_by_warps(const float* in, float* out) {
  const unsigned row = global_index() / 32;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < kLength; i += 32) sum += in[row * kLength + i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}

// -- a table that every thread reads --------------------------------------------------------------

__constant__ float constants[1024];

template <int kLength, int kLog>
__global__ void table_global(const float* table, const float* in, float* out) {
  const float x = in[global_index()];
  float y = 0;
  for (int k = 0; k < kLength; ++k) y += table[k] * x;
  out[global_index()] = y;
}
template <int kLength, int kLog>
__global__ void table_shared(const float* table, const float* in, float* out) {
  __shared__ float s[kLength];
  for (unsigned k = threadIdx.x; k < kLength; k += blockDim.x) s[k] = table[k];
  __syncthreads();
  const float x = in[global_index()];
  float y = 0;
  for (int k = 0; k < kLength; ++k) y += s[k] * x;
  out[global_index()] = y;
}
template <int kLength, int kLog>
__global__ void table_constant(const float* /*table*/, const float* in, float* out) {
  const float x = in[global_index()];
  float y = 0;
  for (int k = 0; k < kLength; ++k) y += constants[k] * x;
  out[global_index()] = y;
}
// Each lane begins elsewhere.
template <int kLength, int kLog>
__global__ void table_by_lane(const float* table, const float* in, float* out) {
  const float x = in[global_index()];
  float y = 0;
  for (int k = 0; k < kLength; ++k) y += table[(k + threadIdx.x) % kLength] * x;
  out[global_index()] = y;
}
// The same without unrolling: one load in flight.
template <int kLength, int kLog>
__global__ void table_in_turn(const float* table, const float* in, float* out) {
  const float x = in[global_index()];
  float y = 0;
#pragma unroll 1
  for (int k = 0; k < kLength; ++k) y += table[k] * x;
  out[global_index()] = y;
}

// -- bodies that attract each other ---------------------------------------------------------------

__device__ float pull(float4 me, float4 other) {
  const float x = other.x - me.x;
  const float y = other.y - me.y;
  const float z = other.z - me.z;
  return other.w * rsqrtf(x * x + y * y + z * z + 0.01f);
}
template <int kBodies, int kThreads>
__global__ void bodies(const float4* all, float* out) {
  const float4 me = all[global_index()];
  float sum = 0;
  for (int j = 0; j < kBodies; ++j) sum += pull(me, all[j]);
  out[global_index()] = sum;
}
template <int kBodies, int kThreads>
__global__ void bodies_in_tiles(const float4* all, float* out) {
  __shared__ float4 tile[kThreads];
  const float4 me = all[global_index()];
  float sum = 0;
  for (int first = 0; first < kBodies; first += kThreads) {
    tile[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kThreads; ++j) sum += pull(me, tile[j]);
    __syncthreads();
  }
  out[global_index()] = sum;
}

// -- products -------------------------------------------------------------------------------------

template <int kSide>
__global__ void product(const float* a, const float* b, float* c) {
  const unsigned column = blockIdx.x * 16 + threadIdx.x;
  const unsigned row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
  c[row * kSide + column] = sum;
}
// The index of the thread that changes fastest is the row.
template <int kSide>
__global__ void product_by_columns(const float* a, const float* b, float* c) {
  const unsigned row = blockIdx.x * 16 + threadIdx.x;
  const unsigned column = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
  c[row * kSide + column] = sum;
}
template <int kSide>
__global__ void product_tiled(const float* a, const float* b, float* c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned column = blockIdx.x * 16 + x;
  const unsigned row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < kSide; k += 16) {
    as[y][x] = a[row * kSide + k + x];
    bs[y][x] = b[(k + y) * kSide + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  c[row * kSide + column] = sum;
}

// -- atomics --------------------------------------------------------------------------------------

template <int kBins, int kLog>
__global__ void count_global(const unsigned* keys, unsigned* bins) {
  atomicAdd(&bins[keys[global_index()] % kBins], 1u);
}
template <int kBins, int kLog>
__global__ void count_shared(const unsigned* keys, unsigned* bins) {
  __shared__ unsigned s[kBins];
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    atomicAdd(&s[keys[(blockIdx.x * 8 + k) * blockDim.x + threadIdx.x] % kBins], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}
template <int kBins, int kLog>
__global__ void add_global(const unsigned* keys, float* bins) {
  atomicAdd(&bins[keys[global_index()] % kBins], 1.f);
}
template <int kBins, int kLog>
__global__ void add_shared(const unsigned* keys, float* bins) {
  __shared__ float s[kBins];
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    atomicAdd(&s[keys[(blockIdx.x * 8 + k) * blockDim.x + threadIdx.x] % kBins], 1.f);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}
template <int kLog>
__global__ void total_by_threads(const unsigned* keys, unsigned* bins) {
  atomicAdd(bins, keys[global_index()]);
}
template <int kLog>
__global__ void total_by_threads_float(const unsigned* keys, float* bins) {
  atomicAdd(bins, static_cast<float>(keys[global_index()]));
}
template <int kLog>
__global__ void total_by_warps(const unsigned* keys, float* bins) {
  auto sum = static_cast<float>(keys[global_index()]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(bins, sum);
}
template <int kLog>
__global__ void total_by_blocks(const unsigned* keys, float* bins) {
  __shared__ float s[8];
  auto sum = static_cast<float>(keys[global_index()]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i) sum += s[i];
    atomicAdd(bins, sum);
  }
}

float* a;
float* b;
float* c;
unsigned* keys;
unsigned* bins;

template <int kSide, int kX, int kY>
void matrices() {
  const dim3 blocks(kSide / kX, kSide / kY);
  const dim3 threads(kX, kY);
  const std::string size =
      std::to_string(kSide) + " by " + std::to_string(kX) + " x " + std::to_string(kY);
  families::group("matrix of " + size, kX == 16 && kSide != 2048 ? Use::held_out : Use::fitted);
  RUN((scale_rows<kSide, kX, kY>), blocks, threads, a, c);
  RUN((scale_columns<kSide, kX, kY>), blocks, threads, a, c);
  families::group("transpose of " + size, kSide == 1024 ? Use::held_out : Use::fitted);
  RUN((transpose_reading_columns<kSide, kX, kY>), blocks, threads, a, c);
  RUN((transpose_writing_columns<kSide, kX, kY>), blocks, threads, a, c);
}

template <int kRows, int kLength>
void rows() {
  families::group("sums of " + std::to_string(kRows) + " rows",
                  kRows == 8192 ? Use::held_out : Use::fitted);
  RUN((sum_rows<kRows, kLength>), kRows / 128, 128, a, c);
  RUN((sum_columns<kRows, kLength>), kRows / 128, 128, a, c);
  RUN((sum_rows_by_warps<kRows, kLength>), kRows / 4, 128, a, c);
}

template <int kLength, int kLog>
void tables() {
  families::group("table of " + std::to_string(kLength),
                  kLength == 256 ? Use::held_out : Use::fitted);
  RUN((table_global<kLength, kLog>), (1 << kLog) / 256, 256, b, a, c);
  RUN((table_shared<kLength, kLog>), (1 << kLog) / 256, 256, b, a, c);
  RUN((table_constant<kLength, kLog>), (1 << kLog) / 256, 256, b, a, c);
  RUN((table_by_lane<kLength, kLog>), (1 << kLog) / 256, 256, b, a, c);
  RUN((table_in_turn<kLength, kLog>), (1 << kLog) / 256, 256, b, a, c);
}

template <int kBodies, int kThreads>
void attract() {
  families::group(std::to_string(kBodies) + " bodies by " + std::to_string(kThreads),
                  kThreads == 64 ? Use::held_out : Use::fitted);
  auto* const all = reinterpret_cast<float4*>(a);
  RUN((bodies<kBodies, kThreads>), kBodies / kThreads, kThreads, all, c);
  RUN((bodies_in_tiles<kBodies, kThreads>), kBodies / kThreads, kThreads, all, c);
}

template <int kSide>
void products() {
  const dim3 blocks(kSide / 16, kSide / 16);
  families::group("products of " + std::to_string(kSide),
                  kSide == 384 ? Use::held_out : Use::fitted);
  RUN(product<kSide>, blocks, dim3(16, 16), a, b, c);
  RUN(product_by_columns<kSide>, blocks, dim3(16, 16), a, b, c);
  RUN(product_tiled<kSide>, blocks, dim3(16, 16), a, b, c);
}

template <int kBins, int kLog>
void counts() {
  const std::string size = "2^" + std::to_string(kLog) + " in " + std::to_string(kBins) + " bins";
  families::group("counts of " + size, kLog == 21 ? Use::held_out : Use::fitted);
  RUN((count_global<kBins, kLog>), (1 << kLog) / 256, 256, keys, bins);
  if constexpr (kBins <= 4096) {
    RUN((count_shared<kBins, kLog>), (1 << kLog) / 2048, 256, keys, bins);
  }
  families::group("sums of " + size, kLog == 21 ? Use::held_out : Use::fitted);
  auto* const sums = reinterpret_cast<float*>(bins);
  RUN((add_global<kBins, kLog>), (1 << kLog) / 256, 256, keys, sums);
  if constexpr (kBins <= 4096) {
    RUN((add_shared<kBins, kLog>), (1 << kLog) / 2048, 256, keys, sums);
  }
}

template <int kLog>
void totals() {
  families::group("total of 2^" + std::to_string(kLog), kLog == 22 ? Use::held_out : Use::fitted);
  RUN(total_by_threads<kLog>, (1 << kLog) / 256, 256, keys, bins);
  auto* const sums = reinterpret_cast<float*>(bins);
  RUN(total_by_threads_float<kLog>, (1 << kLog) / 256, 256, keys, sums);
  RUN(total_by_warps<kLog>, (1 << kLog) / 256, 256, keys, sums);
  RUN(total_by_blocks<kLog>, (1 << kLog) / 256, 256, keys, sums);
}

int main(int argc, char** argv) {
  families::begin(argc, argv);
  constexpr size_t kFloats = size_t{1} << 24;
  a = families::allocate<float>(kFloats);
  b = families::allocate<float>(kFloats);
  c = families::allocate<float>(kFloats);
  bins = families::allocate<unsigned>(1 << 16);
  std::vector<unsigned> random(size_t{1} << 22);
  unsigned state = 1;
  for (unsigned& key : random) {
    state = state * 1664525u + 1013904223u;
    key = state >> 12;
  }
  CUDA_CHECK(cudaMalloc(&keys, random.size() * sizeof(unsigned)));
  CUDA_CHECK(
      cudaMemcpy(keys, random.data(), random.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  matrices<1024, 16, 16>();
  matrices<1024, 32, 8>();
  matrices<2048, 16, 16>();
  matrices<2048, 32, 8>();
  matrices<2048, 32, 32>();
  matrices<4096, 16, 16>();
  matrices<4096, 32, 8>();
  rows<2048, 1024>();
  rows<8192, 512>();
  rows<65536, 64>();
  tables<64, 20>();
  tables<256, 20>();
  tables<1024, 18>();
  attract<4096, 64>();
  attract<4096, 128>();
  attract<8192, 256>();
  products<256>();
  products<384>();
  products<512>();
  counts<1, 20>();
  counts<16, 20>();
  counts<256, 20>();
  counts<4096, 20>();
  counts<65536, 20>();
  counts<2, 21>();
  counts<64, 21>();
  counts<1024, 21>();
  counts<16384, 21>();
  totals<18>();
  totals<20>();
  totals<22>();
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(c));
  CUDA_CHECK(cudaFree(keys));
  CUDA_CHECK(cudaFree(bins));
  return 0;
}
