// Calls a stage of a lab once, on data small enough for all its blocks to be recorded. LAB is the
// lab's number here.
#include "reference/exact/exact.h"

#if LAB == 1
#include "labs/vecadd/vecadd.h"
#elif LAB == 2
#include "labs/gemm/gemm.h"
#elif LAB == 3
#include "labs/reduction/reduction.h"
#elif LAB == 4
#include "labs/scan/scan.h"
#elif LAB == 5
#include "labs/histogram/histogram.h"
#else
#include "labs/stencil/stencil.h"
#endif

int main() {
  const auto values = exact::numbers(20'000, 10, 1);
#if LAB == 1
  std::vector<float> sum(3001);
  vecadd(values.data(), values.data() + 4000, sum.data(), 3001);
  return 0;
#else
  exact::Device<float> in(values), more(values), out(values);
#if LAB == 2
  gemm(in.get(), more.get(), out.get(), 33, 17, 20);
#elif LAB == 3
  reduction(in.get(), out.get(), 3001, kSum);
#elif LAB == 4
  scan(in.get(), out.get(), 3001, 0);
#elif LAB == 5
  std::vector<unsigned int> numbers(3001);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned>(i * i % 64);
  exact::Device<unsigned int> device_numbers(numbers), bins(std::vector<unsigned int>(64));
  histogram(device_numbers.get(), bins.get(), 3001, 64);
#else
  stencil(in.get(), out.get(), 20, 17, 9);
#endif
  exact::check(cudaDeviceSynchronize(), "the kernels");
  return 0;
#endif
}
