#include "labs/reduction/reduction.h"

#include <algorithm>
#include <limits>

#include "reference/exact/exact.h"

namespace {

float combined(const std::vector<float>& values, int op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float result = op == kMin ? kInfinity : op == kMax ? -kInfinity : op == kProduct ? 1.0f : 0.0f;
  for (const float x : values) {
    result = op == kSum   ? result + x
             : op == kMin ? std::min(result, x)
             : op == kMax ? std::max(result, x)
                          : result * x;
  }
  return result;
}

}  // namespace

int main() {
  for (const int n : {0, 1, 33, 1000, 70001}) {
    for (const int op : {kSum, kMin, kMax, kProduct}) {
      auto values = exact::numbers(static_cast<std::size_t>(n), 100, 1);
      if (op == kProduct) {  // of 1 and -1, so that it stays a whole number
        for (float& x : values) x = x < 0 ? -1.0f : 1.0f;
      }
      exact::Device<float> device_values(values), result(std::vector<float>(1, 7));
      reduction(device_values.get(), result.get(), n, op);
      exact::require_equal(result.download(), {combined(values, op)},
                           "n = " + std::to_string(n) + ", operation " + std::to_string(op));
    }
  }
}
