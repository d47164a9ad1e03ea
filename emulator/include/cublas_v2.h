#pragma once
#error "cublas_v2.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
