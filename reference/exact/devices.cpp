#include "labs/devices/devices.h"

#include "reference/exact/exact.h"

/// A peak that is a power of two: quotients are exact. It is in the first half, the second half, or
/// everywhere; each size is called twice.
int main() {
  for (const int n : {0, 1, 2, 3, 257, 1000, 100003}) {
    for (const int where : {0, n / 2, n - 1}) {
      std::vector<float> want = exact::numbers(n, 100, 1);
      float *samples = nullptr, *result = nullptr;
      exact::check(cudaMallocHost(&samples, (n + 1) * sizeof(float)), "cudaMallocHost");
      exact::check(cudaMallocHost(&result, (n + 1) * sizeof(float)), "cudaMallocHost");
      if (n > 0) want[where] = -128;
      for (int i = 0; i < n; ++i) {
        samples[i] = want[i];
        want[i] /= 128;
      }
      result[n] = 7;
      scale_to_peak(samples, result, n);
      exact::require_equal(std::vector<float>(result, result + n), want,
                           std::to_string(n) + " samples");
      exact::require_equal(std::vector<float>{result[n]}, {7}, "after the results");
      exact::check(cudaFreeHost(samples), "cudaFreeHost");
      exact::check(cudaFreeHost(result), "cudaFreeHost");
    }
  }
}
