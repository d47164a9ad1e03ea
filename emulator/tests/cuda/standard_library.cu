#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <complex>
#include <numeric>

#include "emulator/tests/support/program.h"

// libcu++ on the device: atomics with scopes and orders, semaphores, and the vocabulary types.

namespace {

using DeviceInt = cuda::atomic_ref<int, cuda::thread_scope_device>;

enum Result { kSum, kLeast, kLargest, kBits, kFlipped, kTurns, kResults };

__global__ void integers(const int* in, int* results, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  DeviceInt(results[kSum]).fetch_add(in[i], cuda::std::memory_order_relaxed);
  DeviceInt(results[kLeast]).fetch_min(in[i]);
  cuda::atomic_ref<int, cuda::thread_scope_system>(results[kLargest]).fetch_max(in[i]);
  DeviceInt(results[kBits]).fetch_or(1 << (in[i] % 20), cuda::std::memory_order_acq_rel);
  DeviceInt(results[kFlipped]).fetch_xor(in[i], cuda::std::memory_order_seq_cst);
  DeviceInt turns(results[kTurns]);
  // Counts modulo 100, which no single operation does.
  int old = turns.load(cuda::std::memory_order_relaxed);
  while (!turns.compare_exchange_weak(old, (old + 1) % 100)) {
  }
}

/// 64 bits and floating point, and a block's own counter in shared memory.
__global__ void other_types(const int* in, unsigned long long* wide, double* sum, float* largest,
                            int* per_block, int n) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> counter;
  if (threadIdx.x == 0) counter.store(0, cuda::std::memory_order_relaxed);
  __syncthreads();
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*wide) +=
        (unsigned long long)in[i] << 20;
    cuda::atomic_ref<double, cuda::thread_scope_device>(*sum).fetch_add(in[i] * 0.25);
    cuda::atomic_ref<float, cuda::thread_scope_device> most(*largest);
    float seen = most.load();
    while (seen < float(in[i]) && !most.compare_exchange_strong(seen, float(in[i]))) {
    }
    if (in[i] % 2 == 0) counter.fetch_add(1);
  }
  __syncthreads();
  if (threadIdx.x == 0) per_block[blockIdx.x] = counter.load();
}

/// The first block writes, then releases; the others acquire, then read.
__global__ void message(int* data, int* flag, int* out) {
  DeviceInt ready(*flag);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = int(threadIdx.x) * 3;
    __syncthreads();
    if (threadIdx.x == 0) ready.store(1, cuda::std::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (ready.load(cuda::std::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
  }
}

/// As message, but with fences around relaxed operations, and a plain wait.
__global__ void message_with_fences(int* data, int* flag, int* out) {
  DeviceInt ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 4711;
    cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::std::memory_order_relaxed);
    ready.notify_all();
  } else {
    ready.wait(0, cuda::std::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_device);
    out[blockIdx.x - 1] = *data + int(blockIdx.x);
  }
}

__global__ void prepare(cuda::counting_semaphore<cuda::thread_scope_device, 3>* places) {
  new (places) cuda::counting_semaphore<cuda::thread_scope_device, 3>(3);
}

/// At most three threads are inside at once.
__global__ void bounded(cuda::counting_semaphore<cuda::thread_scope_device, 3>* places,
                        int* state) {
  places->acquire();
  const int inside = DeviceInt(state[0]).fetch_add(1) + 1;
  DeviceInt(state[1]).fetch_max(inside);
  DeviceInt(state[0]).fetch_sub(1);
  places->release();
  DeviceInt(state[2]).fetch_add(1);
}

namespace cs = cuda::std;

using Shape = cs::variant<int, float, cs::array<short, 4>>;

__device__ cs::optional<int> divide(int a, int b) {
  if (b == 0) return cs::nullopt;
  return a / b;
}

__device__ cs::tuple<int, float> both(int x) {
  return {x * 2, float(x) / 2};
}

__device__ int span_sum(cs::span<const int> values) {
  int sum = 0;
  for (const int v : values) sum += v;
  return sum;
}

__global__ void vocabulary(const int* in, double* out) {
  const int t = int(threadIdx.x);
  cs::array<int, 8> eight{};
  for (int i = 0; i < 8; ++i) eight[std::size_t(i)] = in[t] + i;
  const cs::span<int> all(eight);
  const auto [twice, half] = both(in[t]);
  const Shape shape = t % 3 == 0   ? Shape(in[t])
                      : t % 3 == 1 ? Shape(float(in[t]) * 0.5f)
                                   : Shape(cs::array<short, 4>{1, 2, 3, 4});
  double held = 0;
  if (const int* whole = cs::get_if<int>(&shape)) held = *whole;
  if (const float* real = cs::get_if<float>(&shape)) held = *real;
  if (const auto* four = cs::get_if<cs::array<short, 4>>(&shape))
    held = (*four)[3] + double(shape.index());
  out[t] = span_sum(all.subspan(2, 4)) + twice + half + held + divide(in[t], t % 5).value_or(-7) +
           cs::popcount(unsigned(in[t])) + cs::countl_zero(unsigned(t + 1)) +
           (cs::numeric_limits<float>::max() > 1e38f) + double(cs::bit_cast<unsigned>(1.0f) >> 23);
}

double vocabulary_model(int x, int t) {
  double result = 4 * x + 2 + 3 + 4 + 5 + 2 * x + double(float(x) / 2);
  result += t % 3 == 0 ? x : t % 3 == 1 ? double(float(x) * 0.5f) : 6;
  result += t % 5 == 0 ? -7 : x / (t % 5);
  return result + __builtin_popcount(unsigned(x)) + __builtin_clz(unsigned(t + 1)) + 1 + 127;
}

