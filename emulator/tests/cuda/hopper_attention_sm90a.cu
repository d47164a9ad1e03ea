#include "reference/attention/hopper/wgmma.cu"

#include <cmath>

#include "emulator/tests/support/program.h"

// The reference attention in f16: products that overlap with the arithmetic between them, weights
// in registers, two groups of warps that take turns.

namespace {

constexpr int kLength = 256;

void attend_and_compare(bool causal) {
  constexpr float kScale = 0.08838834764f;
  const auto random = [](unsigned seed) {
    std::vector<__half> values;
    for (const int x : testing::random_integers(kLength * 128, 65, seed)) {
      values.push_back(__half(float(x - 32) / 16));
    }
    return values;
  };
  const std::vector<__half> q = random(1), k = random(2), v = random(3);
  const testing::Buffer<__half> dq(q), dk(k), dv(v);
  testing::Buffer<__half> out(kLength * 128);
  attention_f16(dq.get(), dk.get(), dv.get(), out.get(), 1, kLength, kScale, causal);
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
      for (int x = 0; x < 128; ++x) {
        score +=
            double(float(q[std::size_t(i * 128 + x)])) * double(float(k[std::size_t(j * 128 + x)]));
      }
      weights.push_back(std::exp(score * double(kScale)));
      total += weights.back();
    }
    for (int x = 0; x < 128; ++x) {
      double sum = 0;
      for (int j = 0; j < keys; ++j) {
        sum += weights[std::size_t(j)] * double(float(v[std::size_t(j * 128 + x)]));
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
  attend_and_compare(false);
  attend_and_compare(true);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
