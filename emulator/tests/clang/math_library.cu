#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "emulator/machine/math_builtins.h"

// The emulator's built-in mathematical functions against CUDA's device library, which nvcc compiles
// into this program: apart by no more than the library's maximum error and one unit in the last
// place for ours.

template <class T>
using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

constexpr int kMost = 4;

template <class F, class T>
__global__ void apply(const T* in, const int* integers, T* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = F::template of<T>(in + kMost * i, integers[i]);
}

// One function object per name; x are the floating-point arguments.
#define FUNCTION(name, call_f, call_d)                                  \
  struct name##_of {                                                    \
    template <class T>                                                  \
    static __device__ T of(const T* x, int n) {                         \
      if constexpr (std::is_same_v<T, float>) return T(name##f call_f); \
      if constexpr (std::is_same_v<T, double>) return T(name call_d);   \
    }                                                                   \
  };
#define ONE(name) FUNCTION(name, (x[0]), (x[0]))
#define TWO(name) FUNCTION(name, (x[0], x[1]), (x[0], x[1]))
#define WARPGRADE_MATH_1(name, f, d) ONE(name)
#define WARPGRADE_MATH_2(name, f, d) TWO(name)
#define WARPGRADE_MATH_3(name, f, d) FUNCTION(name, (x[0], x[1], x[2]), (x[0], x[1], x[2]))
#define WARPGRADE_MATH_4(name, f, d) \
  FUNCTION(name, (x[0], x[1], x[2], x[3]), (x[0], x[1], x[2], x[3]))
#define WARPGRADE_MATH_STD_1 WARPGRADE_MATH_1
#define WARPGRADE_MATH_STD_2 WARPGRADE_MATH_2
#define WARPGRADE_MATH_INT(name, f, d) ONE(name)
#define WARPGRADE_MATH_OF_INT(name, f, d) FUNCTION(name, (x[0], n), (x[0], n))
#define WARPGRADE_MATH_INT_OF(name, f, d) FUNCTION(name, (n, x[0]), (n, x[0]))
// CUDA C++ has pow() with an int in its place.
__device__ float powif(float x, int n) {
  return std::pow(x, n);
}
__device__ double powi(double x, int n) {
  return std::pow(x, n);
}
#include "emulator/include/warpgrade/math_names.h"
#undef WARPGRADE_MATH_1
#undef WARPGRADE_MATH_2
#undef WARPGRADE_MATH_3
#undef WARPGRADE_MATH_4
#undef WARPGRADE_MATH_STD_1
#undef WARPGRADE_MATH_STD_2
#undef WARPGRADE_MATH_INT
#undef WARPGRADE_MATH_OF_INT
#undef WARPGRADE_MATH_INT_OF

enum class Kind { reals, integer_of, then_integer, integer_first };

int failures = 0, functions = 0;

template <class T>
std::int64_t place(T x) {
  const auto bits = std::bit_cast<Bits<T>>(x);
  const auto sign = Bits<T>(Bits<T>{1} << (8 * sizeof(T) - 1));
  const auto magnitude = std::int64_t(bits & Bits<T>(~sign));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

template <class T>
std::vector<T> arguments(int n) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,
                       Limits::min(),
                       T(0.5),
                       1,
                       T(1.5),
                       2,
                       3,
                       10,
                       30,
                       100,
                       Limits::infinity(),
                       Limits::quiet_NaN()};
  std::vector<T> values;
  std::mt19937_64 random(7);
  for (int i = 0; i < n * kMost; ++i) {
    const auto choice = random();
    const T fraction = T(double(random() >> 11) * 0x1p-53 - 0.5);
    const T magnitude = choice % 5 == 0   ? special[choice / 5 % std::size(special)]
                        : choice % 5 == 1 ? fraction * 200
                                          : fraction * 8;
    values.push_back(choice >> 63 ? -magnitude : magnitude);
  }
  return values;
}

