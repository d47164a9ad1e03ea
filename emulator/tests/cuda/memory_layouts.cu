#include <algorithm>
#include <cstring>

#include "emulator/tests/support/program.h"

// Where data lies: structs in constant memory, one dynamic shared array split in several or seen as
// different types, vector types, three-dimensional grids, launch bounds, and inline PTX.

namespace {

struct Layer {
  int width;
  short taps[5];
  double scale;
  struct {
    char tag;
    float bias[2];
  } inner;
};

__constant__ Layer layers[3] = {
    {4, {1, 2, 3, 2, 1}, 0.5, {'a', {1, 2}}},
    {2, {-1, 0, 1, 0, -1}, 2.0, {'b', {-3, 4}}},
    {},
};
__constant__ float table[2][64];
__device__ int history[4][8];

/// Each thread takes its own element of constant memory, not all the same.
__global__ void from_constants(double* out) {
  const int t = int(threadIdx.x);
  const Layer& layer = layers[t % 3];
  double sum = layer.width + layer.inner.bias[t % 2] + layer.inner.tag;
  for (const short tap : layer.taps) sum += tap * layer.scale;
  out[t] = sum + double(table[t % 2][63 - t]);
  atomicAdd(&history[t % 4][t % 8], t);
}

extern __shared__ unsigned char raw[];

/// One dynamic array: doubles, then ints, then bytes, as the launch sized them.
__global__ void split(const int* in, double* out, int n) {
  double* const reals = reinterpret_cast<double*>(raw);
  int* const whole = reinterpret_cast<int*>(reals + n);
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(whole + n);
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) {
    reals[i] = in[i] * 0.5;
    whole[i] = in[i] * 3;
    bytes[i] = static_cast<unsigned char>(in[i]);
  }
  __syncthreads();
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) {
    const int j = n - 1 - i;
    out[i] = reals[j] + whole[j] + bytes[j];
  }
}

/// The same name with another type, as in many templates.
template <class T>
__global__ void reverse_dynamic(const T* in, T* out) {
  T* const cells = reinterpret_cast<T*>(raw);
  cells[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}

/// Three dimensions of blocks and of threads, each with a ragged end.
__global__ void volume(int* out, int3 size) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = int(blockIdx.z * blockDim.z + threadIdx.z);
  if (x >= size.x || y >= size.y || z >= size.z) return;
  const int thread = int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  out[(z * size.y + y) * size.x + x] = x + 100 * y + 10000 * z + 1000000 * (thread % 32);
}

__global__ __launch_bounds__(128, 2) void vectors(const float4* __restrict__ in,
                                                  const uchar4* __restrict__ colours,
                                                  float4* __restrict__ out, ushort3* triples) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = __ldg(&in[i]);
  const uchar4 c = __ldg(&colours[i]);
  out[i] = make_float4(v.w + c.x, v.z * c.y, fmaxf(v.y, c.z), v.x - float(c.w));
  triples[i] = make_ushort3(c.x, static_cast<unsigned short>(c.y * c.z), c.w);
}

__device__ unsigned lane_by_ptx() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// Inline PTX: several instructions with their own registers, a predicate, 64-bit and float
/// operands, an operand that is read and written, a constant.
__global__ void inline_ptx(const int* in, long long* out) {
  const int t = int(threadIdx.x), x = in[t];
  int clamped = x;
  asm volatile(
      "{\n\t"
      ".reg .pred above;\n\t"
      ".reg .s32 twice;\n\t"
      "shl.b32 twice, %0, 1;\n\t"
      "setp.gt.s32 above, twice, %1;\n\t"
      "@above mov.s32 %0, %1;\n\t"
      "@!above add.s32 %0, twice, %2;\n\t"
      "}"
      : "+r"(clamped)
      : "r"(500), "n"(7));
  long long wide;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(x), "r"(-t), "l"(1ll << 40));
  float third;
  asm("div.rn.f32 %0, %1, %2;" : "=f"(third) : "f"(float(x)), "f"(3.0f));
  out[t] = clamped + wide + (long long)(third * 64) + lane_by_ptx();
}

/// Readers of a value that another warp changes: volatile keeps the loop's load.
__global__ void volatile_flag(volatile int* flag, int* out) {
  if (threadIdx.x == 32) {
    *out = 5;
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (!*flag) {
    }
    __threadfence();
    *out += 10;
  }
}

/// The clock goes forward, also across work.
__global__ void clocks(int* ok) {
  const long long before = clock64();
  const int narrow = clock();
  float x = float(threadIdx.x);
  for (int k = 0; k < 100; ++k) x = x * 1.01f + 1;
  const long long after = clock64();
  ok[threadIdx.x] = after > before && clock() - narrow > 0 && x > 0;
}

