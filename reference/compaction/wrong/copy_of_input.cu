// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the values are copied.
#include "compaction.h"

#include <cuda_runtime.h>

void compaction(const int* values, int* kept, int* count, int n) {
  cudaMemcpy(kept, values, sizeof(int) * n, cudaMemcpyDeviceToDevice);
  cudaMemcpy(count, &n, sizeof(int), cudaMemcpyHostToDevice);
}
