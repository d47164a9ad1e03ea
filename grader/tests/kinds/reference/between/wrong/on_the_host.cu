// verdict: fails-correctness
// pitfall: none
// caught-by: case "count"
// The host computes both results from a copy of the numbers.
#include "between.h"

#include <vector>

static std::vector<char> computed(const float* x, int n, Range range) {
  std::vector<float> numbers(n);
  cudaMemcpy(numbers.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::vector<char> marks(n);
  for (int i = 0; i < n; ++i) {
    marks[i] = numbers[i] + range.shift >= range.low && numbers[i] + range.shift <= range.high;
  }
  return marks;
}

int between_count(const float* x, Range range, int n) {
  int count = 0;
  for (const char mark : computed(x, n, range)) count += mark;
  return count;
}

void between_mark(const float* x, bool* marks, int n, Range range) {
  cudaMemcpy(marks, computed(x, n, range).data(), n, cudaMemcpyHostToDevice);
}
