#include "labs/operators/operators.h"

#include <algorithm>

#include "reference/exact/exact.h"

namespace {

unsigned combined(const std::vector<unsigned>& values, int op) {
  unsigned result = op == kAnd || op == kMin ? 0xffffffffu : op == kAll ? 1 : 0;
  for (const unsigned x : values) {
    if (op == kAnd) result &= x;
    if (op == kOr) result |= x;
    if (op == kXor) result ^= x;
    if (op == kMin) result = std::min(result, x);
    if (op == kAll && x == 0) result = 0;
    if (op == kAny && x != 0) result = 1;
    if (op == kLast && x != 0) result = x;
  }
  return result;
}

}  // namespace

int main() {
  for (const int n : {0, 1, 33, 1000, 70001}) {
    for (const int op : {kAnd, kOr, kXor, kMin, kAll, kAny, kLast}) {
      std::vector<unsigned> values(n);
      for (int i = 0; i < n; ++i) values[i] = i % 5 == 4 && op != kAll ? 0 : 0x80000000u + i * 7u;
      exact::Device<unsigned> device_values(values), result(std::vector<unsigned>(1, 7));
      operators(device_values.get(), result.get(), n, op);
      exact::require_equal(result.download(), {combined(values, op)},
                           "n = " + std::to_string(n) + ", operator " + std::to_string(op));
    }
  }
}
