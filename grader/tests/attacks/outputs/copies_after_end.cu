// lab:     scan
// root:    A
// tries:   ends the call, and copies the sums to the output in device memory then
// holds:   after the end no copy into device memory is done, and the second end ends the session
// becomes: nothing
// flag:    ended-early

#include <vector>

#include "internals.cuh"
#include "scan.h"

void scan(const float* in, float* out, int n, int exclusive) {
  internals::end_call();
  if (n == 0) return;
  std::vector<float> sums(n);
  cudaMemcpy(sums.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float& value : sums) {
    const double before = sum;
    sum += value;
    value = static_cast<float>(exclusive != 0 ? before : sum);
  }
  cudaMemcpy(out, sums.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
