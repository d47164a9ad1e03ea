#include <algorithm>
#include <complex>

#include "emulator/tests/support/program.h"

// Signals and images: FFTs in shared and in global memory, filters, equalised histograms, resizing,
// connected regions, and a ray marcher with structs and many branches.

namespace {

__host__ __device__ float2 times(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// Radix 2 in shared memory, bit-reversed input, one transform a block.
template <int N>
__global__ void fft_block(const float2* in, float2* out, float sign) {
  __shared__ float2 cells[N];
  constexpr int kBits = __builtin_ctz(N);
  const int t = int(threadIdx.x), base = int(blockIdx.x) * N;
  for (int i = t; i < N; i += N / 2) cells[__brev(unsigned(i)) >> (32 - kBits)] = in[base + i];
  __syncthreads();
#pragma unroll
  for (int half = 1; half < N; half *= 2) {
    const int k = t % half, first = (t / half) * 2 * half + k;
    float sine, cosine;
    sincospif(sign * float(k) / float(half), &sine, &cosine);
    const float2 a = cells[first], b = times(cells[first + half], make_float2(cosine, sine));
    cells[first] = make_float2(a.x + b.x, a.y + b.y);
    cells[first + half] = make_float2(a.x - b.x, a.y - b.y);
    __syncthreads();
  }
  for (int i = t; i < N; i += N / 2) out[base + i] = cells[i];
}

/// One Stockham stage over global memory; the host launches them all.
__global__ void fft_stage(const double2* in, double2* out, int n, int half) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n / 2) return;
  const int k = i % half;
  double sine, cosine;
  sincospi(-double(k) / half, &sine, &cosine);
  const double2 a = in[i], b = in[i + n / 2];
  const double2 turned = make_double2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
  const int to = (i - k) * 2 + k;
  out[to] = make_double2(a.x + turned.x, a.y + turned.y);
  out[to + half] = make_double2(a.x - turned.x, a.y - turned.y);
}

template <class Complex>
void expect_spectrum(const std::vector<Complex>& in, const std::vector<Complex>& got,
                     double bound) {
  const std::size_t n = in.size();
  for (std::size_t k = 0; k < n; k += n / 16) {  // a few frequencies by the definition
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += std::complex<double>(double(in[j].x), double(in[j].y)) *
             std::polar(1.0, -2 * M_PI * double(j * k % n) / double(n));
    }
    EXPECT(std::abs(sum - std::complex<double>(double(got[k].x), double(got[k].y))) < bound);
  }
}

void transforms() {
  constexpr int kSize = 256;
  const auto parts = testing::random_floats(4 * kSize, 3);
  std::vector<float2> values;
  for (std::size_t i = 0; i < 2 * kSize; ++i) values.push_back({parts[2 * i], parts[2 * i + 1]});
  const testing::Buffer<float2> in(values);
  testing::Buffer<float2> out(values.size()), back(values.size());
  fft_block<kSize><<<2, kSize / 2>>>(in.get(), out.get(), -1);
  fft_block<kSize><<<2, kSize / 2>>>(out.get(), back.get(), 1);
  FINISH_LAUNCH();
  const std::vector<float2> spectrum = out.download(), again = back.download();
  for (const int b : {0, 1}) {
    expect_spectrum(
        std::vector<float2>(values.begin() + b * kSize, values.begin() + (b + 1) * kSize),
        std::vector<float2>(spectrum.begin() + b * kSize, spectrum.begin() + (b + 1) * kSize),
        1e-3);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT(std::fabs(again[i].x / kSize - values[i].x) < 1e-5f);
    EXPECT(std::fabs(again[i].y / kSize - values[i].y) < 1e-5f);
  }

  constexpr int kLong = 2048;
  std::vector<double2> longer;
  for (std::size_t i = 0; i < kLong; ++i)
    longer.push_back({std::sin(double(i * i)), double(i % 7)});
  testing::Buffer<double2> a(longer), b(longer.size());
  testing::Buffer<double2>*from = &a, *to = &b;
  for (int half = 1; half < kLong; half *= 2) {
    fft_stage<<<kLong / 256, 128>>>(from->get(), to->get(), kLong, half);
    std::swap(from, to);
  }
  FINISH_LAUNCH();
  expect_spectrum(longer, from->download(), 1e-8);
}

// -- images ---------------------------------------------------------------------------------------

constexpr int kWidth = 70, kHeight = 45, kPixels = kWidth * kHeight, kRadius = 3;
__constant__ float gauss[2 * kRadius + 1];

