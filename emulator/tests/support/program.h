#pragma once

#include <cmath>
#include <cstdint>
#include <exception>

#include "emulator/tests/support/device.h"

// What a self-checking program needs besides CUDA: expectations, reproducible data, and a main.

namespace testing {

/// @throws std::runtime_error with the place and the text when the condition does not hold
inline void expect(bool holds, const char* text, const char* file, int line) {
  if (!holds)
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + text);
}

#define EXPECT(condition) ::testing::expect((condition), "not so: " #condition, __FILE__, __LINE__)

/// @throws std::runtime_error with both names when `got` is not `want`
inline void expect_error(cudaError_t got, cudaError_t want, const char* call, const char* file,
                         int line) {
  if (got == want) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call +
                           " returned " + cudaGetErrorName(got) + ", want " +
                           cudaGetErrorName(want));
}

/// The call must return exactly this.
#define EXPECT_ERROR(call, error) \
  ::testing::expect_error((call), (error), #call, __FILE__, __LINE__)

/// Each |got - want| must be at most `bound`; NaN is not.
template <class T, class W>
void expect_close(const std::vector<T>& got, const std::vector<W>& want, double bound) {
  if (got.size() != want.size()) throw std::runtime_error("sizes differ");
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::fabs(double(got[i]) - double(want[i])) <= bound) continue;
    throw std::runtime_error("element " + std::to_string(i) + " is " + std::to_string(got[i]) +
                             " want " + std::to_string(want[i]) + " within " +
                             std::to_string(bound));
  }
}

template <class T>
void expect_equal(const std::vector<T>& got, const std::vector<T>& want) {
  expect_close(got, want, 0);
}

/// Pseudo-random numbers, the same everywhere: `count` values in [0, limit).
inline std::vector<int> random_integers(std::size_t count, int limit, std::uint64_t seed = 1) {
  std::vector<int> values(count);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int& value : values) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    value = int((state >> 20) % std::uint64_t(limit));
  }
  return values;
}

/// In [-1, 1), multiples of 2^-12.
inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed = 1) {
  std::vector<float> values;
  for (const int x : random_integers(count, 8192, seed)) values.push_back(float(x - 4096) / 4096);
  return values;
}

/// A program's main: runs the body, prints one line, returns the exit status.
inline int run_program(int argc, char** argv, void (*body)()) {
  handle_require_gpu(argc, argv);
  try {
    body();
  } catch (const std::exception& error) {
    std::printf("FAIL %s\n", error.what());
    return 1;
  }
  std::puts("ok");
  return 0;
}

inline unsigned blocks_for(std::size_t elements, unsigned block) {
  return unsigned((elements + block - 1) / block);
}

}  // namespace testing