/// @param bound  the library's maximum error, in units in the last place
/// @param bessel  beyond 8 the error is absolute; lgamma has larger errors near its zeros
template <class F, class T>
void compare(const std::string& name, int bound, Kind kind) {
  constexpr int kCount = 512;
  const warpsim::MathFunction* const ours = warpsim::find_math_function("__nv_" + name);
  if (ours == nullptr) {
    std::printf("%s: not among the built-in functions\n", name.c_str());
    ++failures;
    return;
  }
  ++functions;
  const std::vector<T> in = arguments<T>(kCount);
  std::vector<int> integers(kCount);
  for (int i = 0; i < kCount; ++i) integers[i] = kind == Kind::integer_first ? i % 9 : i % 41 - 20;
  T *on_device = nullptr, *out = nullptr;
  int* n = nullptr;
  cudaMalloc(&on_device, in.size() * sizeof(T));
  cudaMalloc(&out, kCount * sizeof(T));
  cudaMalloc(&n, kCount * sizeof(int));
  cudaMemcpy(on_device, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(n, integers.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  apply<F, T><<<(kCount + 127) / 128, 128>>>(on_device, n, out, kCount);
  std::vector<T> theirs(kCount);
  if (cudaMemcpy(theirs.data(), out, kCount * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::printf("%s: %s\n", name.c_str(), cudaGetErrorName(cudaGetLastError()));
    ++failures;
    return;
  }
  cudaFree(on_device);
  cudaFree(out);
  cudaFree(n);

  const bool bessel = name[0] == 'j' || name[0] == 'y';
  const bool lgamma = name.starts_with("lgamma");
  for (int i = 0; i < kCount; ++i) {
    const T* const x = &in[std::size_t(i) * kMost];
    std::array<std::uint64_t, warpsim::kMaxMathArguments> bits{};
    const auto integer = std::uint64_t(std::uint32_t(integers[i]));
    if (kind == Kind::integer_first) {
      bits = {integer, std::bit_cast<Bits<T>>(x[0]), 0, 0};
    } else {
      for (int a = 0; a < kMost; ++a) bits[a] = std::bit_cast<Bits<T>>(x[a]);
      if (kind == Kind::then_integer) bits[1] = integer;
    }
    const std::uint64_t result = ours->evaluate(bits);
    const T mine = kind == Kind::integer_of ? T(int(std::uint32_t(result)))
                                            : std::bit_cast<T>(Bits<T>(result));
    const T got = theirs[i];
    if (std::isnan(mine) && std::isnan(got)) continue;
    const std::int64_t apart = std::abs(place(mine) - place(got));
    if (!std::isnan(mine) && !std::isnan(got) && apart <= bound + 1) continue;
    const T absolute = std::is_same_v<T, float> ? T(2.3e-6) : T(6e-12);
    if (bessel && std::abs(mine - got) <= absolute) continue;
    // The table gives no bounds here: yn below 1.5 n, lgamma among its zeros.
    if (name.starts_with("yn") && std::abs(x[0]) < T(1.5) * T(integers[i])) continue;
    // The library's recurrence overflows where x is next to zero.
    if (name.starts_with("jn") && std::isnan(got) && std::abs(x[0]) < T(1e-30)) continue;
    if (lgamma && x[0] < T(-2) && x[0] > T(-12)) continue;
    std::printf("%s(%a, %a, %a, %a; %d): the library's %a, ours %a\n", name.c_str(), double(x[0]),
                double(x[1]), double(x[2]), double(x[3]), integers[i], double(got), double(mine));
    ++failures;
    return;
  }
}

int main() {
#define COMPARE(name, f, d, kind)                      \
  compare<name##_of, float>(#name "f", f, Kind::kind); \
  compare<name##_of, double>(#name, d, Kind::kind);
#define WARPGRADE_MATH_1(name, f, d) COMPARE(name, f, d, reals)
#define WARPGRADE_MATH_2(name, f, d) COMPARE(name, f, d, reals)
#define WARPGRADE_MATH_3(name, f, d) COMPARE(name, f, d, reals)
#define WARPGRADE_MATH_4(name, f, d) COMPARE(name, f, d, reals)
#define WARPGRADE_MATH_STD_1 WARPGRADE_MATH_1
#define WARPGRADE_MATH_STD_2 WARPGRADE_MATH_2
#define WARPGRADE_MATH_INT(name, f, d) COMPARE(name, f, d, integer_of)
#define WARPGRADE_MATH_OF_INT(name, f, d) COMPARE(name, f, d, then_integer)
#define WARPGRADE_MATH_INT_OF(name, f, d) COMPARE(name, f, d, integer_first)
#include "emulator/include/warpgrade/math_names.h"
  std::printf("%d functions, %d failures\n", functions, failures);
  return failures == 0 ? 0 : 1;
}