/// Transposes through two views of flat memory, one of them column-major.
__global__ void views(const int* in, int* out, int rows, int columns) {
  const cs::mdspan<const int, cs::dextents<int, 2>> from(in, rows, columns);
  const cs::mdspan<int, cs::dextents<int, 2>, cs::layout_left> to(out, rows, columns);
  for (int r = int(threadIdx.y); r < from.extent(0); r += int(blockDim.y)) {
    for (int c = int(threadIdx.x); c < from.extent(1); c += int(blockDim.x)) to(r, c) = from(r, c);
  }
}

template <class T>
__global__ void roots(const cs::complex<T>* in, cs::complex<T>* out) {
  const auto z = in[threadIdx.x];
  out[3 * threadIdx.x] = cs::sqrt(z) * cs::conj(z);
  out[3 * threadIdx.x + 1] = cs::exp(z / T(4)) - cs::polar(T(2), z.real());
  out[3 * threadIdx.x + 2] = z / cs::complex<T>(T(0.5), z.imag() + 9);
}

void atomics() {
  constexpr int kCount = 1500;
  const std::vector<int> values = testing::random_integers(kCount, 5000, 3);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> results(std::vector<int>{0, 1 << 30, 0, 0, 0, 0});
  integers<<<6, 256>>>(in.get(), results.get(), kCount);
  FINISH_LAUNCH();
  std::vector<int> want = {0, 1 << 30, 0, 0, 0, kCount % 100}, evens(6);
  unsigned long long want_wide = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const int x = values[i];
    want[kSum] += x, want[kLeast] = std::min(want[kLeast], x);
    want[kLargest] = std::max(want[kLargest], x);
    want[kBits] |= 1 << (x % 20), want[kFlipped] ^= x;
    want_wide += (unsigned long long)x << 20;
    evens[i / 256] += x % 2 == 0;
  }
  testing::expect_equal(results.download(), want);

  testing::Buffer<unsigned long long> wide(1);
  testing::Buffer<double> sum(1);
  testing::Buffer<float> largest(1);
  testing::Buffer<int> per_block(6);
  wide.fill_bytes(0), sum.fill_bytes(0), largest.fill_bytes(0);
  other_types<<<6, 256>>>(in.get(), wide.get(), sum.get(), largest.get(), per_block.get(), kCount);
  FINISH_LAUNCH();
  EXPECT(wide.download()[0] == want_wide);
  EXPECT(sum.download()[0] == want[kSum] * 0.25);
  EXPECT(largest.download()[0] == float(want[kLargest]));
  testing::expect_equal(per_block.download(), evens);
}

void synchronisation() {
  testing::Buffer<int> data(64), flag(1), out(3 * 64);
  flag.fill_bytes(0);
  message<<<4, 64>>>(data.get(), flag.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 0; i < 3 * 64; ++i) want.push_back((63 - i % 64) * 3);
  testing::expect_equal(out.download(), want);

  flag.fill_bytes(0);
  testing::Buffer<int> few(3), state(3);
  message_with_fences<<<4, 32>>>(data.get(), flag.get(), few.get());
  FINISH_LAUNCH();
  testing::expect_equal(few.download(), {4712, 4713, 4714});

  testing::Buffer<cuda::counting_semaphore<cuda::thread_scope_device, 3>> places(1);
  state.fill_bytes(0);
  prepare<<<1, 1>>>(places.get());
  bounded<<<3, 48>>>(places.get(), state.get());
  FINISH_LAUNCH();
  const auto end = state.download();
  EXPECT(end[0] == 0 && end[1] >= 1 && end[1] <= 3 && end[2] == 144);
}

void types() {
  const std::vector<int> values = testing::random_integers(96, 1000, 5);
  const testing::Buffer<int> in(values);
  testing::Buffer<double> out(96);
  vocabulary<<<1, 96>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int t = 0; t < 96; ++t) want.push_back(vocabulary_model(values[std::size_t(t)], t));
  testing::expect_equal(out.download(), want);

  testing::Buffer<int> transposed(96);
  views<<<1, dim3(8, 4)>>>(in.get(), transposed.get(), 6, 16);
  FINISH_LAUNCH();
  std::vector<int> turned(96);
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 16; ++c) turned[c * 6 + r] = values[r * 16 + c];
  }
  testing::expect_equal(transposed.download(), turned);
}

template <class T>
void complex_numbers(double bound) {
  std::vector<cs::complex<T>> values;
  const auto parts = testing::random_floats(128, 4);
  for (std::size_t i = 0; i < 64; ++i)
    values.push_back({T(4 * parts[2 * i]), T(4 * parts[2 * i + 1])});
  const testing::Buffer<cs::complex<T>> in(values);
  testing::Buffer<cs::complex<T>> out(3 * 64);
  roots<T><<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  const auto got = out.download();
  for (std::size_t i = 0; i < 64; ++i) {
    const std::complex<double> z(double(values[i].real()), double(values[i].imag()));
    const std::complex<double> want[3] = {std::sqrt(z) * std::conj(z),
                                          std::exp(z / 4.0) - std::polar(2.0, z.real()),
                                          z / std::complex<double>(0.5, z.imag() + 9)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& g = got[3 * i + k];
      EXPECT(std::abs(std::complex<double>(double(g.real()), double(g.imag())) - want[k]) <= bound);
    }
  }
}

void run() {
  atomics();
  synchronisation();
  types();
  complex_numbers<float>(1e-5);
  complex_numbers<double>(1e-13);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
