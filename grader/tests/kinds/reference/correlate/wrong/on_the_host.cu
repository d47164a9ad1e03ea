// verdict: fails-correctness
// pitfall: none
// caught-by: case "prime"
// The host multiplies the rows, too.
#include "correlate.h"

#include <cmath>
#include <vector>

static std::vector<float> normalized(const float* rows, int n, int m) {
  std::vector<float> normal(rows, rows + n * m);
  for (int i = 0; i < n; ++i) {
    double mean = 0;
    for (int k = 0; k < m; ++k) mean += rows[i * m + k];
    mean /= m;
    double squares = 0;
    for (int k = 0; k < m; ++k) squares += (rows[i * m + k] - mean) * (rows[i * m + k] - mean);
    for (int k = 0; k < m; ++k) normal[i * m + k] = (rows[i * m + k] - mean) / std::sqrt(squares);
  }
  return normal;
}

static std::vector<float> multiplied(const std::vector<float>& rows, int n, int m) {
  std::vector<float> result(n * n);
  for (int i = 0; i < n * n; ++i) {
    for (int k = 0; k < m; ++k) result[i] += rows[i / n * m + k] * rows[i % n * m + k];
  }
  return result;
}

void correlate(const float* rows, float* result, int n, int m) {
  const std::vector<float> all = multiplied(normalized(rows, n, m), n, m);
  for (int i = 0; i < n * n; ++i) result[i] = all[i];
}
