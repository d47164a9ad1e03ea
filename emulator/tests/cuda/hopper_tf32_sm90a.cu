#include "reference/gemm/hopper/tensor_cores.cu"

#include "emulator/tests/support/program.h"

// The reference product in TF32: wgmma with one operand in registers.

namespace {

void multiply_and_compare(int m, int n, int k) {
  std::vector<float> a, b;
  for (const int x : testing::random_integers(std::size_t(m) * std::size_t(k), 9, 1)) {
    a.push_back(float(x - 4));
  }
  for (const int x : testing::random_integers(std::size_t(k) * std::size_t(n), 9, 2)) {
    b.push_back(float(x - 4));
  }
  const testing::Buffer<float> da(a), db(b);
  testing::Buffer<float> dc(std::size_t(m) * std::size_t(n));
  gemm(da.get(), db.get(), dc.get(), m, n, k);
  FINISH_LAUNCH();
  std::vector<float> want;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int x = 0; x < k; ++x) sum += a[std::size_t(i * k + x)] * b[std::size_t(x * n + j)];
      want.push_back(sum);
    }
  }
  testing::expect_equal(dc.download(), want);
}

void run() {
  multiply_and_compare(256, 256, 64);
  multiply_and_compare(200, 132, 36);  // borders in all three
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