/// Rows and columns of a separable filter with mirrored edges; a tile and its apron in shared
/// memory.
template <bool Rows>
__global__ void blur(const float* in, float* out) {
  __shared__ float cells[16][16 + 2 * kRadius + 1];
  const int across = int(threadIdx.x), along = int(threadIdx.y);
  const int length = Rows ? kWidth : kHeight, others = Rows ? kHeight : kWidth;
  const int line = int(blockIdx.y) * 16 + along, first = int(blockIdx.x) * 16 - kRadius;
  for (int i = across; i < 16 + 2 * kRadius; i += 16) {
    int at = first + i;
    at = at < 0 ? -at : at;
    at = at >= length ? 2 * length - 2 - at : at;
    if (line < others && at >= 0 && at < length) {
      cells[along][i] = Rows ? in[line * kWidth + at] : in[at * kWidth + line];
    }
  }
  __syncthreads();
  const int at = first + kRadius + across;
  if (line >= others || at >= length) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * kRadius; ++k) sum = fmaf(gauss[k], cells[along][across + k], sum);
  out[Rows ? line * kWidth + at : at * kWidth + line] = sum;
}

__global__ void median(const unsigned char* in, unsigned char* out) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x),
            y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= kWidth || y >= kHeight) return;
  unsigned char window[9];
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (x + dx < 0 || x + dx >= kWidth || y + dy < 0 || y + dy >= kHeight) continue;
      const unsigned char pixel = in[(y + dy) * kWidth + x + dx];
      int place = count++;
      for (; place > 0 && window[place - 1] > pixel; --place) window[place] = window[place - 1];
      window[place] = pixel;
    }
  }
  out[y * kWidth + x] = window[count / 2];
}

__global__ void count_levels(const unsigned char* in, unsigned* levels) {
  __shared__ unsigned mine[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < kPixels;
       i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[in[i]], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&levels[i], mine[i]);
}

/// Cumulates the counts in one block and maps every level, then all pixels go through the map.
__global__ void equalise(unsigned char* pixels, const unsigned* levels) {
  __shared__ unsigned sums[256];
  __shared__ unsigned least;
  const unsigned t = threadIdx.x;
  sums[t] = levels[t];
  if (t == 0) least = kPixels;
  __syncthreads();
  for (unsigned by = 1; by < 256; by *= 2) {
    const unsigned add = t >= by ? sums[t - by] : 0;
    __syncthreads();
    sums[t] += add;
    __syncthreads();
  }
  if (sums[t] > 0) atomicMin(&least, sums[t]);
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + t; i < kPixels; i += gridDim.x * blockDim.x) {
    const unsigned above = sums[pixels[i]] - least;
    pixels[i] =
        static_cast<unsigned char>(__float2int_rn(255.0f * float(above) / float(kPixels - least)));
  }
}

/// Bilinear resizing of packed colours.
__host__ __device__ uchar4 sample(const uchar4* in, float x, float y) {
  const int left = int(x), top = int(y);
  const int right = left + 1 < kWidth ? left + 1 : left, bottom = top + 1 < kHeight ? top + 1 : top;
  const int u = int((x - float(left)) * 256), v = int((y - float(top)) * 256);
  const uchar4 a = in[top * kWidth + left], b = in[top * kWidth + right];
  const uchar4 c = in[bottom * kWidth + left], d = in[bottom * kWidth + right];
  const auto mix = [=](int p, int q, int r, int s) {
    return static_cast<unsigned char>(
        ((p * (256 - u) + q * u) * (256 - v) + (r * (256 - u) + s * u) * v) >> 16);
  };
  return {mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y), mix(a.z, b.z, c.z, d.z),
          mix(a.w, b.w, c.w, d.w)};
}

__global__ void resize(const uchar4* in, uchar4* out, int width, int height) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x),
            y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  out[y * width + x] = sample(in, float(x) * 0.75f, float(y) * 0.5f);
}

std::size_t mirrored(int at, int length) {
  return std::size_t(at < 0 ? -at : at >= length ? 2 * length - 2 - at : at);
}

void filters() {
  const std::vector<float> image = testing::random_floats(kPixels, 4);
  float taps[2 * kRadius + 1], sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k)
    sum += taps[k + kRadius] = std::exp(-0.2f * float(k * k));
  for (float& tap : taps) tap /= sum;
  CUDA_CHECK(cudaMemcpyToSymbol(gauss, taps, sizeof taps));
  const testing::Buffer<float> in(image);
  testing::Buffer<float> middle(kPixels), out(kPixels);
  blur<true><<<dim3(5, 3), dim3(16, 16)>>>(in.get(), middle.get());
  blur<false><<<dim3(3, 5), dim3(16, 16)>>>(middle.get(), out.get());
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      double total = 0;
      for (int v = -kRadius; v <= kRadius; ++v) {
        for (int u = -kRadius; u <= kRadius; ++u) {
          total += double(taps[u + kRadius]) * double(taps[v + kRadius]) *
                   double(image[mirrored(y + v, kHeight) * kWidth + mirrored(x + u, kWidth)]);
        }
      }
      want.push_back(total);
    }
  }
  testing::expect_close(out.download(), want, 1e-5);
}

