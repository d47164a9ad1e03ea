// family:  12 calling the library
// tries:   lets cuBLAS do the exercise
// holds:   the link line is without it
// over:    nothing
// ends:    any
// flag:    library

#include <cublas_v2.h>
#include "vecadd.h"

void vecadd(const float* a, const float*, float* c, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasScopy(handle, n, a, 1, c, 1);
}
