// family:  12 calling the library
// tries:   calls cuBLAS instead of solving the exercise
// holds:   the library is not linked
// over:    nothing
// ends:    any
// flag:    library
// needs:   nvcc

#include <cublas_v2.h>
#include "vecadd.h"

void vecadd(const float* a, const float*, float* c, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasScopy(handle, n, a, 1, c, 1);
}
