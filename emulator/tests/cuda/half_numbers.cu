#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "emulator/tests/support/program.h"

// Half precision as kernels use it: pairs in one register, sums kept in float, layers of a small
// network, bfloat16 storage, conversions with every rounding, and comparisons that see NaN.

namespace {

/// Two elements per thread; the odd one at the end alone.
__global__ void saxpy(const __half* x, __half* y, __half a, int n) {
  const int i = 2 * int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n) {
    const __half2 pair = __hfma2(__half2half2(a), *reinterpret_cast<const __half2*>(x + i),
                                 *reinterpret_cast<__half2*>(y + i));
    *reinterpret_cast<__half2*>(y + i) = pair;
  } else if (i < n) {
    y[i] = __hfma(a, x[i], y[i]);
  }
}

/// Products in half, sums in float, over a warp by shuffles of pairs.
__global__ void dot(const __half2* x, const __half2* y, float* out, int pairs) {
  float sum = 0;
  for (int i = int(threadIdx.x); i < pairs; i += 32) {
    const float2 product = __half22float2(__hmul2(x[i], y[i]));
    sum += product.x + product.y;
  }
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  // A pair travels as one value, too.
  const __half2 swapped = __lowhigh2highlow(__floats2half2_rn(1.0f, 2.0f));
  const __half2 there = __shfl_sync(~0u, swapped, 7);
  if (threadIdx.x == 0) *out = sum + __low2float(there) * 1000;
}

/// A dense layer with operators, a bias and a rectifier; weights stored as bfloat16.
__global__ void layer(const __nv_bfloat16* weights, const __half* x, const __half* bias,
                      __half* out, int inputs) {
  float sum = __half2float(bias[threadIdx.x]);
  for (int k = 0; k < inputs; ++k) {
    sum += __bfloat162float(weights[int(threadIdx.x) * inputs + k]) * __half2float(x[k]);
  }
  const __half result = __float2half(sum);
  out[threadIdx.x] = result > __half(0) ? result : __half(0);
}

struct Conversions {
  unsigned short nearest, down, up, zero, bfloat;
  short whole;
  int compared;
};

__global__ void convert(const float* in, Conversions* out) {
  const float x = in[threadIdx.x];
  Conversions& c = out[threadIdx.x];
  c.nearest = __half_as_ushort(__float2half_rn(x));
  c.down = __half_as_ushort(__float2half_rd(x));
  c.up = __half_as_ushort(__float2half_ru(x));
  c.zero = __half_as_ushort(__float2half_rz(x));
  c.bfloat = __bfloat16_as_ushort(__float2bfloat16(x));
  const __half h = __float2half(x), nan = __ushort_as_half(0x7e00);
  c.whole = __half2short_rn(h);
  c.compared = __hlt(h, __half(1)) + 2 * __heq(h, h) + 4 * __hgt(nan, h) + 8 * __hisnan(nan) +
               16 * __hbeq2(__half2half2(h), __halves2half2(h, h)) + 32 * __hneu(nan, nan);
}

/// Sums of halves by atomics on one cell and on a pair.
__global__ void accumulate(__half* cell, __half2* pair) {
  atomicAdd(cell, __half(0.5f));
  atomicAdd(pair, __floats2half2_rn(1, -2));
}

/// The host's own conversion, by the definition: nearest multiple of the format's unit.
double rounded(double x, int digits, int least_exponent, int mode) {
  if (x == 0) return x;
  const int exponent = std::max(std::ilogb(x), least_exponent);
  const double unit = std::ldexp(1.0, exponent - digits + 1), steps = x / unit;
  const double whole = mode == 0   ? std::nearbyint(steps)
                       : mode == 1 ? std::floor(steps)
                       : mode == 2 ? std::ceil(steps)
                                   : std::trunc(steps);
  return whole * unit;
}

double half_value(unsigned short bits) {
  return double(__half2float(__half(__half_raw{bits})));
}

