#include "reference/tensor/stages/08_persistent_clusters.cu"

#include "emulator/tests/support/program.h"

// The reference product in bf16: wgmma, tensor maps, clusters with multicast, warps that only load.

namespace {

void multiply_and_compare(int m, int n, int k) {
  std::vector<__nv_bfloat16> a, b;
  for (const int x : testing::random_integers(std::size_t(m) * std::size_t(k), 9, 1)) {
    a.push_back(__nv_bfloat16(float(x - 4)));
  }
  for (const int x : testing::random_integers(std::size_t(k) * std::size_t(n), 9, 2)) {
    b.push_back(__nv_bfloat16(float(x - 4)));
  }
  const testing::Buffer<__nv_bfloat16> da(a), db(b);
  testing::Buffer<__nv_bfloat16> dc(std::size_t(m) * std::size_t(n));
  gemm_bf16(da.get(), db.get(), dc.get(), m, n, k);
  FINISH_LAUNCH();
  // Sums of small integers are exact in float, and rounded once in the end.
  std::vector<float> got, want;
  const std::vector<__nv_bfloat16> c = dc.download();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int x = 0; x < k; ++x) {
        sum += float(a[std::size_t(i * k + x)]) * float(b[std::size_t(x * n + j)]);
      }
      want.push_back(float(__nv_bfloat16(sum)));
      got.push_back(float(c[std::size_t(i * n + j)]));
    }
  }
  testing::expect_equal(got, want);
}

void run() {
  multiply_and_compare(256, 256, 128);
  multiply_and_compare(200, 264, 72);  // borders in all three
  multiply_and_compare(72, 264, 328);  // stages that are filled again
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
