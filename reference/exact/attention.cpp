#include "labs/attention/attention.h"

#include "reference/exact/exact.h"

namespace {

struct Shape {
  int heads, n, depth;
};

/// All scores of a query are equal, except that in every second head one key's exceeds the others
/// by 200. n is a power of two, the weights are 1 / n, or 1 and exp(-200), which is 0 in float:
/// nothing rounds. In causal heads each key's score exceeds the one before by 200, so that a token
/// sees only itself.
void try_shape(const Shape& s, bool causal) {
  const std::size_t count = static_cast<std::size_t>(s.heads) * s.n * s.depth;
  std::vector<float> q(count, 0), k(count, 0), want(count);
  const std::vector<float> v = exact::numbers(count, 8, 3);
  const auto at = [&](int h, int i, int c) {
    return (static_cast<std::size_t>(h) * s.n + i) * s.depth + c;
  };
  for (int h = 0; h < s.heads; ++h) {
    const int chosen = (7 * h) % (s.n > 0 ? s.n : 1);
    for (int i = 0; i < s.n; ++i) {
      q[at(h, i, 5)] = 50;
      if (causal) k[at(h, i, 5)] = static_cast<float>(16 * i);
      if (!causal && h % 2 == 1 && i == chosen) k[at(h, i, 5)] = 16;
      for (int c = 0; c < s.depth; ++c) {
        float sum = 0;
        for (int j = 0; j < s.n; ++j) sum += v[at(h, j, c)];
        want[at(h, i, c)] = causal       ? v[at(h, i, c)]
                            : h % 2 == 1 ? v[at(h, chosen, c)]
                                         : sum / static_cast<float>(s.n);
      }
    }
  }
  exact::Device<float> device_q(q), device_k(k), device_v(v), out(std::vector<float>(count, 7));
  attention(device_q.get(), device_k.get(), device_v.get(), out.get(), s.heads, s.n, s.depth, 0.25f,
            causal ? 1 : 0);
  exact::require_equal(out.download(), want,
                       std::to_string(s.heads) + " heads, n = " + std::to_string(s.n) + ", depth " +
                           std::to_string(s.depth) + (causal ? ", causal" : ""));
}

}  // namespace

int main() {
  const Shape shapes[] = {{1, 1, 64},   {0, 4, 64},   {3, 0, 128},
                          {2, 16, 128}, {2, 128, 64}, {1, 64, 128}};
  for (const Shape& shape : shapes) {
    try_shape(shape, false);
    try_shape(shape, true);
  }
  // Enough blocks for the solution's larger ones.
  try_shape({330, 2, 64}, false);
  try_shape({330, 64, 128}, true);
}