void pairs() {
  constexpr int kCount = 1001;
  const auto fx = testing::random_floats(kCount, 1), fy = testing::random_floats(kCount, 2);
  std::vector<__half> x, y;
  std::vector<double> want;
  double products = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    x.push_back(__float2half(fx[i])), y.push_back(__float2half(fy[i]));
    const double a = double(__half2float(x[i])), b = double(__half2float(y[i]));
    if (i < 1000) products += rounded(a * b, 11, -14, 0);
    want.push_back(rounded(0.75 * a + b, 11, -14, 0));
  }
  const testing::Buffer<__half> dx(x);
  testing::Buffer<__half> dy(y);
  testing::Buffer<float> out(1);
  dot<<<1, 32>>>(reinterpret_cast<const __half2*>(dx.get()),
                 reinterpret_cast<const __half2*>(dy.get()), out.get(), 500);
  saxpy<<<4, 128>>>(dx.get(), dy.get(), __float2half(0.75f), kCount);
  FINISH_LAUNCH();
  EXPECT(std::fabs(double(out.download()[0]) - products - 2000) < 1e-3);
  const std::vector<__half> got = dy.download();
  for (std::size_t i = 0; i < kCount; ++i) EXPECT(double(__half2float(got[i])) == want[i]);
}

void network() {
  constexpr int kInputs = 48, kOutputs = 64;
  const auto values = testing::random_floats(kInputs * kOutputs + kInputs + kOutputs, 3);
  std::vector<__nv_bfloat16> weights;
  std::vector<__half> x, bias;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < kInputs * kOutputs) {
      weights.push_back(__float2bfloat16(values[i]));
    } else {
      (i < kInputs * kOutputs + kInputs ? x : bias).push_back(__float2half(values[i]));
    }
  }
  const testing::Buffer<__nv_bfloat16> w(weights);
  const testing::Buffer<__half> dx(x), db(bias);
  testing::Buffer<__half> out(kOutputs);
  layer<<<1, kOutputs>>>(w.get(), dx.get(), db.get(), out.get(), kInputs);
  FINISH_LAUNCH();
  const std::vector<__half> got = out.download();
  for (std::size_t i = 0; i < kOutputs; ++i) {
    double sum = double(__half2float(bias[i]));
    for (std::size_t k = 0; k < kInputs; ++k) {
      sum += double(__bfloat162float(weights[i * kInputs + k])) * double(__half2float(x[k]));
    }
    EXPECT(std::fabs(double(__half2float(got[i])) - std::max(sum, 0.0)) < 0.01);
  }
}

void conversions() {
  std::vector<float> values = {0,     1,      -1,   0.1f,    65504, 1.0009765f,
                               1e-7f, -3e-5f, 2.5f, 1000.5f, -0.49f};
  for (const float x : testing::random_floats(50, 4)) values.push_back(x * 300);
  const testing::Buffer<float> in(values);
  testing::Buffer<Conversions> out(values.size());
  convert<<<1, unsigned(values.size())>>>(in.get(), out.get());
  FINISH_LAUNCH();
  const std::vector<Conversions> got = out.download();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = double(values[i]), nearest = rounded(x, 11, -14, 0);
    EXPECT(half_value(got[i].nearest) == nearest);
    EXPECT(half_value(got[i].down) == rounded(x, 11, -14, 1));
    EXPECT(half_value(got[i].up) == rounded(x, 11, -14, 2));
    EXPECT(half_value(got[i].zero) == rounded(x, 11, -14, 3));
    EXPECT(double(__bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{got[i].bfloat}))) ==
           rounded(x, 8, -126, 0));
    EXPECT(got[i].whole == short(std::fmin(std::nearbyint(nearest), 32767.0)));
    EXPECT(got[i].compared == (nearest < 1) + 2 + 8 + 16 + 32);
  }
}

void atomics() {
  testing::Buffer<__half> cell(2);
  testing::Buffer<__half2> pair(1);
  cell.fill_bytes(0), pair.fill_bytes(0);
  accumulate<<<2, 96>>>(cell.get(), pair.get());
  FINISH_LAUNCH();
  EXPECT(__half2float(cell.download()[0]) == 96);
  const float2 sums = __half22float2(pair.download()[0]);
  EXPECT(sums.x == 192 && sums.y == -384);
}

void run() {
  pairs();
  network();
  conversions();
  atomics();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
