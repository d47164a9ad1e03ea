#include "labs/attention_half/attention_half.h"

#include "reference/exact/exact.h"

namespace {

std::vector<__half> in_half(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

/// One key's score exceeds all others of its head by 30, in causal heads each the one before, and
/// the others' weights are 0 in half precision. Scores stay below 4000, so that the largest weight
/// is rounded to 1, and results to the whole numbers that they nearly are.
void try_shape(int heads, int n, int depth, bool causal) {
  const std::size_t count = static_cast<std::size_t>(heads) * n * depth;
  std::vector<float> q(count, 0), k(count, 0), want(count);
  const std::vector<float> v = exact::numbers(count, 8, 3);
  const auto at = [&](int h, int i, int c) {
    return (static_cast<std::size_t>(h) * n + i) * depth + c;
  };
  for (int h = 0; h < heads; ++h) {
    const int chosen = 7 * h % (n > 0 ? n : 1);
    for (int i = 0; i < n; ++i) {
      q[at(h, i, 5)] = 1;
      if (causal || i == chosen) k[at(h, i, 5)] = causal ? static_cast<float>(120 * i) : 120;
      for (int c = 0; c < depth; ++c) want[at(h, i, c)] = v[at(h, causal ? i : chosen, c)];
    }
  }
  exact::Device<__half> device_q(in_half(q)), device_k(in_half(k)), device_v(in_half(v));
  exact::Device<__half> out(in_half(std::vector<float>(count, 7)));
  attention_half(device_q.get(), device_k.get(), device_v.get(), out.get(), heads, n, depth, 0.25f,
                 causal ? 1 : 0);
  const auto got = out.download();
  exact::require_equal(std::vector<float>(got.begin(), got.end()), want,
                       std::to_string(heads) + " heads, n = " + std::to_string(n) + ", depth " +
                           std::to_string(depth) + (causal ? ", causal" : ""));
}

}  // namespace

int main() {
  for (const bool causal : {false, true}) {
    try_shape(1, 1, 64, causal);
    try_shape(0, 4, 64, causal);
    try_shape(3, 0, 128, causal);
    try_shape(2, 16, 128, causal);
    try_shape(2, 77, 64, causal);
    try_shape(1, 130, 128, causal);
  }
}
