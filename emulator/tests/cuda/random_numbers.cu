#include <curand_kernel.h>

#include <algorithm>
#include <array>

#include "emulator/tests/support/program.h"

// cuRAND's device functions: the generators against published values and models written from their
// papers, jumps ahead against drawing, distributions against their moments.

namespace {

constexpr int kThreads = 256, kDraws = 64, kAll = kThreads * kDraws;

template <class State>
__global__ void draw(unsigned* out, int count, unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset) {
  State state;
  curand_init(seed, sequence, offset, &state);
  for (int i = 0; i < count; ++i) out[i] = curand(&state);
}

/// Philox's counter as it stands in the paper's test: four words, of which two are the sequence.
__global__ void philox_block(unsigned* out, unsigned long long key, unsigned long long high,
                             unsigned long long low) {
  curandStatePhilox4_32_10_t state;
  curand_init(key, high, 0, &state);
  for (int i = 0; i < 4; ++i) skipahead(low, &state);  // counts single numbers, four a block
  const uint4 four = curand4(&state);
  out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
}

__global__ void mrg_uniforms(double* out, int count) {
  curandStateMRG32k3a state;
  curand_init(0, 0, 0, &state);
  for (int i = 0; i < count; ++i) out[i] = curand_uniform_double(&state);
}

__global__ void sobol(curandDirectionVectors32_t* directions, unsigned* out, int count) {
  const int t = int(threadIdx.x), dimension = int(blockIdx.x);
  curandStateSobol32 state;
  curand_init(directions[dimension], unsigned(t * count), &state);
  for (int i = 0; i < count; ++i) {
    out[(dimension * int(blockDim.x) + t) * count + i] = curand(&state);
  }
}

struct Uniform {
  template <class State>
  __device__ static float next(State* state) {
    return curand_uniform(state);
  }
};
struct Normal {
  template <class State>
  __device__ static float next(State* state) {
    return curand_normal(state);
  }
};
struct NormalDouble {
  template <class State>
  __device__ static float next(State* state) {
    return float(curand_normal2_double(state).y);
  }
};
struct LogNormal {
  template <class State>
  __device__ static float next(State* state) {
    return curand_log_normal(state, 0.5f, 0.25f);
  }
};
/// The method depends on the mean.
template <int kTenths>
struct Poisson {
  template <class State>
  __device__ static float next(State* state) {
    return float(curand_poisson(state, kTenths / 10.0));
  }
};

/// Threads keep their states in global memory between the launches, as the guide shows.
template <class State>
__global__ void set_up(State* states, unsigned long long seed) {
  curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
}

template <class Distribution, class State>
__global__ void sample(State* states, float* out) {
  State state = states[threadIdx.x];
  for (int i = 0; i < kDraws; ++i)
    out[i * kThreads + int(threadIdx.x)] = Distribution::next(&state);
  states[threadIdx.x] = state;
}

/// Marsaglia's xorwow, seeded as cuRAND scatters its seed.
std::vector<unsigned> xorwow(unsigned long long seed, std::size_t count) {
  const unsigned a = 1099087573u * (unsigned(seed) ^ 0xaad26b49u);
  const unsigned b = 2591861531u * (unsigned(seed >> 32) ^ 0xf7dcefddu);
  unsigned weyl = 6615241u + a + b;
  std::array<unsigned, 5> x = {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b,
                               5783321u + a};
  std::vector<unsigned> out;
  while (out.size() < count) {
    const unsigned t = x[0] ^ x[0] >> 2;
    std::rotate(x.begin(), x.begin() + 1, x.end());
    x[4] = x[3] ^ x[3] << 4 ^ t ^ t << 1;
    out.push_back(x[4] + (weyl += 362437));
  }
  return out;
}

void xorwow_sequence() {
  testing::Buffer<unsigned> out(1000);
  const auto want = xorwow(0x123456789abcdefull, 1500);
  draw<curandStateXORWOW><<<1, 1>>>(out.get(), 1000, 0x123456789abcdefull, 0, 0);
  FINISH_LAUNCH();
  EXPECT(std::equal(want.begin(), want.begin() + 1000, out.download().begin()));
  // The jump multiplies by matrices over two elements.
  draw<curandStateXORWOW><<<1, 1>>>(out.get(), 1000, 0x123456789abcdefull, 0, 500);
  FINISH_LAUNCH();
  EXPECT(std::equal(want.begin() + 500, want.end(), out.download().begin()));
  // Another subsequence shares nothing with the first.
  draw<curandStateXORWOW><<<1, 1>>>(out.get(), 1000, 0x123456789abcdefull, 3, 0);
  FINISH_LAUNCH();
  const auto far = out.download();
  EXPECT(far[0] != want[0] && far[1] != want[1] && far[2] != want[2]);
}

/// Random123's known answers for philox4x32-10.
void philox_known_answers() {
  testing::Buffer<unsigned> out(4);
  philox_block<<<1, 1>>>(out.get(), 0, 0, 0);
  FINISH_LAUNCH();
  EXPECT((out.download() == std::vector<unsigned>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  philox_block<<<1, 1>>>(out.get(), 0x299f31d0a4093822ull, 0x0370734413198a2eull,
                         0x85a308d3243f6a88ull);
  FINISH_LAUNCH();
  EXPECT((out.download() == std::vector<unsigned>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// L'Ecuyer's recurrences from the seed 12345 in all six words.
void mrg32k3a() {
  constexpr std::int64_t m1 = 4294967087, m2 = 4294944443;
  std::array<std::int64_t, 3> x = {12345, 12345, 12345}, y = x;
  std::vector<double> want;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t p = ((1403580 * x[1] - 810728 * x[0]) % m1 + m1) % m1;
    const std::int64_t q = ((527612 * y[2] - 1370589 * y[0]) % m2 + m2) % m2;
    x = {x[1], x[2], p};
    y = {y[1], y[2], q};
    want.push_back(double(p > q ? p - q : p - q + m1) / double(m1 + 1));
  }
  EXPECT(std::fabs(want[0] - 0.127011122046577) < 1e-12);  // as the author prints it
  testing::Buffer<double> out(300);
  mrg_uniforms<<<1, 1>>>(out.get(), 300);
  FINISH_LAUNCH();
  testing::expect_close(out.download(), want, 1e-9);
}

/// Direction numbers of the first two dimensions; the n-th point is their combination by the Gray
/// code of n.
void sobol32() {
  curandDirectionVectors32_t directions[2];
  unsigned m = 1;
  for (int i = 0; i < 32; ++i) {
    directions[0][i] = 1u << (31 - i);
    directions[1][i] = m << (31 - i);  // of the polynomial x + 1: m' = 2m xor m
    m ^= m << 1;
  }
  testing::Buffer<curandDirectionVectors32_t> in(2);
  CUDA_CHECK(cudaMemcpy(in.get(), directions, sizeof directions, cudaMemcpyHostToDevice));
  constexpr int kEach = 20, kPoints = 32 * kEach;
  testing::Buffer<unsigned> out(2 * kPoints);
  sobol<<<2, 32>>>(in.get(), out.get(), kEach);
  FINISH_LAUNCH();
  std::vector<unsigned> want;
  for (const auto& direction : directions) {
    for (unsigned n = 0; n < kPoints; ++n) {
      unsigned point = 0;
      for (int bit = 0; bit < 32; ++bit) {
        if ((n ^ n >> 1) >> bit & 1) point ^= direction[bit];
      }
      want.push_back(point);
    }
  }
  EXPECT(out.download() == want);
}

struct Moments {
  double mean = 0, deviation = 0, least = INFINITY, largest = -INFINITY;
};

template <class Distribution, class State>
Moments moments(testing::Buffer<State>& states) {
  testing::Buffer<float> out(kAll);
  sample<Distribution><<<1, kThreads>>>(states.get(), out.get());
  FINISH_LAUNCH();
  Moments m;
  const std::vector<float> values = out.download();
  for (const float x : values) {
    m.mean += double(x) / kAll;
    m.least = std::min(m.least, double(x));
    m.largest = std::max(m.largest, double(x));
  }
  for (const float x : values) m.deviation += (x - m.mean) * (x - m.mean) / kAll;
  m.deviation = std::sqrt(m.deviation);
  return m;
}

/// The mean within four standard errors of the samples, the deviation within a twentieth.
void expect_moments(const Moments& m, double mean, double deviation) {
  EXPECT(std::fabs(m.mean - mean) < 4 * deviation / std::sqrt(kAll));
  EXPECT(std::fabs(m.deviation / deviation - 1) < 0.05);
}

template <class State>
void distributions() {
  testing::Buffer<State> states(kThreads);
  set_up<<<1, kThreads>>>(states.get(), 2024);
  const Moments uniform = moments<Uniform>(states);
  expect_moments(uniform, 0.5, std::sqrt(1.0 / 12));
  EXPECT(uniform.least > 0 && uniform.largest <= 1);
  expect_moments(moments<Normal>(states), 0, 1);
}

void run() {
  xorwow_sequence();
  philox_known_answers();
  mrg32k3a();
  sobol32();
  distributions<curandStateXORWOW>();
  distributions<curandStateMRG32k3a>();
  distributions<curandStatePhilox4_32_10_t>();
  testing::Buffer<curandStatePhilox4_32_10_t> states(kThreads);
  set_up<<<1, kThreads>>>(states.get(), 99);
  expect_moments(moments<NormalDouble>(states), 0, 1);
  const double mean = std::exp(0.5 + 0.25 * 0.25 / 2);
  expect_moments(moments<LogNormal>(states), mean, mean * std::sqrt(std::expm1(0.25 * 0.25)));
  expect_moments(moments<Poisson<75>>(states), 7.5, std::sqrt(7.5));
  expect_moments(moments<Poisson<700>>(states), 70, std::sqrt(70.0));
  expect_moments(moments<Poisson<20000>>(states), 2000, std::sqrt(2000.0));
  expect_moments(moments<Poisson<50000>>(states), 5000, std::sqrt(5000.0));
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
