// family:  3 timer tampering
// tries:   defines cudaEventElapsedTime, cudaDeviceSynchronize, cudaGetLastError and cudaMemcpy
// holds:   all symbols but the lab's function are local: the harness calls the real functions
// over:    nothing
// ends:    any
// flag:    own-runtime

#include "vecadd.h"

extern "C" {
int no_time(float* ms, void*, void*) asm("cudaEventElapsedTime");
int no_wait() asm("cudaDeviceSynchronize");
int no_error() asm("cudaGetLastError");
int no_copy(void*, const void*, unsigned long, int) asm("cudaMemcpy");
int no_time(float* ms, void*, void*) {
  *ms = 0;
  return 0;
}
int no_wait() {
  return 0;
}
int no_error() {
  return 0;
}
int no_copy(void*, const void*, unsigned long, int) {
  return 0;
}
}

__global__ void wrong(float* p) {
  p[0] = 1;
}

void vecadd(const float*, const float*, float*, int) {
  wrong<<<1, 2048>>>(nullptr);  // illegal; the harness asks the real runtime
}
