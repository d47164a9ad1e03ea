#include "reference/attention/hopper/mma_sync.cu"

#include <cmath>

#include "emulator/tests/support/program.h"

// The reference attention in f16 by mma.sync, in the steps of FlashAttention-2: both depths, and
// numbers of keys and queries that fill no tile.

namespace {

constexpr float kScale = 0.1f;

struct Head {
  const __half* q;
  const __half* k;
  const __half* v;
  std::size_t depth;

  /// The output of a query that sees `keys` keys, in double.
  [[nodiscard]] std::vector<double> attend(std::size_t query, std::size_t keys) const {
    std::vector<double> out(depth);
    double total = 0;
    for (std::size_t key = 0; key < keys; ++key) {
      double score = 0;
      for (std::size_t x = 0; x < depth; ++x) {
        score += double(float(q[query * depth + x])) * double(float(k[key * depth + x]));
      }
      const double weight = std::exp(score * double(kScale));
      total += weight;
      for (std::size_t x = 0; x < depth; ++x) out[x] += weight * double(float(v[key * depth + x]));
    }
    for (double& sum : out) sum /= total;
    return out;
  }
};

void attend_and_compare(std::size_t heads, std::size_t length, std::size_t depth, bool causal) {
  const auto random = [&](unsigned seed) {
    std::vector<__half> values;
    for (const int x : testing::random_integers(heads * length * depth, 65, seed)) {
      values.push_back(__half(float(x - 32) / 16));
    }
    return values;
  };
  const std::vector<__half> q = random(1), k = random(2), v = random(3);
  const testing::Buffer<__half> dq(q), dk(k), dv(v);
  testing::Buffer<__half> out(heads * length * depth);
  attention_f16(dq.get(), dk.get(), dv.get(), out.get(), int(heads), int(length), int(depth),
                kScale, causal);
  FINISH_LAUNCH();
  const std::vector<__half> got = out.download();
  for (std::size_t row = 0; row < heads * length; ++row) {
    const std::size_t start = row / length * length * depth;
    const Head head{&q[start], &k[start], &v[start], depth};
    const std::size_t query = row % length;
    const std::vector<double> want = head.attend(query, causal ? query + 1 : length);
    for (std::size_t x = 0; x < depth; ++x) {
      const double difference = double(float(got[row * depth + x])) - want[x];
      if (std::fabs(difference) > 4e-3) {
        throw std::runtime_error("row " + std::to_string(row) + " column " + std::to_string(x) +
                                 ": off by " + std::to_string(difference));
      }
    }
  }
}

void run() {
  for (const bool causal : {false, true}) {
    attend_and_compare(1, 128, 128, causal);
    attend_and_compare(2, 77, 64, causal);
    attend_and_compare(1, 1, 128, causal);
    attend_and_compare(1, 193, 64, causal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
