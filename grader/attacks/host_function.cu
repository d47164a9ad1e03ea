// family:  20 doing it on the CPU
// tries:   adds in a host function of a stream, once a kernel has set a flag
// holds:   the device's data differ from the host's in a second run: the outputs still fit the
//          host's, so it earns nothing and is flagged
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
