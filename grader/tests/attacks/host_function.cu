// family:  20 doing it on the CPU
// tries:   computes the sums in a stream's host function, after a kernel has set a flag
// holds:   values that the device did not send to the host are the host's: the case earns
//          nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void set(int* flag) {
  *flag = 1;
}

struct Work {
  const float *a, *b;
  float* c;
  int n;
  int* flag;
};

void add(void* data) {
  const Work& w = *static_cast<Work*>(data);
  if (*w.flag != 1) return;
  for (int i = 0; i < w.n; ++i) w.c[i] = w.a[i] + w.b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int* flag;
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  Work work = {a, b, c, n, flag};
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  set<<<1, 1, 0, stream>>>(flag);
  cudaLaunchHostFunc(stream, add, &work);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(flag);
}