void levels() {
  std::vector<unsigned char> image;
  for (const int x : testing::random_integers(kPixels, 90, 5))
    image.push_back(static_cast<unsigned char>(40 + x));
  testing::Buffer<unsigned char> pixels(image), smooth(kPixels);
  testing::Buffer<unsigned> counts(256);
  counts.fill_bytes(0);
  median<<<dim3(5, 6), dim3(16, 8)>>>(pixels.get(), smooth.get());
  count_levels<<<3, 128>>>(pixels.get(), counts.get());
  equalise<<<4, 256>>>(pixels.get(), counts.get());
  FINISH_LAUNCH();
  std::vector<unsigned char> want_median;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      std::vector<unsigned char> window;
      for (int v = std::max(y - 1, 0); v <= std::min(y + 1, kHeight - 1); ++v) {
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, kWidth - 1); ++u) {
          window.push_back(image[std::size_t(v * kWidth + u)]);
        }
      }
      std::sort(window.begin(), window.end());
      want_median.push_back(window[window.size() / 2]);
    }
  }
  EXPECT(smooth.download() == want_median);
  std::vector<int> sums(256), want, got;
  for (const unsigned char x : image) ++sums[x];
  int least = 0;
  for (std::size_t i = 1; i < 256; ++i) {
    sums[i] += sums[i - 1];
    if (least == 0) least = sums[i];
  }
  for (const unsigned char x : image)
    want.push_back(int(std::lrint(255.0 * (sums[x] - least) / (kPixels - least))));
  for (const unsigned char x : pixels.download()) got.push_back(x);
  testing::expect_close(got, want, 1);  // ties of the rounding
}

void resized() {
  const auto parts = testing::random_integers(4 * kPixels, 256, 6);
  std::vector<uchar4> image;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(parts[4 * i + k]); };
    image.push_back({byte(0), byte(1), byte(2), byte(3)});
  }
  constexpr int kNewWidth = 93, kNewHeight = 90;
  const testing::Buffer<uchar4> in(image);
  testing::Buffer<uchar4> out(kNewWidth * kNewHeight);
  resize<<<dim3(6, 6), dim3(16, 16)>>>(in.get(), out.get(), kNewWidth, kNewHeight);
  FINISH_LAUNCH();
  const std::vector<uchar4> got = out.download();
  for (int y = 0; y < kNewHeight; ++y) {
    for (int x = 0; x < kNewWidth; ++x) {
      const uchar4 g = got[std::size_t(y * kNewWidth + x)];
      const uchar4 w = sample(image.data(), float(x) * 0.75f, float(y) * 0.5f);
      EXPECT(g.x == w.x && g.y == w.y && g.z == w.z && g.w == w.w);
    }
  }
}

// -- rays -----------------------------------------------------------------------------------------

struct Vec {
  float x, y, z;
  __host__ __device__ Vec operator-(Vec o) const { return {x - o.x, y - o.y, z - o.z}; }
  __host__ __device__ Vec operator*(float s) const { return {x * s, y * s, z * s}; }
  __host__ __device__ float dot(Vec o) const { return x * o.x + y * o.y + z * o.z; }
  __host__ __device__ float length() const { return sqrtf(dot(*this)); }
};

/// Distance to a sphere that bites into a box above a floor.
__host__ __device__ float scene(Vec p) {
  const float sphere = (p - Vec{0, 0.5f, 3}).length() - 1;
  const Vec q = {fabsf(p.x - 0.5f) - 0.7f, fabsf(p.y) - 0.4f, fabsf(p.z - 2.5f) - 0.7f};
  const Vec outside = {fmaxf(q.x, 0), fmaxf(q.y, 0), fmaxf(q.z, 0)};
  const float box = outside.length() + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0);
  return fminf(fmaxf(box, -sphere), p.y + 1);
}

/// Steps to the surface, -1 when the ray leaves; every pixel takes another number of them.
__host__ __device__ float march(int x, int y, int* steps) {
  Vec direction = {float(x - 32) / 32, float(24 - y) / 32, 1};
  direction = direction * (1 / direction.length());
  float travelled = 0;
  for (*steps = 0; *steps < 90; ++*steps) {
    const float d = scene(direction * travelled);
    if (d < 1e-3f) return travelled;
    travelled += d;
    if (travelled > 30) break;
  }
  return -1;
}

__global__ void render(float* out, int* steps) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x),
            y = int(blockIdx.y * blockDim.y + threadIdx.y);
  out[y * 64 + x] = march(x, y, &steps[y * 64 + x]);
}

void rays() {
  testing::Buffer<float> out(64 * 48);
  testing::Buffer<int> steps(64 * 48);
  render<<<dim3(8, 6), dim3(8, 8)>>>(out.get(), steps.get());
  FINISH_LAUNCH();
  const std::vector<float> got = out.download();
  int wrong = 0, hits = 0;
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      int count = 0;
      const float want = march(x, y, &count), pixel = got[std::size_t(y * 64 + x)];
      hits += want >= 0;
      // Fused multiply-adds may tip a ray that grazes an edge, but only few of them.
      wrong += !(std::fabs(pixel - want) <= 0.02f);
    }
  }
  EXPECT(hits > 1000 && wrong < 30);
}

void run() {
  transforms();
  filters();
  levels();
  resized();
  rays();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
