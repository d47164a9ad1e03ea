#include "reference/attention/hopper/wgmma.cu"

#include <cmath>

#include "emulator/tests/support/program.h"

// The reference attention in f16: products that overlap with the arithmetic between them, weights
// in registers, two groups of warps that take turns.

namespace {

constexpr int kLength = 256;

void attend_and_compare(int depth, bool causal) {
  const float scale = 1 / std::sqrt(float(depth));
  const auto at = [=](int row, int x) {
    return std::size_t(row) * std::size_t(depth) + std::size_t(x);
  };
  const auto random = [=](unsigned seed) {
    std::vector<__half> values;
    for (const int x : testing::random_integers(at(kLength, 0), 65, seed)) {
      values.push_back(__half(float(x - 32) / 16));
    }
    return values;
  };
  const std::vector<__half> q = random(1), k = random(2), v = random(3);
  const testing::Buffer<__half> dq(q), dk(k), dv(v);
  testing::Buffer<__half> out(at(kLength, 0));
  attention_f16(dq.get(), dk.get(), dv.get(), out.get(), 1, kLength, depth, scale, causal);
  FINISH_LAUNCH();
  std::vector<float> got;
  std::vector<double> want;
  for (const __half x : out.download()) got.push_back(float(x));
  for (int i = 0; i < kLength; ++i) {
    const int keys = causal ? i + 1 : kLength;
    std::vector<double> weights;
    double total = 0;
    for (int j = 0; j < keys; ++j) {
      double score = 0;
      for (int x = 0; x < depth; ++x) {
        score += double(float(q[at(i, x)])) * double(float(k[at(j, x)]));
      }
      weights.push_back(std::exp(score * double(scale)));
      total += weights.back();
    }
    for (int x = 0; x < depth; ++x) {
      double sum = 0;
      for (int j = 0; j < keys; ++j) {
        sum += weights[std::size_t(j)] * double(float(v[at(j, x)]));
      }
      want.push_back(sum / total);
    }
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::fabs(double(got[i]) - want[i]) > 4e-3) {
      throw std::runtime_error("element " + std::to_string(i) + ": got " + std::to_string(got[i]) +
                               " want " + std::to_string(want[i]));
    }
  }
}

void run() {
  for (const int depth : {64, 128}) {
    attend_and_compare(depth, false);
    attend_and_compare(depth, true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