void constants() {
  std::vector<float> values = testing::random_floats(128);
  CUDA_CHECK(cudaMemcpyToSymbol(table, values.data(), 64 * sizeof(float)));
  CUDA_CHECK(cudaMemcpyToSymbol(table, values.data() + 64, 64 * sizeof(float), 64 * sizeof(float)));
  Layer last = {9, {1, 1, 1, 1, 1}, 0.125, {'c', {7, 8}}};
  CUDA_CHECK(cudaMemcpyToSymbol(layers, &last, sizeof last, 2 * sizeof last));
  testing::Buffer<double> out(64);
  from_constants<<<1, 64>>>(out.get());
  FINISH_LAUNCH();
  std::vector<double> want;
  int sums[4][8] = {}, got[4][8];
  for (int t = 0; t < 64; ++t) {
    const double base[3][2] = {{4 + 1 + 97 + 4.5, 4 + 2 + 97 + 4.5},
                               {2 - 3 + 98 - 2.0, 2 + 4 + 98 - 2.0},
                               {9 + 7 + 99 + 0.625, 9 + 8 + 99 + 0.625}};
    want.push_back(base[t % 3][t % 2] + double(values[std::size_t(t % 2 * 64 + 63 - t)]));
    sums[t % 4][t % 8] += t;
  }
  testing::expect_close(out.download(), want, 1e-12);
  CUDA_CHECK(cudaMemcpyFromSymbol(got, history, sizeof got));
  EXPECT(std::memcmp(got, sums, sizeof got) == 0);
}

template <class T>
void reversed() {
  std::vector<T> values;
  for (const int x : testing::random_integers(100, 120)) values.push_back(T(x));
  const testing::Buffer<T> in(values);
  testing::Buffer<T> out(100);
  reverse_dynamic<T><<<1, 100, 100 * sizeof(T)>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::reverse(values.begin(), values.end());
  testing::expect_equal(out.download(), values);
}

void shared_memory() {
  constexpr int kCount = 777;
  const std::vector<int> values = testing::random_integers(kCount, 256);
  const testing::Buffer<int> in(values);
  testing::Buffer<double> out(kCount);
  split<<<1, 96, kCount*(sizeof(double) + sizeof(int) + 1)>>>(in.get(), out.get(), kCount);
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int i = 0; i < kCount; ++i) want.push_back(4.5 * values[std::size_t(kCount - 1 - i)]);
  testing::expect_equal(out.download(), want);
  reversed<char>();
  reversed<short>();
  reversed<float>();
  reversed<double>();
}

void grids() {
  const int3 size = make_int3(13, 7, 9);
  testing::Buffer<int> out(13 * 7 * 9);
  const dim3 block(4, 3, 5);
  volume<<<dim3(4, 3, 2), block>>>(out.get(), size);
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const int thread = (z % 5 * 3 + y % 3) * 4 + x % 4;
        want.push_back(x + 100 * y + 10000 * z + 1000000 * (thread % 32));
      }
    }
  }
  testing::expect_equal(out.download(), want);
}

void vector_types() {
  const std::vector<float> f = testing::random_floats(1024);
  const std::vector<int> b = testing::random_integers(1024, 256);
  std::vector<float4> reals(256);
  std::vector<uchar4> colours(256);
  for (std::size_t i = 0; i < 256; ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(b[4 * i + k]); };
    reals[i] = make_float4(f[4 * i], f[4 * i + 1], f[4 * i + 2], f[4 * i + 3]);
    colours[i] = make_uchar4(byte(0), byte(1), byte(2), byte(3));
  }
  const testing::Buffer<float4> in(reals);
  const testing::Buffer<uchar4> colour(colours);
  testing::Buffer<float4> out(256);
  testing::Buffer<ushort3> triples(256);
  vectors<<<2, 128>>>(in.get(), colour.get(), out.get(), triples.get());
  FINISH_LAUNCH();
  const auto got = out.download();
  const auto got_triples = triples.download();
  for (std::size_t i = 0; i < 256; ++i) {
    const float4 v = reals[i];
    const uchar4 c = colours[i];
    EXPECT(got[i].x == v.w + float(c.x) && got[i].y == v.z * float(c.y));
    EXPECT(got[i].z == std::max(v.y, float(c.z)) && got[i].w == v.x - float(c.w));
    EXPECT(got_triples[i].x == c.x && got_triples[i].y == c.y * c.z && got_triples[i].z == c.w);
  }
}

void assembly() {
  const std::vector<int> values = testing::random_integers(64, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<long long> out(64);
  inline_ptx<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<long long> want;
  for (int t = 0; t < 64; ++t) {
    const int x = values[std::size_t(t)];
    want.push_back((2 * x > 500 ? 500 : 2 * x + 7) + (long long)x * -t + (1ll << 40) +
                   (long long)(float(x) / 3.0f * 64) + t % 32);
  }
  testing::expect_equal(out.download(), want);
}

void flags_and_clocks() {
  testing::Buffer<int> words(2), ok(64);
  words.fill_bytes(0);
  volatile_flag<<<1, 64>>>(words.get(), words.get() + 1);
  FINISH_LAUNCH();
  testing::expect_equal(words.download(), {1, 15});
  clocks<<<1, 64>>>(ok.get());
  FINISH_LAUNCH();
  testing::expect_equal(ok.download(), std::vector<int>(64, 1));
}

void run() {
  constants();
  shared_memory();
  grids();
  vector_types();
  assembly();
  flags_and_clocks();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
